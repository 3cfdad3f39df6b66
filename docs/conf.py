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
import notebook_pages  # noqa: E402
from docutils.nodes import SkipNode  # noqa: E402
from latex2mathml.converter import convert  # noqa: E402

import anoptima  # noqa: E402

project = "anoptima"
author = "The anoptima authors"
project_copyright = author
version = release = anoptima.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_site"]
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "off"
nb_render_markdown_format = "myst"
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
html_static_path = ["_site/static"]
html_css_files = ["site.css"]
html_js_files = [("pages.js", {"defer": "defer"})]
html_copy_source = False
html_show_sphinx = False
html_math_renderer = "mathml"


def setup(app: Any) -> None:
    """Complete pages from the code, and draw formulas without a script."""
    app.add_config_value("executed_notebooks", str(HERE.parent / "build" / "notebooks"), "env")
    app.connect("builder-inited", _write_notebooks)
    app.connect("env-get-outdated", generated.outdated)
    app.connect("source-read", generated.complete)
    app.connect("build-finished", generated.copy_records)
    app.connect("autodoc-process-docstring", generated.keep_colon, priority=400)  # before napoleon
    app.connect("autodoc-process-docstring", generated.as_restructured_text)
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))


def _write_notebooks(app: Any) -> None:
    notebook_pages.write(generated.NOTEBOOKS, Path(app.config.executed_notebooks), Path(app.srcdir) / "notebooks")


def _inline(translator: Any, node: Any) -> None:
    translator.body.append(convert(node.astext()))
    raise SkipNode


def _block(translator: Any, node: Any) -> None:
    translator.body.append(f'<div class="math-wrapper">{convert(node.astext(), display="block")}</div>')
    raise SkipNode
