"""A reply in the format of each API."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.wire.script import THOUGHT, Expired, Failure, Reply, Request

__all__ = [
    "anthropic_batch",
    "anthropic_batch_result",
    "anthropic_events",
    "anthropic_message",
    "bedrock_converse",
    "openai_completion",
    "openai_response",
]


def anthropic_message(request: Request, reply: Reply) -> dict[str, Any]:
    content: list[dict[str, Any]] = []
    if reply.thinks(request):
        content.append({"type": "thinking", "thinking": THOUGHT, "signature": "signed"})
    if reply.text:
        content.append({"type": "text", "text": reply.text})
    stop = "end_turn" if reply.stop == "end" else reply.stop
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": request.body["model"],
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 11, "output_tokens": 100},
    }


def anthropic_events(message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    usage = {**message["usage"], "output_tokens": 1}
    start = {**message, "content": [], "stop_reason": None, "usage": usage}
    yield {"type": "message_start", "message": start}
    for index, block in enumerate(message["content"]):
        field = block["type"]
        empty = {**block, field: ""} | ({"signature": ""} if field == "thinking" else {})
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        deltas = [{"type": f"{field}_delta", field: block[field]}]
        if field == "thinking":
            deltas.append({"type": "signature_delta", "signature": block["signature"]})
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": end, "usage": {"output_tokens": 100}}
    yield {"type": "message_stop"}


def anthropic_batch(url: str, batch_id: str, results: Sequence[str]) -> dict[str, Any]:
    """A batch that has ended, with the types of its results."""
    kinds = ("succeeded", "errored", "expired", "canceled", "processing")
    return {
        "id": batch_id,
        "type": "message_batch",
        "processing_status": "ended",
        "request_counts": {kind: results.count(kind) for kind in kinds},
        "created_at": "2026-01-01T00:00:00Z",
        "expires_at": "2026-01-02T00:00:00Z",
        "ended_at": "2026-01-01T01:00:00Z",
        "cancel_initiated_at": None,
        "archived_at": None,
        "results_url": f"{url}/v1/messages/batches/{batch_id}/results",
    }


def anthropic_batch_result(
    custom_id: str, request: Request, answer: Reply | Failure | Expired
) -> dict[str, Any]:
    """A line of a batch's results."""
    result: dict[str, Any]
    if isinstance(answer, Reply):
        result = {"type": "succeeded", "message": anthropic_message(request, answer)}
    elif isinstance(answer, Failure):
        kind = "invalid_request_error" if answer.status == 400 else "overloaded_error"
        error = {"type": kind, "message": answer.message}
        result = {"type": "errored", "error": {"type": "error", "error": error}}
    else:
        result = {"type": "expired"}
    return {"custom_id": custom_id, "result": result}


def bedrock_converse(reply: Reply) -> dict[str, Any]:
    stop = {"end": "end_turn", "max_tokens": "max_tokens", "refusal": "content_filtered"}
    return {
        "output": {"message": {"role": "assistant", "content": [{"text": reply.text}]}},
        "stopReason": stop[reply.stop],
        "usage": {"inputTokens": 11, "outputTokens": 100, "totalTokens": 111},
        "metrics": {"latencyMs": 1},
    }


def openai_completion(request: Request, reply: Reply) -> dict[str, Any]:
    thinks = reply.thinks(request)
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if thinks:
        message["reasoning_content"] = THOUGHT
    finish = {"end": "stop", "max_tokens": "length", "refusal": "content_filter"}[reply.stop]
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": request.body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
        "usage": {
            "prompt_tokens": 11,
            "completion_tokens": 100,
            "total_tokens": 111,
            "completion_tokens_details": {"reasoning_tokens": 70 if thinks else 0},
        },
    }


def openai_response(request: Request, reply: Reply) -> dict[str, Any]:
    thinks = reply.thinks(request)
    output: list[dict[str, Any]] = []
    if thinks:
        summary = [{"type": "summary_text", "text": THOUGHT}]
        item = {"type": "reasoning", "id": "rs_1", "summary": summary}
        output.append({**item, "encrypted_content": "sealed"})
    if reply.text:
        part = (
            {"type": "refusal", "refusal": reply.text}
            if reply.stop == "refusal"
            else {"type": "output_text", "text": reply.text, "annotations": []}
        )
        message = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed"}
        output.append({**message, "content": [part]})
    cut = reply.stop == "max_tokens"
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 0,
        "model": request.body["model"],
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "error": None,
        "output": output,
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 11,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 100,
            "output_tokens_details": {"reasoning_tokens": 70 if thinks else 0},
            "total_tokens": 111,
        },
    }
