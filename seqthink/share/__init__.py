"""What leaves this machine or its terminal: exports, pages in a browser, journals for a fleet."""
