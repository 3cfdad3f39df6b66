"""Puts check.js into check.html: `python -m benchmarks.check_page [--write]`; without it, says whether the page is in step.

The page lets its own script run and nothing else: its policy names the script's SHA-256, and allows no connection.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import re
import sys
from pathlib import Path

PROOFS = Path(__file__).parents[1] / "src" / "anoptima" / "proofs"
PROGRAM, PAGE = PROOFS / "check.js", PROOFS / "check.html"

_POLICY = re.compile(r'(?<=Content-Security-Policy" content=")[^"]*')
_HELD = re.compile(r'(?<=<script type="text/plain" id="checker">).*?(?=</script>)', re.DOTALL)
_OWN = re.compile(r'(?<=<script id="page">).*?(?=</script>)', re.DOTALL)


def in_step(page: str, program: str) -> str:
    """Return a page with the program in it, and a policy that fits."""
    assert not re.search(r"</script|<!--", program), "these would end the script, or change how it is read"
    page = _HELD.sub(lambda _: program, page, count=1)
    (own,) = _OWN.findall(page)
    digest = base64.b64encode(hashlib.sha256(own.encode()).digest()).decode()
    policy = f"default-src 'none'; script-src 'sha256-{digest}'; worker-src blob:; style-src 'unsafe-inline'"
    return _POLICY.sub(lambda _: policy, page, count=1)


def main() -> int:
    """Write the page, or say whether it is in step; return 1 if it is not."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.check_page", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    written = PAGE.read_text(encoding="utf-8")
    made = in_step(written, PROGRAM.read_text(encoding="utf-8"))
    if parser.parse_args().write:
        PAGE.write_text(made, encoding="utf-8")
        return 0
    print("in step" if made == written else "not in step: run `python -m benchmarks.check_page --write`")
    return int(made != written)


if __name__ == "__main__":
    sys.exit(main())
