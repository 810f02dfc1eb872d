"""What the predicates of rules search: nodes, the parts of a text, the uses of a variable. Pure."""
