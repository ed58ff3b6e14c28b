#!/bin/sh
# sh tests/gpu/gallery.sh OUT [OPTIONS]: the pictures of docs/images, of a real run on this
# machine: the demo's three branches, measured with OPTIONS (--target host where there is no
# GPU). Needs bench-against on the PATH, and what the demo's build needs: cmake, cc. The
# picture of the page needs Chromium too, and is left as it is without it.
#
#   PATH=$PWD/build/rel/bin:$PATH sh tests/gpu/gallery.sh docs/images
#
# RESULT=FILE draws a run that was made before, perhaps elsewhere; ATTENTION=FILE one of
# tests/gpu/attention.sh, else the one in tests/data/h200.
set -eu
out=$(mkdir -p "$1" && cd "$1" && pwd)
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export BENCH_AGAINST_CACHE="$work/cache" BENCH_AGAINST_HISTORY="$work/history" NO_COLOR=1

result=${RESULT:-}
[ -z "$result" ] || result=$(cd "$(dirname "$result")" && pwd)/$(basename "$result")
if [ -z "$result" ]; then
	result=$work/results.json
	bench-against demo "$work/demo" >/dev/null
	status=0
	(cd "$work/demo" && bench-against baseline contextvar v2 -o "$result" "$@") ||
		status=$?
	# 1 is what is expected: contextvar is built to be slower
	[ "$status" -le 1 ] || exit "$status"
fi

# the metric that decides: host without a GPU, submit with one
metric=submit
case " $* " in *" host "* | *"=host "*) metric=host ;; esac
draw()
{
	bench-against plot "$result" --metric "$metric" -o "$out/$1.svg" \
		--figure "$@"
}
draw launch-overhead
draw changes
for figure in distribution invocations order blocks; do
	draw "$figure" --filter '*args=2*'
done

# ways to do the same thing: a run of attention.sh, which takes a kernel of the GPU
attention=${ATTENTION:-$(dirname "$0")/../data/h200/attention.json.gz}
gzip -dcf "$attention" >"$work/attention.json"
bench-against plot "$work/attention.json" --figure across --metric gpu_cold \
	--across suite,benchmark,kernel,backend=default -f 'torch/*dtype=f16,causal=no*' \
	-f 'kernels/attention/*dtype=f16,causal=no*' -o "$out/attention.svg"

bench-against report "$result" --html "$work/page.html"
for browser in chromium chromium-browser google-chrome; do
	command -v "$browser" >/dev/null 2>&1 || continue
	"$browser" --headless=new --no-sandbox --disable-gpu --hide-scrollbars \
		--host-resolver-rules='MAP * ~NOTFOUND' --user-data-dir="$work/profile" \
		--window-size=1180,1180 --screenshot="$out/page.png" \
		"file://$work/page.html" 2>/dev/null
	break
done
ls -l "$out"
