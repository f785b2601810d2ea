import contextlib
import gzip
import os
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from vr_evals.benchmarks.files import file_stem, parse_rows, read_rows
from vr_evals.errors import InputError


def write(path: Path, content: str | bytes) -> str:
    data = content.encode() if isinstance(content, str) else content
    path.write_bytes(data)
    return str(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_csv_of_common_encodings_and_delimiters(
    tmp_path: Path, encoding: str, delimiter: str
) -> None:
    lines = ["id,text", "1,grün", "2,Ω"]
    content = "\n".join(lines).replace(",", delimiter).encode(encoding)
    rows = read_rows(write(tmp_path / "x.csv", content))
    assert rows == [{"id": "1", "text": "grün"}, {"id": "2", "text": "Ω"}]


@pytest.mark.parametrize("cell", ["NA", "None", "null", "nan", "", "007", "1e5", "True"])
def test_csv_cells_are_text(tmp_path: Path, cell: str) -> None:
    rows = read_rows(write(tmp_path / "x.csv", f"a,b\nx,{cell}\n"))
    assert rows == [{"a": "x", "b": cell}]


def test_csv_cell_with_line_ends_and_quotes(tmp_path: Path) -> None:
    rows = read_rows(write(tmp_path / "x.csv", 'a,b\n"one\r\ntwo, ""three""",y\n'))
    assert rows == [{"a": 'one\r\ntwo, "three"', "b": "y"}]


def test_csv_row_that_ends_early_has_empty_cells(tmp_path: Path) -> None:
    rows = read_rows(write(tmp_path / "x.csv", "a,b\nx\n"))
    assert rows == [{"a": "x", "b": ""}]


def test_jsonl_keeps_types_and_skips_blank_lines(tmp_path: Path) -> None:
    rows = read_rows(write(tmp_path / "x.jsonl", '{"a": 1, "b": ["x"]}\n\n{"a": NaN}\n'))
    assert rows == [{"a": 1, "b": ["x"]}, {"a": None}]


def test_jsonl_keeps_line_separators_inside_a_text(tmp_path: Path) -> None:
    assert read_rows(write(tmp_path / "x.jsonl", '{"a": "x\u2028y"}')) == [{"a": "x\u2028y"}]


def test_parquet_with_nulls_and_categories(tmp_path: Path) -> None:
    table = pa.table({"a": pa.array(["x", None]), "b": pa.array(["u", "v"]).dictionary_encode()})
    pq.write_table(table, tmp_path / "x.parquet")
    rows = read_rows(str(tmp_path / "x.parquet"))
    assert rows == [{"a": "x", "b": "u"}, {"a": None, "b": "v"}]


def test_any_fsspec_url() -> None:
    with fsspec.open("memory://folder/items.json", "w") as file:
        file.write('[{"a": "x"}]')
    assert read_rows("memory://folder/items.json") == [{"a": "x"}]
    assert file_stem("memory://folder/items.json") == "items"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "x.txt",
            "a",
            "expected hub, sample, or a path or URL of a .csv, .json, .jsonl or .parquet",
        ),
        ("x.csv", "", "no rows"),
        ("x.csv", "a,b\n", "no rows"),
        ("x.csv", "a,b\n1,2,3\n4,5,6,7\n", "invalid line 2: expected 2 cells"),
        ("x.csv", 'a,b\n1,"2\n', "invalid csv file"),
        ("x.csv", b"a,b\n1,\xff\n", "expected UTF-8, failed at byte 6"),
        ("x.jsonl", '{"a": 1}\n{broken\n', "invalid JSON in line 2"),
        ("x.jsonl", "[1]\n", "line 1: expected an object"),
        ("x.json", '{"a": 1}', "expected a list of objects"),
        ("x.json", "[1", "invalid json file"),
        ("x.parquet", "no parquet", "invalid parquet file"),
    ],
)
def test_bad_file_is_one_clear_line(
    tmp_path: Path, name: str, content: str | bytes, message: str
) -> None:
    location = write(tmp_path / name, content)
    with pytest.raises(InputError, match=r"x\.") as caught:
        read_rows(location)
    assert message in caught.value.message
    assert "\n" not in caught.value.message


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="file not found"):
        read_rows(str(tmp_path / "none.csv"))
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(InputError, match="failed to read"):
        read_rows(str(tmp_path / "folder.csv"))


