"""Tells the test that an attack came here: see evidence() of project.h."""
import os
import sys

_told = {}


def evidence(text):
    if text not in _told:
        sys.stderr.write("attack: %s\n" % text)
        _told[text] = os.memfd_create("attack: " + text)
