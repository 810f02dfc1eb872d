"""The protocols in which clients ask their models."""
