"""The command line as `python -m goldgriff`."""

import sys

from goldgriff.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
