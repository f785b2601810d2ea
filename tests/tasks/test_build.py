"""What a benchmark has no prompt for is refused."""

from dataclasses import replace

import pytest

from vr_evals.benchmarks.ethics import ETHICS
from vr_evals.errors import InputError
from vr_evals.tasks.build import check_second_pass


def test_a_benchmark_without_a_prompt_that_asks_again_cannot_reask() -> None:
    prompts = replace(ETHICS.level_prompts(), again=None)
    without = replace(ETHICS, prompts=prompts)
    check_second_pass(ETHICS, "reask")
    check_second_pass(without, "standalone")
    with pytest.raises(InputError, match="second_pass=reask: not supported by ethics, which has"):
        check_second_pass(without, "reask")
