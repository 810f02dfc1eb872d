"""The timeline: the rows in order of arrival, and the lanes and arrows beside them."""