def test_first_row_longer_than_the_header_is_an_error(tmp_path: Path) -> None:
    """Pandas alone would cut the row off and go on."""
    location = write(tmp_path / "x.csv", "context,action1,action2\nAt home, late,I knock,I ring\n")
    with pytest.raises(
        InputError, match="invalid line 2: expected 3 cells as in the header, found 4"
    ):
        read_rows(location)


def test_parquet_bytes_are_text_or_an_error(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": pa.array([b"gr\xc3\xbcn"])}), tmp_path / "x.parquet")
    assert read_rows(str(tmp_path / "x.parquet")) == [{"a": "grün"}]
    pq.write_table(pa.table({"a": pa.array([b"\xff"])}), tmp_path / "y.parquet")
    with pytest.raises(InputError, match="invalid text in column a"):
        read_rows(str(tmp_path / "y.parquet"))


def test_parquet_bytes_within_a_map_are_text_or_an_error(tmp_path: Path) -> None:
    kind = pa.map_(pa.string(), pa.binary())
    pq.write_table(
        pa.table({"a": pa.array([[("k", b"gr\xc3\xbcn")]], kind)}), tmp_path / "x.parquet"
    )
    assert read_rows(str(tmp_path / "x.parquet")) == [{"a": [["k", "grün"]]}]
    pq.write_table(pa.table({"a": pa.array([[("k", b"\xff")]], kind)}), tmp_path / "y.parquet")
    with pytest.raises(InputError, match="invalid text in column a"):
        read_rows(str(tmp_path / "y.parquet"))


@pytest.mark.parametrize("compression", ["snappy", "zstd", "gzip", "none"])
def test_a_damaged_parquet_file_is_one_line(tmp_path: Path, compression: str) -> None:
    path = tmp_path / "x.parquet"
    texts = [f"I did thing {i} and {i * 7919}." for i in range(200)]
    pq.write_table(pa.table({"scenario": texts}), path, compression=compression)
    whole, random = path.read_bytes(), Random(1)
    refused = []
    for _ in range(40):
        start = random.randrange(len(whole))
        path.write_bytes(whole[:start] + random.randbytes(9) + whole[start + 9 :])
        try:
            assert len(read_rows(str(path))) == 200
        except InputError as error:
            refused.append(error.message)
    assert len(refused) > 5
    assert all("\n" not in message for message in refused)


def test_deeply_nested_json_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="invalid json file"):
        read_rows(write(tmp_path / "x.json", "[" * 100_000))


@pytest.mark.parametrize("brackets", ["[]", "{}"])
def test_a_column_that_no_log_could_hold_is_an_error(tmp_path: Path, brackets: str) -> None:
    opened, closed = ("[", "]") if brackets == "[]" else ('{"x":', "}")

    def nested(depth: int) -> str:
        row = f'{{"a": {opened * depth}1{closed * depth}}}'
        return write(tmp_path / "x.jsonl", '{"a": 1}\n' + row)

    assert len(read_rows(nested(100))) == 2
    with pytest.raises(InputError, match="invalid column a: nested more than 100 deep"):
        read_rows(nested(101))


def test_silent_server_is_not_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vr_evals.benchmarks.files._TIMEOUT", 0.5)
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        with pytest.raises(InputError, match="failed to read|not reachable"):
            read_rows(f"http://127.0.0.1:{server.getsockname()[1]}/x.csv")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.csv", "id,a,id\n1,2,3\n"),
        ("x.csv", "id, a ,a\n1,2,3\n"),
        ("x.json", '[{"a": 1}, {"a": 1, "a": 2}]'),
        ("x.jsonl", '{"a": 1}\n{"a": 1, "a": 2}\n'),
    ],
)
def test_a_column_that_is_there_twice_is_an_error(tmp_path: Path, name: str, content: str) -> None:
    with pytest.raises(InputError, match="duplicate column '(a|id)'"):
        read_rows(write(tmp_path / name, content))


