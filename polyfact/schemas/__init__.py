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
from polyfact.schemas._json import dump_json, not_finite
from polyfact.schemas._log import AppendLog, read_log
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
from polyfact.schemas._secrets import redact
from polyfact.schemas._text import nfc, slug, texts
from polyfact.schemas._versions import Step, is_version, step_between, version_key

__all__ = [
    "AnswerType",
    "AppendLog",
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
    "Step",
    "Target",
    "Text",
    "UsedWording",
    "Value",
    "atomic_write",
    "count_lines",
    "digest",
    "dump_json",
    "is_version",
    "iter_jsonl",
    "json_schemas",
    "nfc",
    "not_finite",
    "read_csv",
    "read_json",
    "read_jsonl",
    "read_log",
    "redact",
    "slug",
    "step_between",
    "texts",
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
        UsedWording,
        ScoreRow,
        MetricRow,
        Metrics,
        RunRecord,
    )
    return {record.__name__: record.model_json_schema(mode="serialization") for record in records}
