"""What viewers keep between two runs, in ``SEQTHINK_HOME/viewer``: marks, labels, what was read, the rows of a list.

All of it is a cache but the marks and the labels. Several viewers may write at once.
"""
