"""What the cases wait for: the one list of components, ops and kinds that polyfact does not have yet.

A name here is looked up as a case's op, then as its kind, then as its component; an op that has a handler is run.
"""

PENDING: dict[str, str] = {
    "language_hallucination": "language identification",
    "language_corrected": "language identification",
    "tau": "the ordering metrics (bhram-il)",
    "ner": "the tagging metrics (bhram-il)",
    "chrF": "chrF (makqa)",
    "xSC": "the consistency metrics (makqa)",
    "wikipedia": "the Wikipedia source",
    "labelstudio": "the Label Studio bridge",
    "generation": "generation and its cache",
}
