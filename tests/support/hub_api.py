"""What the hub on loopback answers: each endpoint that huggingface_hub and datasets ask for."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

WRITER, READER = "hf_writer", "hf_reader"
LFS_FROM = 1_000_000


def blob_id(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


@dataclass(frozen=True)
class File:
    content: bytes
    lfs: bool = False

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @property
    def pointer(self) -> bytes:
        text = f"version https://git-lfs.github.com/spec/v1\noid sha256:{self.sha256}\nsize {len(self.content)}\n"
        return text.encode()

    @property
    def oid(self) -> str:
        return blob_id(self.pointer if self.lfs else self.content)

    def entry(self, path: str) -> dict[str, Any]:
        """As the tree of a commit lists it."""
        entry: dict[str, Any] = {"type": "file", "oid": self.oid, "size": len(self.content), "path": path}
        if self.lfs:
            entry["lfs"] = {"oid": self.sha256, "size": len(self.content), "pointerSize": len(self.pointer)}
        return entry


@dataclass(frozen=True)
class Commit:
    id: str
    title: str
    files: dict[str, File]


@dataclass
class Repo:
    private: bool = False
    commits: list[Commit] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)

    @property
    def head(self) -> Commit:
        return self.commits[-1]

    def commit(self, title: str, files: dict[str, File]) -> str:
        listed = json.dumps([len(self.commits), title, sorted((path, file.oid) for path, file in files.items())])
        self.commits.append(Commit(hashlib.sha1(listed.encode()).hexdigest(), title, files))
        return self.head.id

    def find(self, revision: str) -> Commit | None:
        name = re.sub(r"^refs/(heads|tags)/", "", urllib.parse.unquote(revision))
        name = self.head.id if name == "main" else self.tags.get(name, name)
        return next((commit for commit in self.commits if len(name) >= 7 and commit.id.startswith(name)), None)

    def published(self, revision: str) -> dict[str, bytes]:
        """The files of a revision, without the hub's own."""
        commit = self.find(revision)
        assert commit is not None, revision
        return {path: file.content for path, file in commit.files.items() if path != ".gitattributes"}


@dataclass
class Answer(Exception):
    status: int
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)


def refused(status: int, message: str, code: str = "") -> Answer:
    headers = {"X-Error-Message": message.splitlines()[0], **({"X-Error-Code": code} if code else {})}
    return Answer(status, {"error": message}, headers)


@dataclass
class Request:
    method: str
    headers: Any
    query: dict[str, list[str]]
    body: bytes
    who: str

    def json(self) -> Any:
        return json.loads(self.body)


class State(Protocol):
    repos: dict[str, Repo]
    large: dict[str, bytes]
    url: str


def revision(hub: State, parts: dict[str, str]) -> Commit:
    found = hub.repos[parts["repo"]].find(parts["revision"])
    if found is None:
        raise refused(404, "Invalid rev id: " + parts["revision"], "RevisionNotFound")
    return found


def create(hub: State, parts: dict[str, str], request: Request) -> Answer:
    asked = request.json()
    if request.who != WRITER:
        raise refused(403 if request.who else 401, "You don't have the rights to create a dataset here")
    assert asked["type"] == "dataset"
    name = f"{asked['organization']}/{asked['name']}"
    body = {"url": f"{hub.url}/datasets/{name}", "name": name, "id": "1"}
    if name in hub.repos:
        return Answer(409, {"error": "You already created this dataset repo", **body})
    hub.repos[name] = Repo(private=asked.get("visibility") == "private")
    hub.repos[name].commit("initial commit", {".gitattributes": File(b"*.parquet filter=lfs\n")})
    return Answer(200, body)


def refs(hub: State, parts: dict[str, str], request: Request) -> Answer:
    repo = hub.repos[parts["repo"]]

    def ref(kind: str, name: str, commit: str) -> dict[str, str]:
        return {"name": name, "ref": f"refs/{kind}/{name}", "targetCommit": commit}

    tags = [ref("tags", name, commit) for name, commit in repo.tags.items()]
    return Answer(200, {"branches": [ref("heads", "main", repo.head.id)], "tags": tags, "converts": []})


