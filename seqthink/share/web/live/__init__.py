"""What the page is told: the list, open sessions as they grow, their rows and cards, replay, and finding."""
