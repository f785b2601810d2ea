import socket
from pathlib import Path

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from vr_evals.benchmarks.files import file_stem, read_rows
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
        ("x.txt", "a", "wanted hub, sample or a .csv, .json, .jsonl, .parquet file"),
        ("x.csv", "", "no rows found"),
        ("x.csv", "a,b\n", "no rows found"),
        ("x.csv", "a,b\n1,2,3\n4,5,6,7\n", "not a readable csv file"),
        ("x.csv", b"a,b\n1,\xff\n", "not UTF-8 at byte 6"),
        ("x.jsonl", '{"a": 1}\n{broken\n', "line 2 is not JSON"),
        ("x.jsonl", "[1]\n", "line 1 is not a JSON object"),
        ("x.json", '{"a": 1}', "wanted a JSON list of objects"),
        ("x.json", "[1", "not a readable json file"),
        ("x.parquet", "no parquet", "not a readable parquet file"),
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
    with pytest.raises(InputError, match="no such file"):
        read_rows(str(tmp_path / "none.csv"))
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(InputError, match="cannot be read"):
        read_rows(str(tmp_path / "folder.csv"))


def test_first_row_longer_than_the_header_is_an_error(tmp_path: Path) -> None:
    """Pandas alone would cut the row off and go on."""
    location = write(tmp_path / "x.csv", "context,action1,action2\nAt home, late,I knock,I ring\n")
    with pytest.raises(InputError, match="Expected 3 fields in line 2, saw 4"):
        read_rows(location)


def test_parquet_bytes_are_text_or_an_error(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": pa.array([b"gr\xc3\xbcn"])}), tmp_path / "x.parquet")
    assert read_rows(str(tmp_path / "x.parquet")) == [{"a": "grün"}]
    pq.write_table(pa.table({"a": pa.array([b"\xff"])}), tmp_path / "y.parquet")
    with pytest.raises(InputError, match="column a has bytes"):
        read_rows(str(tmp_path / "y.parquet"))


def test_deeply_nested_json_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a readable json file"):
        read_rows(write(tmp_path / "x.json", "[" * 100_000))


def test_silent_server_is_not_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vr_evals.benchmarks.files._TIMEOUT", 0.5)
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        with pytest.raises(InputError, match="cannot be"):
            read_rows(f"http://127.0.0.1:{server.getsockname()[1]}/x.csv")
