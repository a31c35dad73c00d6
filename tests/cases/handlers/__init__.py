"""One module for each part of polyfact, with ``HANDLERS``: for each op the function that runs a case of it.

A handler gets the whole case and returns what differed from its ``expected``, a line each; nothing when it passed.
"""
