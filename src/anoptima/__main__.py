"""`python -m anoptima`: the command line, for where no console script is to be had."""

import sys

from anoptima.cli import main

sys.exit(main())
