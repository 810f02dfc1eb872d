"""The commands and options for the sessions of other machines."""
