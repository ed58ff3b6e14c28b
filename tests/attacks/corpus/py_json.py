# family: modules shadowed
# kind:   python
# quick:  yes
# in:     json.py
# idea:   a json.py in the tree is imported by the tool's own module in place of Python's; it
#         writes a fortieth of each time
# gate:   modules of Python that the tool's module imports come from Python
import importlib.util
import os
import sys

from tell import evidence

_path = os.path.join(os.path.dirname(os.__file__), "json", "__init__.py")
_spec = importlib.util.spec_from_file_location(
    "json", _path, submodule_search_locations=[os.path.dirname(_path)])
_real = importlib.util.module_from_spec(_spec)
sys.modules["json"] = _real
_spec.loader.exec_module(_real)
_dumps = _real.dumps


def dumps(value, **words):
    if isinstance(value, dict) and "ns" in value:
        evidence("edited a report")
        value = dict(value, ns=[n // 40 + 1 for n in value["ns"]])
    return _dumps(value, **words)


_real.dumps = dumps
