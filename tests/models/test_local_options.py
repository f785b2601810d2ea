from pathlib import Path
from typing import Any

import pytest

from vr_evals.errors import InputError
from vr_evals.models.local_options import LocalOptions, local_options


def test_left_alone_a_run_is_repeatable_and_unconstrained() -> None:
    assert local_options({}) == LocalOptions(
        gguf=None, force_format=False, system_prompt=True, parallel=1, context=8192, threads=None
    )


def test_every_argument_arrives(tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(b"GGUF and more")
    given: dict[str, Any] = {"force_format": True, "parallel": 4, "context": 4096, "threads": 2}
    assert local_options({"gguf": str(file), **given}) == LocalOptions(gguf=file, **given)


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("force_format", "maybe", "true or false"),
        ("force_format", 1, "true or false"),
        ("system_prompt", None, "true or false"),
        ("parallel", 0, "an integer from 1 to 32"),
        ("parallel", "two", "an integer from 1 to 32"),
        ("parallel", True, "an integer from 1 to 32"),
        ("context", 1.5, "an integer from 256"),
        ("threads", -1, "an integer from 1"),
        ("gguf", ["a", "b"], "the path of a GGUF file"),
    ],
)
def test_a_wrong_value_is_named_with_what_is_allowed(name: str, value: object, wanted: str) -> None:
    with pytest.raises(InputError) as error:
        local_options({name: value})
    assert f"-M {name}={value!r}" in error.value.message
    assert wanted in error.value.message
    assert "\n" not in error.value.message


def test_an_unknown_name_is_named_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"unknown -M paralel \(valid: .*parallel"):
        local_options({"paralel": 2})


def test_a_file_that_is_missing_or_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere.gguf': No such file"):
        local_options({"gguf": tmp_path / "nowhere.gguf"})
    other = tmp_path / "page.gguf"
    other.write_text("<html>")
    with pytest.raises(InputError, match="expected a GGUF file"):
        local_options({"gguf": other})


def test_the_system_message_of_another_model_cannot_be_dropped(tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(b"GGUF")
    with pytest.raises(InputError, match="system_prompt=false is not supported with -M gguf"):
        local_options({"gguf": file, "system_prompt": False})
