"""What viewers keep between two runs, in ``SEQTHINK_HOME/viewer``: marks, what was read, the rows of a list.

All of it is a cache but the marks. Several viewers may write at once.
"""
