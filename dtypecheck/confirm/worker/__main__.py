"""Run as a folder (`python .../worker`): the modules beside become a package that shadows no other."""

import os
import sys
import types

folder = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [p for p in sys.path if os.path.abspath(p or os.curdir) != folder]
package = types.ModuleType("dtypecheck_worker")
package.__path__ = [folder]
sys.modules["dtypecheck_worker"] = package

from dtypecheck_worker.serve import main  # type: ignore[import-not-found]  # noqa: E402

main()
