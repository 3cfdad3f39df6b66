"""An HTML page that opens anywhere: it contains its style and script, loads nothing, and its tables sort and filter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from anoptima.exact import short_text

STYLE = """
:root{color-scheme:light dark;--line:#8885;--quiet:#777;--link:#1f5fa8}
@media(prefers-color-scheme:dark){:root{--link:#8ab8ee}}
body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:72rem;padding:1rem}
h1{font-size:1.6rem;margin:.5rem 0}h2{font-size:1.2rem;margin:2rem 0 .3rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;font-size:.9rem;margin:0}
dt{color:var(--quiet)}dd{margin:0;overflow-wrap:anywhere}
.quiet{color:var(--quiet);font-size:.9rem}
.scroll{overflow:auto;max-height:32rem;border:1px solid var(--line)}
table{border-collapse:collapse;font-size:.85rem;width:max-content;min-width:100%}
th,td{text-align:left;padding:.2rem .6rem;border-bottom:1px solid var(--line);vertical-align:top;max-width:24rem;overflow-wrap:break-word}
thead th{position:sticky;top:0;background:Canvas;padding:0;white-space:nowrap}
th button{font:inherit;font-weight:600;background:none;border:0;padding:.3rem .6rem;cursor:pointer;color:inherit}
th[aria-sort=ascending] button::after{content:" \\2191"}th[aria-sort=descending] button::after{content:" \\2193"}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td:first-child{white-space:nowrap}
input{font:inherit;width:100%;max-width:24rem;box-sizing:border-box;margin:.3rem 0;padding:.3rem .5rem}
figure{margin:1rem 0;break-inside:avoid}figcaption{font-weight:600;margin-bottom:.3rem}
figure div{background:#fff;padding:.4rem;overflow-x:auto}figure svg{max-width:100%;height:auto;display:block}
a{color:var(--link)}
@media(max-width:40rem){figure svg{max-width:none;width:34rem}}
@media print{body{max-width:none}.scroll{overflow:visible;max-height:none}table{width:100%}thead th{position:static}}
@media(max-width:40rem){body{padding:.6rem;font-size:15px}dl{grid-template-columns:1fr}dt{margin-top:.4rem}}
"""

SCRIPT = """
for (const box of document.querySelectorAll('.scroll')) {
  const body = box.querySelector('tbody'), rows = [...body.rows], heads = [...box.querySelectorAll('th')];
  const worth = (row, place) => {
    const cell = row.cells[place], text = cell.textContent, number = Number(cell.dataset.value ?? text);
    return text === '' ? null : Number.isNaN(number) ? text : number;
  };
  heads.forEach((head, place) => head.firstChild.addEventListener('click', () => {
    const up = head.getAttribute('aria-sort') !== 'ascending';
    heads.forEach(other => other.removeAttribute('aria-sort'));
    head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
    const order = (a, b) => {
      const x = worth(a, place), y = worth(b, place);
      if (x === null || y === null) return (x === null) - (y === null);
      const less = typeof x === typeof y ? (x < y ? -1 : x > y ? 1 : 0) : typeof x === 'number' ? -1 : 1;
      return up ? less : -less;
    };
    body.append(...[...rows].sort(order));
  }));
  box.previousElementSibling.addEventListener('input', event => {
    const words = event.target.value.toLowerCase().split(/\\s+/);
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every(word => text.includes(word));
    }
  });
}
"""


def page(title: str, parts: Iterable[str]) -> str:
    """Return a whole page of parts that are HTML already; its policy forbids it to load anything."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "script-src 'unsafe-inline'; img-src data:\">"
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>{''.join(parts)}"
        f"<script>{SCRIPT}</script></body></html>\n"
    )


class Html(str):
    """A text that is HTML already."""


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return a table that sorts by its heads and has a field to filter it by."""
    above = "".join(f'<th scope="col"><button>{escape(name.replace("_", " "))}</button></th>' for name in head)
    body = "".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in rows)
    return (
        '<input type="search" placeholder="filter" aria-label="filter the rows of this table">'
        f'<div class="scroll"><table><thead><tr>{above}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _cell(value: Any) -> str:
    if isinstance(value, Html):
        return f"<td>{value}</td>"
    if value is None or value != value:
        return "<td></td>"
    if isinstance(value, float):
        return f'<td class="number" data-value="{value!r}">{short_text(value)}</td>'
    is_number = isinstance(value, int) or str(value).isdigit()
    return f'<td class="number">{escape(str(value))}</td>' if is_number else f"<td>{escape(str(value))}</td>"


def section(title: str, inner: str) -> str:
    """Return a part of the page under a title."""
    return f"<section><h2>{escape(title)}</h2>{inner}</section>"
