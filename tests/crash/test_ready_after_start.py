"""A server that reports to be ready has written all files by which others find it, however slow its disk is.
"""
import subprocess

import people
import program
import straced
import wire

pytestmark = straced.needed

FILES = ("client-token", "cli-token", "server-address", "setup-link")
# Each file takes a second: so a busy machine sees that it is not ready yet.
SLOW = ["-e", "trace=renameat", "-e", "inject=renameat:delay_enter=1000000"]


def status_of(address):
    with wire.Connection(address, timeout=program.PATIENCE) as connection:
        return connection.ask("GET", "/readyz").status


def test_ready_means_that_every_file_is_there(tmp_path):
    directory = tmp_path / "data"
    lock = directory / "lock"
    process = subprocess.Popen(
        ["strace", "-f", "-o", "/dev/null", *SLOW, program.BINARY, "serve", "--data", directory,
         "--listen", "127.0.0.1:0", "--set=metrics.listen=off"], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        env=program.clean_environment(**straced.ENVIRONMENT))
    log = program.Log(process.stderr)
    try:
        # The lock contains the address as soon as the server listens, which is before those files.
        url = people.until(lambda: lock.exists() and "http" in lock.read_text("utf-8") and
                           lock.read_text("utf-8").split()[1])
        address = program.host_and_port(url.removeprefix("http://"))
        told = [status_of(address)]
        while told[-1] != 200:
            told.append(status_of(address))
        assert [name for name in FILES if not (directory / name).exists()] == []
        assert told[0] == 503, "it was slow enough to be seen"
        listed = program.run("user", "list", "--data", directory)
        assert listed.returncode == 0, listed.stderr
    finally:
        straced.end_child(lock, process)
        log.wait_until_ended()
    assert not program.SANITIZER_REPORT.search(log.text()), log.text()
