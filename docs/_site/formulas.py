r"""The notation of docstrings as LaTeX: what `help()` shows of models and problems as plain text, the site shows as formulas.

A formula is the longest run of symbols, numbers and operators that has a symbol or a relation. Symbols are single letters, names of Greek
letters, and names with an index: `x_pr`, `b_tau`, `c*_r`, `w_rd'`, `count_r`; an index of more than letters stands in braces: `w_{d,-x}`,
`sum_{c in D}`. Operators are written as in Python, with `=>` for an implication and `~` for a match; `in` and `not` are operators next to
symbols. A comma belongs to a formula between brackets only. Everything else is words.

>>> print(typeset("x_pr <= s_r z_p for each r, where b_tau >= ceil(|S| / c)"))
$x_{pr} \le s_{r} z_{p}$ for each $r$, where $b_{\tau} \ge \lceil \vert S\vert / c\rceil$
>>> print(program("minimise    sum_{c in D} w_c y_c\n(one)       sum_r a_r = 1     a row has one place"))
```{table}
:class: program
| | |
|---|---|
| minimise | $\sum_{c \in D} w_{c} y_{c}$ |
| (one) | $\sum_{r} a_{r} = 1$ &emsp; a row has one place |
```
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from operator import itemgetter

GREEK = ("epsilon", "tau", "Pi")
NAMES = ("OPT",)
FUNCTIONS = {
    "min": r"\min",
    "max": r"\max",
    "diam": r"\mathrm{diam}",
    "bad": r"\mathrm{bad}",
    "log": r"\log",
    "C": "C",
    "N": "N",
    "O": "O",
}
OPERATORS = {
    "<=": r"\le ",
    ">=": r"\ge ",
    "=>": r"\Rightarrow ",
    "!=": r"\ne ",
    "...": r"\ldots ",
    "~": r"\sim ",
    "*": r"\cdot ",
    "|": r"\vert ",
    "{": r"\{",
    "}": r"\}",
    "in": r"\in ",
    "not": r"\neg ",
    "sum": r"\sum ",
}
SMALL = r"[a-zA-Z]|" + "|".join((*GREEK, *NAMES))
TOKEN = re.compile(
    rf"""(?P<code>`[^`]*`)
    |(?P<words>\b[A-Za-z]+(?:-[A-Za-z]+)+\b|'s\b|\*\w[\w -]*\*)
    |(?P<symbol>(?<![A-Za-z_])(?:[A-Za-z]+\*?_(?:\{{[^}}]*\}}|[A-Za-z0-9]+'?)|(?:{SMALL})(?![A-Za-z])(?:'(?!s)|\*(?=[\s,.]))?))
    |(?P<function>\b(?:ceil|{"|".join(FUNCTIONS)})(?=\())
    |(?P<operator><=|>=|=>|!=|\.\.\.|[=<>~+/^(){{}}|\[\]]|(?<=\s)[-*](?=\s)|-(?=\w|\()|\b(?:in|not|sum)\b)
    |(?P<number>\d+(?:\.\d+)?)
    |(?P<comma>,)
    |(?P<space>\s+)
    |(?P<other>[A-Za-z]+|.)""",
    re.VERBOSE,
)
Token = tuple[str, str]
LABELS = ("minimise ", "(")


def typeset(text: str, words: Callable[[str], str] = str) -> str:
    """Return a text with its formulas in LaTeX between dollars, and what is between them as `words` writes it."""
    return "".join(
        f"${_latex(run)}$" if is_formula else words("".join(map(itemgetter(1), run))) for is_formula, run in runs(text)
    )


def runs(text: str) -> Iterator[tuple[bool, list[Token]]]:
    """Yield the tokens of a text in runs, each with whether it is a formula."""
    tokens = _tokens(text)
    first = place = 0
    while place < len(tokens):
        end = _end(tokens, place)
        if end > place and _is_formula(tokens, place, end):
            if first < place:
                yield False, tokens[first:place]
            yield True, tokens[place:end]
            first = place = end
        else:
            place += 1
    if first < place:
        yield False, tokens[first:place]


def _tokens(text: str) -> list[Token]:
    return [(str(found.lastgroup), found[0]) for found in TOKEN.finditer(text)]


def _end(tokens: list[Token], start: int) -> int:
    """Return where the longest formula ends that starts at a token: its brackets are closed, and no space or comma is its last."""
    end, open_brackets, bars = start, [], 0
    for place in range(start, len(tokens)):
        kind, piece = tokens[place]
        if kind in ("code", "words", "other") or (kind == "comma" and not open_brackets):
            break
        if piece in ("in", "not", "sum") and not _is_operator(tokens, place):
            break
        if place > start and not open_brackets and _is_article(tokens, place) and tokens[place + 2][0] == "other":
            break
        if piece in ("(", "{", "["):
            open_brackets.append(piece)
        elif piece in (")", "}", "]"):
            if not open_brackets:
                break
            open_brackets.pop()
        bars += piece == "|"
        if not open_brackets and bars % 2 == 0 and kind not in ("space", "comma", "function"):
            end = place + 1
    return end


def _is_operator(tokens: list[Token], place: int) -> bool:
    """Return whether a word that may be an operator is one, by what follows it, and for `in` by what is before it."""
    after = next((token for token in tokens[place + 1 :] if token[0] != "space"), ("", ""))
    before = next((token for token in reversed(tokens[:place]) if token[0] != "space"), ("", ""))
    if tokens[place][1] == "in":
        return (before[0] == "symbol" or before[1] == ")") and (after[0] in ("symbol", "function") or after[1] == "{")
    if tokens[place][1] == "sum":
        return after[0] in ("symbol", "function") or after[1] in ("|", "(")
    return after[0] == "symbol" and "_" in after[1]


def _is_article(tokens: list[Token], place: int) -> bool:
    """Return whether a token is the article `a`, by the word after it."""
    if tokens[place][1] != "a" or len(tokens) < place + 3 or tokens[place + 1][0] != "space":
        return False
    return tokens[place + 2][1] not in ("are", "is", "and", "in", "covers")


def _is_formula(tokens: list[Token], start: int, end: int) -> bool:
    """Return whether a run is more than a number, an operator, or a letter that is a word."""
    run = [token for token in tokens[start:end] if token[0] != "space"]
    if tokens[start][0] in ("space", "comma"):
        return False
    if run[0][0] == "operator" and run[0][1] not in ("-", "(", "{", "[", "|", "sum", "not"):
        return False
    if len(run) == 1 and run[0][1] == "A":
        before = "".join(piece for _, piece in tokens[:start]).rstrip()
        return before != "" and before[-1] != "."
    if len(run) == 1 and _is_article(tokens, start):
        return False
    return any(kind in ("symbol", "function") for kind, _ in run)


def _latex(tokens: list[Token]) -> str:
    written, closing = "", list[str]()
    for place, (kind, piece) in enumerate(tokens):
        if kind == "symbol":
            written += _symbol(piece)
        elif piece == "ceil":
            written += r"\lceil "
        elif kind == "function":
            written += FUNCTIONS[piece]
        elif piece == "(":
            before = tokens[place - 1][1] if place else ""
            closing.append({"ceil": r"\rceil ", "^": "}"}.get(before, ""))
            written += {"ceil": "", "^": "{"}.get(before, "(")
        elif piece == "[":
            closing.append("")
            written += piece
        elif piece in (")", "]"):  # an interval may be half open
            written += closing.pop() or piece
        elif kind in ("other", "words"):
            written += rf"\text{{ {piece} }}"
        else:
            written += OPERATORS.get(piece, piece) if kind == "operator" else piece
    return re.sub(r"\s+", " ", written).strip()


def _symbol(piece: str) -> str:
    name, _, index = piece.partition("_")
    base, star = (name[:-1], "^*") if name.endswith("*") else (name, "")
    base = {"sum": r"\sum", "max": r"\max"}.get(base, rf"\{base}" if base in GREEK else base)
    if re.fullmatch(r"[a-z]{2,}|[A-Z]{2,}", base):
        base = rf"\mathrm{{{base}}}"
    if not index:
        return base + star
    inner = _latex(_tokens(index[1:-1])) if index.startswith("{") else rf"\{index}" if index in GREEK else index
    return f"{base}{star}_{{{inner}}}"


def displayed(block: str) -> str | None:
    r"""Return a block as Markdown if it is a program or one formula.

    >>> print(displayed("c_uv + c_vw <= 2 OPT,"))
    $$c_{uv} + c_{vw} \le 2 \mathrm{OPT},$$
    >>> displayed("1 4\n2 3")
    """
    if block.startswith(LABELS):
        return program(block)
    (is_formula, formula), *rest = runs(block)
    end = "".join(piece for _, run in rest for _, piece in run)
    return f"$${_latex(formula)}{end}$$" if is_formula and end in ("", ",", ".") else None


def program(block: str) -> str:
    """Return a displayed program as a table: the names of its lines, and beside them formulas and words."""
    rows: list[list[str]] = []
    for line in block.splitlines():
        found = re.match(r"(minimise|\([a-z ]+\)(?= ))? *(.*)", line)
        assert found is not None
        name, said = found[1] or "", " &emsp; ".join(map(typeset, re.split(r" {2,}", found[2])))
        if not name and line.startswith("    ") and not said.startswith("$"):
            rows[-1][1] += f" {said}"
        else:
            rows.append([name, said])
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(["```{table}", ":class: program", "| | |", "|---|---|", *lines, "```"])