def test_a_parquet_column_that_is_there_twice_is_an_error(tmp_path: Path) -> None:
    columns = [pa.array(["x"]), pa.array(["y"])]
    pq.write_table(pa.Table.from_arrays(columns, names=["a", "a"]), tmp_path / "x.parquet")
    with pytest.raises(InputError, match="duplicate column 'a'"):
        read_rows(str(tmp_path / "x.parquet"))


def test_csv_header_of_a_spreadsheet(tmp_path: Path) -> None:
    """Spaces around names, and an index without one."""
    rows = read_rows(write(tmp_path / "x.csv", ', a ,"b\nc",\r\n0, x ,y,\r\n'))
    assert rows == [{"column 1": "0", "a": " x ", "b\nc": "y", "column 4": ""}]


def test_csv_in_utf32_is_not_taken_for_utf16(tmp_path: Path) -> None:
    assert read_rows(write(tmp_path / "x.csv", "a\ngrün\n".encode("utf-32"))) == [{"a": "grün"}]


def test_csv_with_thousands_of_columns_takes_linear_time(tmp_path: Path) -> None:
    """Pandas renames columns of one name in quadratic time: 40,000 took minutes."""
    location = write(tmp_path / "x.csv", ",".join("ab" * 20_000) + "\n1\n")
    start = time.process_time()
    with pytest.raises(InputError, match="duplicate column"):
        read_rows(location)
    assert time.process_time() - start < 20


@pytest.mark.parametrize(
    ("name", "mark"), [("x.jsonl", b"\xef\xbb\xbf"), ("x.jsonl", b""), ("x.jsonl", b"\r\n \r\n")]
)
def test_jsonl_of_windows(tmp_path: Path, name: str, mark: bytes) -> None:
    location = write(tmp_path / name, mark + b'{"a": 1}\r\n\r\n{"a": 2}\r\n')
    assert read_rows(location) == [{"a": 1}, {"a": 2}]


def test_halves_of_surrogate_pairs_in_json(tmp_path: Path) -> None:
    content = '[{"a": "\\ud800x", "\\udfff": ["\\ud83d\\ude80", {"b": "\\ud800"}]}]'
    rows = read_rows(write(tmp_path / "x.json", content))
    assert rows == [{"a": "\ufffdx", "\ufffd": ["🚀", {"b": "\ufffd"}]}]


def test_parquet_of_any_kind_of_text(tmp_path: Path) -> None:
    table = pa.table(
        {
            "large": pa.array(["x", None], pa.large_string()),
            "view": pa.array(["x", None], pa.string_view()),
            "category": pa.array(["x", None]).dictionary_encode(),
            "bytes": pa.array([[b"x"], None]),
            "struct": pa.array([{"a": [b"x"]}, None]),
        }
    )
    pq.write_table(table, tmp_path / "x.parquet")
    first, second = read_rows(str(tmp_path / "x.parquet"))
    assert first == {
        "large": "x", "view": "x", "category": "x", "bytes": ["x"], "struct": {"a": ["x"]},
    }  # fmt: skip
    assert set(second.values()) == {None}


