"""The records that flow between the stages, and the one reader and writer of each file format."""

from polyfact.schemas._files import (
    atomic_write,
    count_lines,
    iter_jsonl,
    read_csv,
    read_json,
    read_jsonl,
    write_csv,
    write_json,
    write_jsonl,
)
from polyfact.schemas._records import (
    AnswerType,
    Association,
    Candidate,
    CandidateSet,
    Fact,
    Form,
    Item,
    Label,
    LabelSource,
    Provenance,
    Record,
    Rejected,
    Review,
    SourceRef,
    Target,
    Text,
    UsedWording,
    Value,
    digest,
)
from polyfact.schemas._results import BiasedSubject, MetricRow, Metrics, RankedCandidate, RunRecord, ScoreRow
from polyfact.schemas._text import nfc, slug
from polyfact.schemas._versions import is_version, version_key

__all__ = [
    "AnswerType",
    "Association",
    "BiasedSubject",
    "Candidate",
    "CandidateSet",
    "Fact",
    "Form",
    "Item",
    "Label",
    "LabelSource",
    "MetricRow",
    "Metrics",
    "Provenance",
    "RankedCandidate",
    "Record",
    "Rejected",
    "Review",
    "RunRecord",
    "ScoreRow",
    "SourceRef",
    "Target",
    "Text",
    "UsedWording",
    "Value",
    "atomic_write",
    "count_lines",
    "digest",
    "is_version",
    "iter_jsonl",
    "json_schemas",
    "nfc",
    "read_csv",
    "read_json",
    "read_jsonl",
    "slug",
    "version_key",
    "write_csv",
    "write_json",
    "write_jsonl",
]


def json_schemas() -> dict[str, dict[str, object]]:
    """JSON Schema (draft 2020-12) of every record, by record name."""
    records: tuple[type[Record], ...] = (
        Fact,
        Label,
        Item,
        CandidateSet,
        Association,
        Rejected,
        ScoreRow,
        MetricRow,
        Metrics,
        RunRecord,
    )
    return {record.__name__: record.model_json_schema(mode="serialization") for record in records}