def info(hub: State, parts: dict[str, str], request: Request) -> Answer:
    commit = revision(hub, {"revision": "main", **parts})
    body = {"_id": "1", "id": parts["repo"], "sha": commit.id, "private": hub.repos[parts["repo"]].private}
    return Answer(200, {**body, "gated": False, "tags": [], "siblings": [{"rfilename": path} for path in commit.files]})


def commits(hub: State, parts: dict[str, str], request: Request) -> Answer:
    known, date = hub.repos[parts["repo"]].commits, "2026-11-30T00:00:00.000Z"
    rows = [{"id": each.id, "title": each.title, "message": "", "authors": [], "date": date} for each in known]
    return Answer(200, rows[::-1])


def tree(hub: State, parts: dict[str, str], request: Request) -> Answer:
    files, folder = revision(hub, parts).files, parts["path"]
    below = [path for path in files if not folder or path.startswith(folder + "/")]
    if folder and not below:
        raise refused(404, "no such folder", "EntryNotFound")
    entries = [files[path].entry(path) for path in sorted(below)]
    deep = request.query.get("recursive", ["false"])[0].lower() in ("true", "1")
    depth = folder.count("/") + 1 if folder else 0
    folders = {"/".join(path.split("/")[:n]) for path in below for n in range(depth + 1, path.count("/") + 1)}
    if not deep:
        entries = [entry for entry in entries if entry["path"].count("/") == depth]
        folders = {name for name in folders if name.count("/") == depth}
    return Answer(200, entries + [{"type": "directory", "oid": "0" * 40, "size": 0, "path": p} for p in sorted(folders)])


def paths_info(hub: State, parts: dict[str, str], request: Request) -> Answer:
    files = revision(hub, parts).files
    form = urllib.parse.parse_qs(request.body.decode())
    asked = form["paths"] if "paths" in form else request.json()["paths"]
    folders = [path for path in asked if any(name.startswith(path.rstrip("/") + "/") for name in files)]
    entries = [files[path].entry(path) for path in asked if path in files]
    return Answer(200, entries + [{"type": "directory", "oid": "0" * 40, "size": 0, "path": path} for path in folders])


def preupload(hub: State, parts: dict[str, str], request: Request) -> Answer:
    files, answers = revision(hub, parts).files, []
    ignored = files.get(".gitignore", File(b"")).content.decode().split()
    for asked in request.json()["files"]:
        path = asked["path"]
        mode = "lfs" if path.endswith(".parquet") or asked["size"] >= LFS_FROM else "regular"
        oid = files[path].oid if path in files else None
        answers.append({"path": path, "uploadMode": mode, "shouldIgnore": path in ignored, "oid": oid})
    return Answer(200, {"files": answers})


def lfs_batch(hub: State, parts: dict[str, str], request: Request) -> Answer:
    asked = request.json()
    assert asked["operation"] == "upload" and "basic" in asked["transfers"]
    objects = []
    for each in asked["objects"]:
        actions = {"upload": {"href": f"{hub.url}/lfs/{each['oid']}"}, "verify": {"href": f"{hub.url}/lfs-verify"}}
        objects.append({**each, **({} if each["oid"] in hub.large else {"actions": actions})})
    return Answer(200, {"transfer": "basic", "objects": objects})


def lfs(hub: State, parts: dict[str, str], request: Request) -> Answer:
    if request.method == "PUT":
        if hashlib.sha256(request.body).hexdigest() != parts["oid"]:
            raise refused(400, "these bytes have another SHA-256")
        hub.large[parts["oid"]] = request.body
        return Answer(200, {})
    return content(hub.large[parts["oid"]], {"ETag": f'"{parts["oid"]}"'}, request)


def lfs_verify(hub: State, parts: dict[str, str], request: Request) -> Answer:
    asked = request.json()
    return Answer(200 if len(hub.large[asked["oid"]]) == asked["size"] else 400, {})


def commit(hub: State, parts: dict[str, str], request: Request) -> Answer:
    repo, header, files = hub.repos[parts["repo"]], {}, dict(hub.repos[parts["repo"]].head.files)
    for line in request.body.splitlines():
        row = json.loads(line)
        key, value = row["key"], row["value"]
        if key == "header":
            header = value
        elif key == "file":
            files[value["path"]] = File(base64.b64decode(value["content"]))
        elif key == "lfsFile":
            if value["oid"] not in hub.large:
                raise refused(400, f"{value['path']} was not uploaded")
            files[value["path"]] = File(hub.large[value["oid"]], lfs=True)
        elif key == "deletedFile":
            if files.pop(value["path"], None) is None:
                raise refused(404, "A file with this name doesn't exist", "EntryNotFound")
        else:
            raise refused(400, f"unknown operation {key}")
    if header.get("parentCommit") not in (None, repo.head.id):
        raise refused(412, "A commit has happened since. Please refresh and try again.")
    oid = repo.commit(header["summary"], files)
    return Answer(
        200, {"success": True, "commitOid": oid, "commitUrl": f"{hub.url}/datasets/{parts['repo']}/commit/{oid}"}
    )


