"""What viewers keep between two runs, in ``SEQTHINK_HOME/viewer``: marks, and what was read.

All of it is a cache but the marks. Several viewers may write at once.
"""
