# family: control
# kind:   program
# idea:   the same slowdown as that of the attacks, and nothing that hides it
# in:     unused.py
# want:   1
