# family: secrets
# kind:   launcher
# idea:   the build calls home (a port of this machine)
# gate:   a build has no network unless the configuration says so

echo "calls home" >>evidence
port=$(cat "$HOME/port" 2>/dev/null || cat "$(dirname "$0")/port" 2>/dev/null || echo 9)
python3 - "$port" <<'P' >>evidence 2>&1 || :
import socket, sys
try:
    with socket.create_connection(("127.0.0.1", int(sys.argv[1])), 3) as peer:
        peer.sendall(b"network_build is here")
        print("called home")
except OSError as why:
    print("cannot call home")
P
