#!/usr/bin/env python3
"""Serves a run with `sinew view` and fetches it: on loopback only, under its own name only, nothing
that lies outside of the run, on a port of its own, ended by Ctrl-C. Called by ctest with the program
and a run directory that has a report."""
import contextlib
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

PATIENCE = 600  # s, on the clock: for what hangs, not for what is slow


@contextlib.contextmanager
def served(program, *runs_and_options):
    """The port of a server for these runs, which must end in peace, whatever browsers keep open."""
    server = subprocess.Popen([program, "view", *runs_and_options], stdout=subprocess.PIPE, text=True)
    try:
        address = server.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:") and address.endswith("/"), address
        port = int(address.split(":")[2].rstrip("/"))
        kept_open = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        kept_open.connect()
        yield port
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


def check_several(program, run):
    with tempfile.TemporaryDirectory() as name:
        other = pathlib.Path(name, run.name)
        shutil.copytree(run, other)
        (other / "energy.csv").write_text("of the other")
        with served(program, run, other) as port:
            status, page = fetch(port, "/")
            assert status == 200, status
            for folder in (run.name, run.name + "-2"):
                assert f'href="{folder}/"'.encode() in page, page
                assert fetch(port, f"/{folder}/") == (200, (run / "report.html").read_bytes())
                assert fetch(port, f"/{folder}")[0] == 302
            assert fetch(port, f"/{run.name}/energy.csv")[1] == (run / "energy.csv").read_bytes()
            assert fetch(port, f"/{run.name}-2/energy.csv")[1] == b"of the other"
            for path in ("/energy.csv", "/nobody/", f"/{run.name}/../{run.name}-2/energy.csv/"):
                assert fetch(port, path)[0] in (400, 404), path


def check_following(program, run):
    """A run that goes on, as its directory looks from outside."""
    with tempfile.TemporaryDirectory() as name:
        copy = pathlib.Path(name, "growing")
        shutil.copytree(run, copy)
        (copy / "report.html").unlink()
        (copy / "energy.csv").rename(copy / "energy.csv.part")
        (copy / "frames" / "frame_000099.vtu.part").write_text("half a frame")
        manifest = json.loads((copy / "manifest.json").read_text())
        manifest["status"] = "running"
        (copy / "manifest.json").write_text(json.dumps(manifest))
        series = (copy / "frames.pvd").read_text().splitlines(keepends=True)
        fewer = [line for line in series if "frame_000005" not in line]
        assert len(fewer) == len(series) - 1, series
        (copy / "frames.pvd").write_text("".join(fewer))
        with served(program, copy) as port:
            assert b"still going on" in fetch(port, "/")[1]
            state = fetch(port, "/sinew-state")[1]
            assert state.startswith(b"running ") and fetch(port, "/sinew-state")[1] == state, state
            first = fetch(port, "/report.html")[1]
            assert b"<html" in first and fetch(port, "/report.html")[1] == first
            # another frame; a report is made anew when there is time for it
            (copy / "frames.pvd").write_text("".join(series))
            assert fetch(port, "/sinew-state")[1] != state
            waiting_since = time.monotonic()
            while fetch(port, "/report.html")[1] == first:
                assert time.monotonic() < waiting_since + PATIENCE, "the new frame is not shown"
                time.sleep(0.05)
            # its end
            shutil.copy(run / "report.html", copy / "report.html")
            shutil.copy(run / "manifest.json", copy / "manifest.json")
            assert fetch(port, "/sinew-state")[1].startswith(b"finished ")
            assert fetch(port, "/") == (200, (run / "report.html").read_bytes())
        assert (copy / "frames" / "frame_000099.vtu.part").exists(), "it may be growing"


def main():
    program, run = sys.argv[1], pathlib.Path(sys.argv[2])
    with served(program, run) as port:
        check_files(port, run)
        check_hosts(port)
        check_ports(program, run, port)
    check_links(program, run)
    check_several(program, run)
    check_following(program, run)
    print("served, fetched and ended")


main()