def tag(hub: State, parts: dict[str, str], request: Request) -> Answer:
    name, found = request.json()["tag"], revision(hub, parts)
    tags = hub.repos[parts["repo"]].tags
    if name in tags:
        raise refused(409, f"Tag reference exists already: refs/tags/{name}")
    tags[name] = found.id
    return Answer(200, {})


def resolve(hub: State, parts: dict[str, str], request: Request) -> Answer:
    found = revision(hub, parts)
    file = found.files.get(parts["path"])
    if file is None:
        answer = refused(404, "Entry not found", "EntryNotFound")
        answer.headers["X-Repo-Commit"] = found.id
        raise answer
    headers = {"X-Repo-Commit": found.id, "ETag": f'"{file.oid}"'}
    if not file.lfs:
        return content(file.content, headers, request)
    # Large files lie on another host, as they do on the real hub; the token must not go there.
    place = f"{hub.url.replace('127.0.0.1', 'localhost')}/lfs/{file.sha256}"
    linked = {"X-Linked-Etag": f'"{file.sha256}"', "X-Linked-Size": str(len(file.content)), "Location": place}
    return Answer(302, b"", {**headers, **linked})


def content(whole: bytes, headers: dict[str, str], request: Request) -> Answer:
    kind = {"Content-Type": "application/octet-stream", "Accept-Ranges": "bytes", **headers}
    span = re.fullmatch(r"bytes=(\d+)-(\d*)", request.headers.get("range") or "")
    if not span:
        return Answer(200, whole, kind)
    start, end = int(span[1]), min(int(span[2] or len(whole)), len(whole) - 1)
    return Answer(206, whole[start : end + 1], {**kind, "Content-Range": f"bytes {start}-{end}/{len(whole)}"})


def whoami(hub: State, parts: dict[str, str], request: Request) -> Answer:
    if not request.who:
        raise refused(401, "Invalid credentials in Authorization header")
    return Answer(200, {"type": "user", "name": request.who.removeprefix("hf_"), "orgs": [{"name": "org"}]})


REPO = r"(?P<repo>[\w.-]+/[\w.-]+)"
API = rf"/api/datasets/{REPO}"
REVISION = r"(?P<revision>[^/]+)"
ROUTES: list[tuple[tuple[str, ...], str, Callable[[State, dict[str, str], Request], Answer]]] = [
    (("GET",), "/api/whoami-v2", whoami),
    (("POST",), "/api/repos/create", create),
    (("POST",), "/api/validate-yaml", lambda hub, parts, request: Answer(200, {"errors": [], "warnings": []})),
    (("GET",), rf"{API}/refs", refs),
    (("GET",), rf"{API}(/revision/{REVISION})?", lambda h, p, r: info(h, {k: v for k, v in p.items() if v}, r)),
    (("GET",), rf"{API}/commits/{REVISION}", commits),
    (("GET",), rf"{API}/tree/{REVISION}(/(?P<path>.*))?", tree),
    (("POST",), rf"{API}/paths-info/{REVISION}", paths_info),
    (("POST",), rf"{API}/preupload/{REVISION}", preupload),
    (("POST",), rf"{API}/commit/{REVISION}", commit),
    (("POST",), rf"{API}/tag/{REVISION}", tag),
    (("POST",), rf"/datasets/{REPO}\.git/info/lfs/objects/batch", lfs_batch),
    (("GET", "HEAD", "PUT"), r"/lfs/(?P<oid>\w+)", lfs),
    (("POST",), "/lfs-verify", lfs_verify),
    (("GET", "HEAD"), rf"/datasets/{REPO}/resolve/{REVISION}/(?P<path>.+)", resolve),
]
WRITES = {preupload, commit, tag, lfs_batch}
