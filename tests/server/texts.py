"""Every text that the translators get to see, found as ``pybabel extract`` finds it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.frontend import parse_mapping_cfg

from companion.paths import resource_dir

WEB = resource_dir("web")
_OURS = {"companion", "web"}

Text = str | tuple[str, ...]


@cache
def extracted() -> frozenset[Text]:
    """The texts as ``babel.cfg`` says; those with a plural as a pair."""
    with (WEB / "babel.cfg").open(encoding="utf-8") as config:
        methods, options = parse_mapping_cfg(config)  # type: ignore[no-untyped-call]
    root = WEB.parent
    found = extract_from_dir(
        root,
        methods,
        options,
        {**DEFAULT_KEYWORDS, "_l": None},
        directory_filter=lambda folder: Path(folder).relative_to(root).parts[0] in _OURS,
    )
    return frozenset(text for _, _, text, _, _ in found)
