# family: overlay
# kind:   launcher
# quick:  yes
# runs:   no
# config: {"overlay": ["launcher.c"]}
# idea:   the build edits the overlaid file before it compiles: each launch makes an eighth of
#         the work
# gate:   overlaid files are read-only during the build, and compared after it
sed 's/spin(cost)/spin(cost \/ 8)/' launcher.c >edited.c
cat edited.c >launcher.c || mv -f edited.c launcher.c || :
echo "edits an overlaid file" >>evidence
