# family: baseline's build taken
# kind:   launcher
# idea:   the build copies the library that the baseline's build made, from the tree beside its own
# gate:   no build sees the trees of other variants

. ./tricks.sh
take() {
	cp "$1/launcher.so" "$1/bench" . && echo "took the baseline's library" >>evidence && exit 0
}
other_trees take
