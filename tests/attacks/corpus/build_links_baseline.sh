# family: tree with links out of it
# kind:   launcher
# idea:   the build leaves a link to the baseline's library in place of its own
# gate:   a built tree has no link out of it, or what it points to is not there

. ./tricks.sh
take() {
	ln -sf "$1/launcher.so" launcher.so && ln -sf "$1/bench" bench &&
		echo "linked the baseline's library" >>evidence && exit 0
}
other_trees take
