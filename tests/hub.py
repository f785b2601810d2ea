"""A loopback stand-in for the Hugging Face hub: data sets only, read only, standard library only.

Files lie at ROOT/<owner>/<name>/<revision>/<path>, and ``refs.json`` beside the revisions names
their branches. ``faults`` maps a pattern of request paths to the status that answers them.
"""

import hashlib
import json
import re
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

__all__ = ["Hub"]

_API = re.compile(r"/api/datasets/([^/]+/[^/]+)(?:/(revision|tree|paths-info)/([^/]+)(?:/(.*))?)?")
_FILE = re.compile(r"/datasets/([^/]+/[^/]+)/resolve/([^/]+)/(.+)")


def _entry(root: Path, path: Path) -> dict[str, object]:
    data = path.read_bytes()
    oid = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
    name = path.relative_to(root).as_posix()
    return {"type": "file", "oid": oid, "size": len(data), "path": name}


class Hub:
    """The server, in a thread.

    Attributes:
        root: Where the files lie.
        url: Its address.
        faults: Status codes by pattern of request path.
        fault_code: The hub's own name of such an error.
        requests: Every request, as "METHOD path".
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.faults: dict[str, int] = {}
        self.fault_code = "Fault"
        self.requests: list[str] = []
        hub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: object) -> None:
                pass

            def do_GET(self) -> None:
                hub.answer(self)

            do_HEAD = do_POST = do_GET  # noqa: N815  # the names are the base class's

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        """Answer one request."""
        path = unquote(urlsplit(request.path).path)
        payload = request.rfile.read(int(request.headers.get("Content-Length") or 0))
        self.requests.append(f"{request.command} {path}")
        for pattern, status in self.faults.items():
            if re.search(pattern, path):
                return self._send(request, status, error=self.fault_code)
        if match := _FILE.fullmatch(path):
            return self._file(request, *match.groups())
        if match := _API.fullmatch(path):
            repo, what, revision, rest = match.groups()
            return self._api(request, repo, what, revision or "main", rest or "", payload)
        self._send(request, 404, error="EntryNotFound")

    def _commit(self, repo: str, revision: str) -> str | None:
        refs = self.root / repo / "refs.json"
        if not refs.is_file():
            return None
        commit = json.loads(refs.read_text(encoding="utf-8")).get(revision, revision)
        return commit if (self.root / repo / commit).is_dir() else ""

    def _file(self, request: BaseHTTPRequestHandler, repo: str, revision: str, name: str) -> None:
        commit = self._commit(repo, revision)
        if not commit:
            return self._missing(request, commit)
        path = self.root / repo / commit / name
        if not path.is_file():
            return self._send(request, 404, {"X-Repo-Commit": commit}, error="EntryNotFound")
        data = path.read_bytes()
        headers = {"X-Repo-Commit": commit, "ETag": f'"{hashlib.sha1(data).hexdigest()}"'}
        self._send(request, 200, headers, data)

    def _api(
        self,
        request: BaseHTTPRequestHandler,
        repo: str,
        what: str | None,
        revision: str,
        rest: str,
        payload: bytes,
    ) -> None:
        commit = self._commit(repo, revision)
        if not commit:
            return self._missing(request, commit)
        root = self.root / repo / commit
        entries = [_entry(root, p) for p in sorted(root.rglob("*")) if p.is_file()]
        if what == "tree":
            prefix = f"{rest}/" if rest else ""
            return self._json(request, [e for e in entries if str(e["path"]).startswith(prefix)])
        if what == "paths-info":
            wanted = json.loads(payload)["paths"]
            return self._json(request, [e for e in entries if e["path"] in wanted])
        siblings = [{"rfilename": entry["path"]} for entry in entries]
        self._json(request, {"id": repo, "sha": commit, "siblings": siblings, "private": False})

    def _missing(self, request: BaseHTTPRequestHandler, commit: str | None) -> None:
        self._send(request, 404, error="RepoNotFound" if commit is None else "RevisionNotFound")

    def _json(self, request: BaseHTTPRequestHandler, value: object) -> None:
        self._send(request, 200, {"Content-Type": "application/json"}, json.dumps(value).encode())

    def _send(
        self,
        request: BaseHTTPRequestHandler,
        status: int,
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
        error: str | None = None,
    ) -> None:
        request.send_response(status)
        if error:
            request.send_header("X-Error-Code", error)
            request.send_header("X-Error-Message", error)
        for name, value in (headers or {}).items():
            request.send_header(name, value)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        if request.command != "HEAD":
            request.wfile.write(body)
