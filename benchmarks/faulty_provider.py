"""A provider on the loopback that hangs, breaks off and talks nonsense when told to.

It is the server of the tests, called by the real ``anthropic`` package. It says the same to the
same prompt, so that a disturbed run and an undisturbed one have the same numbers.
"""

import hashlib
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Literal

from tests.wire.script import DROPPED, Answer, Reply, Request
from tests.wire.server import Wire
from vr_evals.models.grammar import asked_format

__all__ = ["PATIENCE", "Pass", "Provider"]

PATIENCE = 240.0
"""Seconds after which what should have happened is given up."""

Pass = Literal["first", "second"]


class Provider:
    """A provider at whose door a run can be disturbed.

    Attributes:
        trouble: What is answered to the nth call, from 1, in place of a reply; None is the reply.
        delay: Seconds that a reply takes.
        replies: How many first and second passes were replied to.
        most_at_once: The most calls that were open at one time.
        url: Where it listens.
    """

    def __init__(self, delay: float = 0.02) -> None:
        self.trouble: Callable[[int], Answer | None] = lambda nth: None
        self.delay = delay
        self.replies: Counter[Pass] = Counter()
        self.most_at_once = 0
        self._open = 0
        self._calls: Counter[Pass] = Counter()
        self._held: tuple[Pass, int] | None = None
        self._reached, self._go_on = threading.Event(), threading.Event()
        self._lock = threading.Lock()
        self._wire = Wire(answer=self._answer)
        self.url = self._wire.url

    def hold(self, which: Pass, nth: int) -> None:
        """Hold the nth call of a pass, from 1, until `release`."""
        self._held = (which, nth)

    def wait(self) -> None:
        """Wait until the call that is to be held has come."""
        if not self._reached.wait(PATIENCE):
            raise RuntimeError("the call that was to be held has not come")

    def release(self) -> None:
        """Answer the call that is held."""
        self._go_on.set()

    def close(self) -> None:
        """Stop listening."""
        self.release()
        self._wire.close()

    def _answer(self, request: Request) -> Answer:
        messages = request.body.get("messages")
        if messages is None:  # the client died while it sent
            return DROPPED
        which: Pass = "first" if len(messages) == 1 else "second"
        with self._lock:
            self._calls[which] += 1
            nth, held = self._calls.total(), self._held == (which, self._calls[which])
            self._open += 1
            self.most_at_once = max(self.most_at_once, self._open)
        if held:
            self._reached.set()
            self._go_on.wait(PATIENCE)
        answer = self.trouble(nth)
        if answer is None:
            time.sleep(self.delay)
            answer = Reply(_said(list(map(_text, messages))))
        with self._lock:
            self._open -= 1
            self.replies[which] += isinstance(answer, Reply)
        return answer


def _said(messages: Sequence[str]) -> str:
    """What is replied to a conversation: a label and a confidence that depend on nothing else."""
    wanted = asked_format(messages[-1])
    if wanted is None:
        raise ValueError("the prompt asks for no format of vr_evals")
    drawn = int(hashlib.sha256("\n".join(messages).encode()).hexdigest(), 16)
    label = wanted.labels[drawn % len(wanted.labels)]
    return f"<answer>{label}</answer>\n<confidence>{drawn % 101}</confidence>"


def _text(message: dict[str, Any]) -> str:
    content = message["content"]
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)
