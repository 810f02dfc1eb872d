"""The pages of the project: their names and links, the tutorial, the site."""
