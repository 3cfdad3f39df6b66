"""How Sphinx builds the documentation: `make docs`. The pages themselves are the Markdown files beside this one.

Pages are completed here from the code: commands from the parser, the reference, problems and algorithms from docstrings, and notebooks.
Nothing on a page comes from another host: no web fonts, and formulas as MathML, which browsers draw by themselves.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_site"), str(HERE.parent / "src")]

import generated  # noqa: E402
from latex2mathml.converter import convert  # noqa: E402

import anoptima  # noqa: E402

project = "anoptima"
author = "The anoptima authors"
project_copyright = author
version = release = anoptima.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_site"]
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3
suppress_warnings = ["misc.highlighting_failure"]

autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
napoleon_numpy_docstring = True
napoleon_google_docstring = False
default_role = "literal"

html_theme = "furo"
html_title = f"anoptima {release}"
html_extra_path = sorted(map(str, (HERE.parent / "build" / "notebooks").glob("*.html")))
html_static_path = ["_site/static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_math_renderer = "mathml"


def setup(app: Any) -> None:
    """Complete pages from the code, and draw formulas without a script."""
    app.connect("env-get-outdated", generated.outdated)
    app.connect("source-read", generated.complete)
    app.connect("build-finished", generated.copy_records)
    app.connect("autodoc-process-docstring", generated.keep_colon, priority=400)  # before napoleon
    app.connect("autodoc-process-docstring", generated.as_restructured_text)
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))


def _inline(translator: Any, node: Any) -> None:
    _formula(translator, node, "inline")


def _block(translator: Any, node: Any) -> None:
    _formula(translator, node, "block")


def _formula(translator: Any, node: Any, display: str) -> None:
    from docutils.nodes import SkipNode

    translator.body.append(convert(node.astext(), display=display))
    raise SkipNode
