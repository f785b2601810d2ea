"""How a reply ended."""

from inspect_ai.model import ContentText, ModelOutput

__all__ = ["stop_reason"]


def stop_reason(output: ModelOutput) -> str | None:
    """Why a reply ended, in Inspect's words; None where there was no reply.

    A refusal is ``content_filter`` whatever the API: OpenAI marks the text as a refusal and lets
    the reply end as any other, with ``stop``.
    """
    if output.empty:
        return None
    content = output.message.content
    refused = not isinstance(content, str) and any(
        isinstance(part, ContentText) and part.refusal for part in content
    )
    return "content_filter" if refused else output.stop_reason
