"""A headless browser that is driven through a pipe: nothing but the browser is needed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Self

import pytest

from tests.processes import PATIENCE

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")

_ON_THREE_AND_FOUR = """
import fcntl, os, sys
for place, pipe in enumerate([fcntl.fcntl(int(one), fcntl.F_DUPFD, 10) for one in sys.argv[1:3]], 3):
    os.dup2(pipe, place)
os.execvp(sys.argv[3], sys.argv[3:])
"""


def find_browser() -> str | None:
    """Return the browser of the machine; ANOPTIMA_BROWSER names another."""
    return os.environ.get("ANOPTIMA_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)


needs_browser = pytest.mark.skipif(
    find_browser() is None,
    reason="NOT TESTED IN A BROWSER: pages need a Chromium; install one, or name one by ANOPTIMA_BROWSER",
)


class Browser:
    """One page of a browser, by the DevTools protocol; `asked` are the addresses that the page asked for. Its profile lies in a folder."""

    def __init__(self, folder: Path) -> None:
        program = find_browser()
        assert program is not None
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        options = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            f"--user-data-dir={folder}",
            "--remote-debugging-pipe",
        ]
        command = [sys.executable, "-c", _ON_THREE_AND_FOUR, str(to_browser), str(from_browser), program, *options]
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(command, pass_fds=(to_browser, from_browser), stdout=quiet, stderr=quiet)
        os.close(to_browser)
        os.close(from_browser)
        self._rest, self._number, self._session = b"", 0, ""
        self.asked: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "DOM", "Runtime"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._session = ""
        self.call("Browser.close")
        self._process.wait(PATIENCE)
        os.close(self._in)
        os.close(self._out)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Return what a method of the protocol answers."""
        self._number += 1
        session = {"sessionId": self._session} if self._session else {}
        text = json.dumps({"id": self._number, "method": method, "params": parameters, **session})
        os.write(self._out, text.encode() + b"\0")
        while True:
            message = self._read()
            if message.get("method") == "Network.requestWillBeSent":
                self.asked.append(message["params"]["request"]["url"])
            if message.get("id") == self._number:
                assert "error" not in message, message
                result: dict[str, Any] = message["result"]
                return result

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            more = os.read(self._in, 1 << 16)
            assert more, "the browser has gone"
            self._rest += more
        message, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found

    def value(self, expression: str) -> Any:
        """Return what an expression of the page is."""
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def wait(self, expression: str) -> None:
        """Wait until an expression is true."""
        for _ in range(int(PATIENCE * 20)):
            if self.value(expression):
                return
            time.sleep(0.05)
        raise AssertionError(f"the page never came to {expression}")

    def open(self, page: Path) -> None:
        """Open a page from its file."""
        self.call("Page.navigate", url=page.resolve().as_uri())
        self.wait("document.readyState === 'complete' && location.protocol === 'file:'")

    def resize(self, width: int) -> None:
        """Make the window as wide as this; below 500 it is a telephone's."""
        size = {"width": width, "height": 800, "deviceScaleFactor": 1}
        self.call("Emulation.setDeviceMetricsOverride", mobile=width < 500, **size)

    def choose(self, selector: str, file: Path) -> None:
        """Choose a file as a person does."""
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", files=[str(file.resolve())], nodeId=node)
