"""The servers that are measured, and the load generator."""
import contextlib
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import subprocess
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[1]
BINARY = ROOT / os.environ.get("PARLEY_BINARY", "build/release/parley")


def missing_tools(*names):
    lacking = [name for name in names if not shutil.which(name, path=search_path())]
    return lacking + ([] if BINARY.is_file() else [str(BINARY)])


def search_path():
    """Debian installs some servers in directories of root's search path."""
    return os.environ.get("PATH", "") + ":/usr/sbin:/sbin"


def version_of(name):
    result = subprocess.run([shutil.which(name, path=search_path()), "-v"], capture_output=True,
                            text=True, check=False)
    return re.search(r"\d+\.\d+[.\d]*", result.stdout + result.stderr)[0]


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def wrk(url, connections, seconds, core, *options):
    """Generates load on a server with one thread; returns the number of requests and the seconds."""
    result = subprocess.run(["taskset", "-c", str(core), "wrk", "-t1", f"-c{connections}",
                             f"-d{seconds}s", *options, url], capture_output=True, text=True, check=True)
    faults = [line.strip() for line in result.stdout.splitlines() if "Non-2xx" in line or "Socket errors" in line]
    if faults:
        raise RuntimeError(f"wrk {url}: {'; '.join(faults)}")
    requests, took, unit = re.search(r"(\d+) requests in ([\d.]+)(ms|s|m)", result.stdout).groups()
    return int(requests), float(took) * {"ms": 0.001, "s": 1, "m": 60}[unit]


def children_of(pid):
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        yield from (task / "children").read_text("utf-8").split()


def processor_seconds(pid):
    """CPU time of a process, its threads and its children, those that have ended included."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    total = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    for child in children_of(pid):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # It has just ended.
            total += processor_seconds(child)
    return total


def running_seconds(pid):
    """CPU time of a process, of the threads that it has now, and of its children: to the nanosecond, for loads of
    some milliseconds."""
    tasks = pathlib.Path(f"/proc/{pid}/task").iterdir()
    own = sum(int((task / "schedstat").read_text("utf-8").split()[0]) for task in tasks) / 1e9
    return own + sum(running_seconds(child) for child in children_of(pid))


def resident_bytes(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text("utf-8")
    return int(status.split("VmRSS:")[1].split()[0]) * 1024


class Contender:
    """A server, pinned to a core, from its start to its end."""
    seconds_to_start = 10
    ready_path = None  # If it is not the path that is measured.
    environment = None  # If it is not that of this process.

    def __init__(self, arguments, path, log, core):
        self.url = f"http://127.0.0.1:{self.port}{path}"
        if core is not None:
            arguments = ["taskset", "-c", str(core), *arguments]
        self._arguments = list(map(str, arguments))
        self.command = shlex.join(self._arguments)
        self._log = open(log, "wb")
        self._start()

    def _start(self):
        begun = time.monotonic()
        self.process = subprocess.Popen(self._arguments, stdin=subprocess.DEVNULL, env=self.environment,
                                        stdout=subprocess.DEVNULL, stderr=self._log)
        self._wait_until_it_answers()
        self.seconds_to_ready = time.monotonic() - begun

    def _end(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(40)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def restart(self):
        self._end()
        self._start()

    def crash(self):
        """Ends without a chance to store anything, and is started again."""
        self.process.kill()
        self.process.wait()
        self._start()

    def _wait_until_it_answers(self):
        deadline = time.monotonic() + self.seconds_to_start
        while True:
            try:
                self.body(self.ready_path)
                return
            except OSError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    self.process.kill()  # It would stay alive otherwise.
                    raise RuntimeError(f"{self.name} does not answer: {self.command}") from None
                time.sleep(0.005)  # It needs the processor to start.

    def body(self, path=None):
        url = self.url if path is None else f"http://127.0.0.1:{self.port}{path}"
        with urllib.request.urlopen(url, timeout=5) as response:
            return response.read()

    def cpu_seconds(self):
        return processor_seconds(self.process.pid)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._end()
        self._log.close()


class Parley(Contender):
    name = "parley"
    ready_path = "/readyz"  # When the model is loaded.
    seconds_to_start = 60

    def __init__(self, folder, logging, core, settings=()):
        self.port = free_port()
        settings = ["server.loops=1", "metrics.listen=off", "server.max_connections_per_address=0",
                    "model.default=scripted",  # No local model is loaded, unless the settings name one.
                    f"log.level={'info' if logging else 'error'}", *settings]
        super().__init__([BINARY, "serve", "--listen", f"127.0.0.1:{self.port}",
                          "--data", folder / "data",
                          *(f"--set={setting}" for setting in settings)],
                         "/healthz", folder / "parley.log", core)

    @staticmethod
    def version():
        return subprocess.run([BINARY, "version"], capture_output=True, text=True,
                              check=True).stdout.strip()


NGINX_SETTINGS = """\
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
{user}
error_log {folder}/nginx-error.log;
events {{ worker_connections 4096; }}
http {{
    access_log {access_log};
    keepalive_requests 1000000000;
    default_type application/json;
    client_body_temp_path {folder}/temp;
    proxy_temp_path {folder}/temp;
    fastcgi_temp_path {folder}/temp;
    uwsgi_temp_path {folder}/temp;
    scgi_temp_path {folder}/temp;
    {settings}
    server {{
        listen 127.0.0.1:{port};
        root {folder}/www;
        {serving}
    }}
}}
"""


class Nginx(Contender):
    """One worker, with additional settings for nginx and for its server."""

    def __init__(self, name, folder, core, path, settings="", serving="", logging=False):
        self.name = name
        self.port = free_port()
        self.folder = folder / name.replace(" ", "-")
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / "nginx.conf"
        file.write_text(NGINX_SETTINGS.format(
            folder=self.folder, port=self.port, settings=settings, serving=serving,
            user="user root;" if os.geteuid() == 0 else "",
            access_log=f"{self.folder}/nginx-access.log" if logging else "off"), encoding="utf-8")
        super().__init__([shutil.which("nginx", path=search_path()), "-c", file], path,
                         self.folder / "nginx.log", core)


class NginxFiles(Nginx):
    """Serves a file with the given content: in a usual configuration, or tuned for small files (kept open and
    copied, which needs the fewest system calls)."""

    def __init__(self, folder, logging, content, core, tuned):
        name = "nginx tuned" if tuned else "nginx"
        www = folder / name.replace(" ", "-") / "www"
        www.mkdir(parents=True)
        (www / "hello").write_bytes(content)
        super().__init__(name, folder, core, "/hello", logging=logging,
                         settings="sendfile off; open_file_cache max=10;" if tuned else "sendfile on;")
