"""The files in which hosts, registries and marketplaces look for this project, and the one place for what they repeat."""
