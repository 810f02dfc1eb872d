"""The Python API behind `import seqthink`: read a journal, or follow one as it grows (docs/python.md)."""
