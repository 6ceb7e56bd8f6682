"""The demo's package is found where it lies."""

import sys

from tests.support.project import ROOT

sys.path.insert(0, str(ROOT / "spaces" / "answer_lens"))
