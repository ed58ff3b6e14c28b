# family: control
# kind:   python
# idea:   the same slowdown as that of the attacks, and nothing that hides it
# in:     unused.py
# want:   1
