"""What the documents show is run, in order, in a folder of its own; what they say comes out, comes out.

- ```` ```csv NAME ```` writes the file NAME.
- ```` ```python ```` runs in a namespace that the later blocks of the document share; with prompts, it is a doctest.
- ```` ```sh ```` is a list of commands, ```` ```console ```` a session: commands after `$`, and beneath what they print
  (`...` stands for anything). Commands that start with `anoptima` run; those in `ELSEWHERE` are for other tests or for
  the reader. A comment `# exit 1` states an exit code other than 0.
"""

from __future__ import annotations

import doctest
import io
import re
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from anoptima.cli import main

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "notebooks").glob("*.md")])
FENCE = re.compile(r"^```(?P<language>[\w-]*) *(?P<rest>[^\n`]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
EXIT = re.compile(r"#\s*exit\s+(\d+)")
ELSEWHERE = {"cd", "git", "make", "pip", "python"}
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Command:
    line: str
    printed: str = ""


def commands(language: str, body: str) -> list[Command]:
    body = body.replace("\\\n", " ")
    if language == "sh":
        return [Command(line) for line in body.splitlines() if line.strip() and not line.startswith("#")]
    found = []
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        line, _, printed = part.partition("\n")
        found.append(Command(line, printed))
    assert found or not body.strip(), "a console block has a line that starts with `$ `"
    return found


def run_command(command: Command, capsys: pytest.CaptureFixture[str]) -> None:
    """Run it in this process: that commands run as processes is for `tests/cli/test_process.py`."""
    words = shlex.split(command.line, comments=True)
    if not words or words[0] in ELSEWHERE:
        return
    assert words[0] == "anoptima", f"nobody tests this command: {command.line}"
    expected = EXIT.search(command.line)
    code = main(words[1:])
    out, err = capsys.readouterr()
    said = f"$ {command.line}\n{out}{err}"
    assert code == int(expected[1] if expected else 0), said
    if command.printed.strip():
        assert doctest.OutputChecker().check_output(command.printed, out, FLAGS), (
            f"the document shows\n{command.printed}\nbut it is\n{said}"
        )


def run_python(code: str, names: dict[str, object], document: Path, line: int) -> None:
    if code.lstrip().startswith(">>>"):
        test = doctest.DocTestParser().get_doctest(code, names, document.name, str(document), line)
        runner = doctest.DocTestRunner(optionflags=FLAGS)
        report: list[str] = []
        failed = runner.run(test, out=report.append, clear_globs=False).failed
        names.update(test.globs)
        assert not failed, "".join(report)
    else:
        # As many empty lines before it as the document has: a traceback then names the document's own line.
        exec(compile("\n" * line + code, str(document), "exec"), names)


@pytest.mark.slow
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_document_is_true(
    document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    text = document.read_text(encoding="utf-8")
    names: dict[str, object] = {"__name__": "__document__"}
    for block in FENCE.finditer(text):
        language, rest, body = block["language"], block["rest"].strip(), block["body"]
        if language == "python":
            run_python(body, names, document, text.count("\n", 0, block.start("body")))
        elif language in ("sh", "console"):
            for command in commands(language, body):
                run_command(command, capsys)
        elif language == "csv" and rest:
            (tmp_path / rest).write_text(body, encoding="utf-8")


def test_readme_opens_with_the_two_commands() -> None:
    shown = [
        line
        for block in FENCE.finditer((ROOT / "README.md").read_text(encoding="utf-8"))
        for line in block["body"].splitlines()
    ]
    assert {"make demo", "make test"} <= {line.removeprefix("$ ").partition("#")[0].strip() for line in shown[:4]}
