"""The pages of the project as data for their tests."""
