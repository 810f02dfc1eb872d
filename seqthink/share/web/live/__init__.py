"""What the page receives: the list, open sessions as they grow, their rows and cards, replay, and finding."""
