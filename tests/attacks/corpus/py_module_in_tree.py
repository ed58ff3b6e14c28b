# family: modules shadowed
# kind:   python
# in:     bench_against_worker/__init__.py
# runs:   no
# idea:   a folder bench_against_worker in the tree in place of the tool's module
# gate:   the tool's module comes first
import sys

sys.exit("this module is not the tool's")
