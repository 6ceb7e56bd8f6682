"""The demo's package can be imported."""

import sys

from tests.support.project import ROOT

sys.path.insert(0, str(ROOT / "spaces" / "answer_lens"))
