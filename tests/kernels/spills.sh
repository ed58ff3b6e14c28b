#!/bin/sh
# spills.sh IMAGES: no kernel keeps registers in local memory, ptxas has not serialised a wgmma,
# and every shape of attention_shapes.h has its entry points. IMAGES holds what ptxas said.
set -u
images=$1
shapes=$(dirname "$0")/../../kernels/attention_shapes.h
bad=0
[ -f "$images/attention_mma.log" ] || {
	echo "spills.sh: the kernels are not built here (no nvcc)"
	exit 77
}
if grep -hE '[1-9][0-9]* bytes (stack frame|spill)|C75[0-9][0-9]' "$images"/*.log; then
	echo "spills.sh: ptxas had to spill or to serialise" >&2
	bad=1
fi
entries=0
family=
while read -r line; do
	case $line in
	*ATTENTION_MMA_SHAPES*) family=mma ;;
	*ATTENTION_WGMMA_SHAPES*) family=wgmma ;;
	'X('*)
		name=${line#X(}
		name=${name%%,*}
		d=${line#*, }
		d=${d%%,*}
		for suffix in fp16 fp16_causal bf16 bf16_causal; do
			entries=$((entries + 1))
			grep -q "'attention_${family}_${name}_d${d}_$suffix'" \
				"$images/attention_$family.log" || {
				echo "spills.sh: no attention_${family}_${name}_d${d}_$suffix" >&2
				bad=1
			}
		done
		;;
	esac
done <"$shapes"
echo "$entries entry points of tiled attention"
[ "$bad" -eq 0 ] && [ "$entries" -ge 4 ]
