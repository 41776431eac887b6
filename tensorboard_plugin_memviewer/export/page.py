"""The one-file report: the built page with the answers about one module in it.

It opens from disk without a server or a network, and its policy lets it ask for nothing.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from typing import Any, Final
from urllib.parse import quote

from tensorboard_plugin_memviewer.errors import Unsupported
from tensorboard_plugin_memviewer.service import LoadedModule, Program, Service
from tensorboard_plugin_memviewer.visible import visible
from tensorboard_plugin_memviewer.web.bundle import page_answers
from tensorboard_plugin_memviewer.web.static_files import STATIC_FOLDER

_STYLE_LINK: Final = re.compile(r'<link\b[^>]*\brel="stylesheet"[^>]*\bhref="([^"/]+)"[^>]*>')
_SCRIPT_LINK: Final = re.compile(r'<script\b[^>]*\bsrc="([^"/]+)"[^>]*>\s*</script>')
_UNPACK: Final = (
    "const held=JSON.parse(document.getElementById('memviewer-data').textContent);"
    "window.memviewerAnswers=Object.fromEntries("
    "Object.entries(held.addresses).map(([at,row])=>[at,held.answers[row]]));"
)


def as_html(service: Service, run: str, program: Program, loaded: LoadedModule, space: str) -> str:
    """The page with every answer about one module in it; it opens on a memory space of the module.

    Raises Unsupported where the page is not built.
    """
    page = STATIC_FOLDER / "page.html"
    if not page.is_file():
        raise Unsupported(
            "this installation has no page", "Install a released wheel, or build it with: make page"
        )
    data = _data(page_answers(service, run, program, loaded))
    begin = f"{_UNPACK}if(document.location.hash.length<2)document.location.hash='space={quote(space)}';"
    scripts = [begin]

    def script(match: re.Match[str]) -> str:
        # Inside a script element nothing but its end tag ends it; the page's code holds none but in strings.
        code = (STATIC_FOLDER / match[1]).read_text(encoding="utf-8").replace("</script", "<\\/script")
        scripts.append(code)
        kind = ' type="module"' if 'type="module"' in match[0] else ""
        return f"<script{kind}>{code}</script>"

    text = page.read_text(encoding="utf-8")
    text = _STYLE_LINK.sub(
        lambda match: f"<style>{(STATIC_FOLDER / match[1]).read_text(encoding='utf-8')}</style>", text
    )
    text = _SCRIPT_LINK.sub(script, text)
    first = f'<script type="application/json" id="memviewer-data">{data}</script><script>{begin}</script>'
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_policy(scripts)}">'
    title = f"<title>{html.escape(visible(program.name))} — Memory Viewer</title>"
    text = re.sub(r"<title>.*?</title>", lambda _: title, text, count=1, flags=re.DOTALL)
    return text.replace("<head>", f"<head>{policy}", 1).replace("</head>", f"{first}</head>", 1)


def _data(answers: dict[str, Any]) -> str:
    """The answers as JSON that may stand in a script element; equal ones once."""
    texts: dict[str, int] = {}
    addresses = {
        at: texts.setdefault(json.dumps(answer, separators=(",", ":")), len(texts))
        for at, answer in answers.items()
    }
    return f'{{"addresses":{_inert(json.dumps(addresses))},"answers":[{_inert(",".join(texts))}]}}'


def _inert(text: str) -> str:
    """JSON without a character that HTML could take for markup."""
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _policy(scripts: list[str]) -> str:
    """Nothing may be fetched, and only the scripts that are there may run."""
    digests = (base64.b64encode(hashlib.sha256(code.encode()).digest()).decode() for code in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    rest = "style-src 'unsafe-inline'; img-src data: blob:; worker-src blob:; base-uri 'none'"
    return f"default-src 'none'; script-src {allowed}; {rest}"
