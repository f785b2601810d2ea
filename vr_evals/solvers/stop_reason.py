"""Why a reply ended."""

from inspect_ai.model import ContentText, ModelOutput

__all__ = ["stop_reason"]


def stop_reason(output: ModelOutput) -> str | None:
    """Return Inspect's stop reason of a reply, or None if there is no reply.

    A refusal is ``content_filter`` with every API: OpenAI's marks the text as a refusal and gives
    ``stop`` as the reason.
    """
    if output.empty:
        return None
    content = output.message.content
    refused = not isinstance(content, str) and any(
        isinstance(part, ContentText) and part.refusal for part in content
    )
    return "content_filter" if refused else output.stop_reason