def test_parquet_bytes_within_a_list_are_text_or_an_error(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": pa.array([[b"\xff"]])}), tmp_path / "x.parquet")
    with pytest.raises(InputError, match="invalid text in column a"):
        read_rows(str(tmp_path / "x.parquet"))


@pytest.mark.parametrize("pattern", ["*.csv", "?.csv", "[x].csv", "{x,y}.csv", "../*/x.csv"])
@pytest.mark.parametrize("prefix", ["", "file://"])
def test_a_path_reaches_only_what_it_names(tmp_path: Path, prefix: str, pattern: str) -> None:
    write(tmp_path / "x.csv", "a\nsecret\n")
    # in a URL, a question mark begins the query
    with pytest.raises(InputError, match=r"file not found|expected hub"):
        read_rows(f"{prefix}{tmp_path}/{pattern}")
    write(tmp_path / "[x].csv", "a\nnamed\n")
    assert read_rows(f"{prefix}{tmp_path}/[x].csv") == [{"a": "named"}]


@pytest.mark.parametrize(
    "location",
    [
        "",
        "x.csv\0",
        "a\0b.csv",
        "x" * 5000 + ".csv",
        "https://[::1/x.csv",
        "http:///x.csv",
        "http://127.0.0.1:1/x.csv",
        "ftp://127.0.0.1:1/x.csv",
        "nosuch://x/y.csv",
        "python://x/y.csv",
        "zip://in.csv::/none/x.zip",
        "\x1b[2J.csv",
    ],
)
def test_a_location_that_cannot_be_read_is_one_line(location: str) -> None:
    with pytest.raises(InputError) as caught:
        read_rows(location)
    assert caught.value.message.isprintable()
    assert len(caught.value.message) <= 2000


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_file_that_may_not_be_read_is_one_line(tmp_path: Path) -> None:
    location = write(tmp_path / "x.csv", "a\n1\n")
    Path(location).chmod(0)
    with pytest.raises(InputError, match="Permission denied"):
        read_rows(location)


class _Server(BaseHTTPRequestHandler):
    """Answers ``/404.csv`` with 404 and so on; ``/302.csv`` leads to ``/200.csv``."""

    def do_GET(self) -> None:
        status = int(self.path[1:4])
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/200.csv" if "loop" not in self.path else self.path)
        body = b"a\nx\n"
        if "cutoff" in self.path:
            # as servers do that are asked for it, else the whole of it
            body = b"a\n" + b"".join(b"row %d\n" % i for i in range(5000))
            if "gzip" in self.headers["Accept-Encoding"]:
                self.send_header("Content-Encoding", "gzip")
                body = gzip.compress(body)
                body = body[: len(body) // 2]
        if "endless" in self.path:
            self.end_headers()
            with contextlib.suppress(OSError):
                while self.command == "GET":
                    self.wfile.write(body * 10_000)
            return
        self.send_header("Content-Length", str(len(body) + 100 * ("short" in self.path)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    do_HEAD = do_GET  # noqa: N815  # the names are the base class's

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Server) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_port}"
        serving.shutdown()


@pytest.mark.parametrize("path", ["200.csv", "302.csv", "200.csv?a=*&b=[1]"])
def test_a_url_that_answers(server: str, path: str) -> None:
    assert read_rows(f"{server}/{path}") == [{"a": "x"}]


def test_a_body_is_not_asked_for_compressed(server: str) -> None:
    """Nobody notices where a compressed one is cut off."""
    assert len(read_rows(f"{server}/200cutoff.csv")) == 5000


def test_a_body_without_end_is_not_read_without_end(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vr_evals.benchmarks.files._MAX_BYTES", 1_000_000)
    with pytest.raises(InputError, match="larger than the limit of 1,000,000 bytes"):
        read_rows(f"{server}/200endless.csv")


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("404.csv", "HTTP 404"),
        ("403.csv", "HTTP 403"),
        ("500.csv", "HTTP 500"),
        ("302loop.csv", "not reachable"),
        ("200short.csv", "not completed"),
    ],
)
def test_a_url_that_fails_says_how(server: str, path: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as caught:
        read_rows(f"{server}/{path}")
    assert caught.value.message.isprintable()


def test_blank_lines_of_csv_are_no_rows() -> None:
    rows = parse_rows("a.csv", b"a,b\n\n1,2\n  \n3,4\n")
    assert [dict(row) for row in rows] == [{"a": "1", "b": "2"}, {"a": "3", "b": "4"}]
