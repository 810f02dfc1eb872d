"""The files in which hosts, registries and marketplaces look for this project, written from what they repeat."""
