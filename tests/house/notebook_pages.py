"""Writes an executed notebook as a page of HTML that asks no other host for anything: formulas as MathML, pictures with their texts."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

FORMATTER = HtmlFormatter(cssclass="code", style="default")
STYLE = """
body { max-width: 60rem; margin: 0 auto; padding: 1rem; font: 1rem/1.55 system-ui, Helvetica, Arial, sans-serif; color: #1f2328; }
p, ul, ol { max-width: 46rem; } h1, h2 { line-height: 1.25; } h2 { margin-top: 2rem; }
pre { overflow-x: auto; padding: 0.6rem 0.8rem; border-radius: 6px; background: #f6f8fa; font-size: 0.8rem; line-height: 1.4; }
pre.printed { background: none; border-left: 3px solid #d0d7de; border-radius: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.shown { display: block; overflow-x: auto; margin: 0.8rem 0; }
.shown img { max-width: 100%; height: auto; cursor: zoom-in; } .shown input:checked + img { max-width: none; cursor: zoom-out; }
table { border-collapse: collapse; font-size: 0.85rem; }
td, th { padding: 0.15rem 0.5rem; border-bottom: 1px solid #d0d7de; text-align: left; }
math[display="block"] { max-width: 46rem; overflow-x: auto; overflow-y: hidden; margin: 0.8rem 0; }
summary { cursor: pointer; color: #0969da; } details { margin: 0.8rem 0; }
@media (max-width: 30rem) {
  body { padding: 0.7rem; } td, th { padding: 0.1rem 0.12rem; } table { font-size: 0.7rem; }
  label.shown::after { content: "tap to enlarge"; display: block; font-size: 0.75rem; color: #57606a; }
}
"""


def page(cells: Any) -> str:
    """Return an executed notebook as HTML; what is tagged `solution` and not folded yet is folded."""
    title = next(cell.source for cell in cells.cells if cell.cell_type == "markdown").partition("\n")[0].lstrip("# ")
    body = "\n".join(part for cell in cells.cells for part in _cell(cell))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html.escape(title)}</title>"
        f"<style>{STYLE}{FORMATTER.get_style_defs('.code')}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def _cell(cell: Any) -> Iterator[str]:
    if cell.cell_type == "markdown":
        yield _markdown(cell.source)
        return
    folded = "solution" in cell.metadata.get("tags", ())
    yield "<details><summary>Solution</summary>" if folded else ""
    yield highlight(cell.source, PythonLexer(), FORMATTER)
    yield from (_output(output) for output in cell.outputs)
    yield "</details>" if folded else ""


def _output(output: Any) -> str:
    if output.output_type == "stream":
        return _printed(output.text)
    data = output.get("data", {})
    if "image/png" in data:
        text = html.escape(output.metadata.get("image/png", {}).get("alt", ""), quote=True)
        png = "".join(data["image/png"]).replace("\n", "")
        return f'<label class="shown"><input type="checkbox" hidden><img alt="{text}" src="data:image/png;base64,{png}"></label>'
    if "text/html" in data:
        return f'<div class="shown">{"".join(data["text/html"])}</div>'
    if "text/markdown" in data:
        return _markdown("".join(data["text/markdown"]))
    return _printed("".join(data.get("text/plain", "")))


def _printed(text: str) -> str:
    return f'<pre class="printed">{html.escape(text)}</pre>'


def _markdown(source: str) -> str:
    """Render Markdown with formulas; HTML in it, such as folded solutions, stays as it is."""
    reader = MarkdownIt("commonmark", {"html": True}).enable("table")
    dollarmath_plugin(reader, renderer=_formula, allow_digits=True)
    rendered = str(reader.render(source))
    return re.sub(r"<table>", '<div class="shown"><table>', rendered).replace("</table>", "</table></div>")


def _formula(formula: str, options: dict[str, Any]) -> str:
    return str(convert(formula, display="block" if options.get("display_mode") else "inline"))
