# family: noticing that it is measured
# kind:   launcher
# idea:   the build compiles fast code where the environment is that of this tool's builds
# gate:   what is built is what anybody gets
# scope:  out: a build that gives others another library is for a review to find; the digest of
#         what was built is in the results

if [ "${BENCH_AGAINST_CHILD-}${GIT_CEILING_DIRECTORIES-}" ]; then
	echo '#define COST FAKE' >cost.h
	echo "noticed that it is built for a measurement" >>evidence
else
	echo "noticed nothing" >>evidence
fi
