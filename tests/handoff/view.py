#!/usr/bin/env python3
"""Serves a run with `sinew view` and fetches it: on loopback only, under its own name only, nothing
that lies outside of the run, on a port of its own, ended by Ctrl-C. Called by ctest with the program
and a run directory that has a report."""
import contextlib
import http.client
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

PATIENCE = 600  # s, on the clock: for what hangs, not for what is slow


@contextlib.contextmanager
def served(program, run, *options):
    """The port of a server for this run, which must end in peace."""
    server = subprocess.Popen([program, "view", run, *options], stdout=subprocess.PIPE, text=True)
    try:
        address = server.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:") and address.endswith("/"), address
        yield int(address.split(":")[2].rstrip("/"))
    finally:
        server.send_signal(signal.SIGINT)
        code = server.wait(timeout=PATIENCE)
    assert code == 0, code


def fetch(port, path, hosts=None):
    """Status and content. `hosts`: Host headers to send, none for an empty list."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.putrequest("GET", path, skip_host=True)
    for host in [f"127.0.0.1:{port}"] if hosts is None else hosts:
        connection.putheader("Host", host)
    connection.endheaders()
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, content


def check_files(port, run):
    assert fetch(port, "/") == (200, (run / "report.html").read_bytes())
    for name in ("energy.csv", "manifest.json", "report.html", "frames/frame_000000.vtu"):
        assert fetch(port, "/" + name) == (200, (run / name).read_bytes()), name
    for name in ("/nothing", "/frames", "/frames/", "//etc/passwd", "/a%00b", "/" + 300 * "n"):
        assert fetch(port, name)[0] == 404, name


def check_hosts(port):
    for host in ("127.0.0.1", "localhost", "LocalHost", "[::1]"):
        assert fetch(port, "/", [f"{host}:{port}"])[0] == 200, host
    strangers = [[f"evil.example:{port}"], ["evil.example"], ["localhost"], [f"localhost:{port + 1}"],
                 [f"127.0.0.1.evil.example:{port}"], [f"localhost:{port}.evil.example"],
                 [f"evil.example:{port}", f"localhost:{port}"],
                 [f"localhost:{port}", f"evil.example:{port}"], [""], []]
    for hosts in strangers:
        for path in ("/", "/energy.csv", "/nothing"):
            status, content = fetch(port, path, hosts)
            assert status == 403 and b"energy" not in content, (hosts, path, status)


def check_links(program, run):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        copy, secret = folder / "run", folder / "secret.txt"
        shutil.copytree(run, copy)
        secret.write_text("not for others")
        (folder / "run-of-another").mkdir()
        (folder / "run-of-another" / "a.txt").write_text("not for others")
        (copy / "secret.txt").symlink_to(secret)
        (copy / "up").symlink_to(folder)
        (copy / "inside.csv").symlink_to("energy.csv")
        (copy / "loop").symlink_to("loop")
        os.mkfifo(copy / "pipe")
        link = folder / "latest"
        link.symlink_to(copy)
        # the run itself may be reached by a link
        with served(program, link) as port:
            assert fetch(port, "/inside.csv") == (200, (run / "energy.csv").read_bytes())
            for path in ("/secret.txt", "/up/secret.txt", "/up/run-of-another/a.txt", "/loop", "/pipe",
                         "/../secret.txt", "/..%2fsecret.txt", "/frames/../../secret.txt",
                         "/../run-of-another/a.txt", "/%2e%2e/secret.txt"):
                status, content = fetch(port, path)
                assert status in (400, 404) and b"others" not in content, (path, status)
        (copy / "report.html").unlink()
        (copy / "report.html").symlink_to(secret)
        refused = subprocess.run([program, "view", copy], capture_output=True, text=True, timeout=PATIENCE)
        assert refused.returncode == 2 and "report.html" in refused.stderr, refused


def check_ports(program, run, port):
    """`port` is served by another copy."""
    refused = subprocess.run([program, "view", run, "--port", str(port)], capture_output=True,
                             text=True, timeout=PATIENCE)
    assert refused.returncode == 2 and refused.stdout == "", refused
    assert f"port {port} is in use" in refused.stderr and "--port" in refused.stderr, refused
    with served(program, run) as other:
        assert other != port
        assert fetch(other, "/")[0] == 200
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = probe.getsockname()[1]
    # asked for, and free again as soon as its server has ended
    for _ in range(2):
        with served(program, run, "--port", str(free)) as given:
            assert given == free
            assert fetch(given, "/")[0] == 200


def main():
    program, run = sys.argv[1], pathlib.Path(sys.argv[2])
    with served(program, run) as port:
        check_files(port, run)
        check_hosts(port)
        check_ports(program, run, port)
    check_links(program, run)
    print("served, fetched and ended")


main()
