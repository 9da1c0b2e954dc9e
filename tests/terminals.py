"""Commands of the program on a terminal, with simulated typing."""
import fcntl
import os
import pty
import select
import subprocess
import termios
import time

import program


def take_terminal():
    """Makes standard input the controlling terminal: Ctrl-C is a signal then."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Terminal:
    """A command whose input and output are a terminal."""

    def __init__(self, *arguments, home="/nonexistent", **environment):
        self.outside, inside = pty.openpty()
        self.process = subprocess.Popen(
            [program.BINARY, *arguments], stdin=inside, stdout=inside, stderr=inside,
            start_new_session=True, preexec_fn=take_terminal,
            env=program.clean_environment(HOME=str(home), TERM="xterm", **environment))
        os.close(inside)
        self.output = ""

    def read_until(self, text):
        """All output up to this text, which is then removed."""
        deadline = time.monotonic() + program.PATIENCE
        while text not in self.output:
            ready, _, _ = select.select([self.outside], [], [], deadline - time.monotonic())
            assert ready, self.output[-2000:]
            self.output += self._some()
        before, self.output = self.output.split(text, 1)
        return before

    def _some(self):
        try:
            more = os.read(self.outside, 65536)
        except OSError:  # Linux: the other side is closed.
            more = b""
        assert more, ("the command has ended", self.output[-2000:])
        return more.decode(errors="replace")

    def type(self, keys):
        """Reads while it types: a terminal buffers only a few thousand keys."""
        deadline = time.monotonic() + program.PATIENCE
        while keys:
            ready, writable, _ = select.select([self.outside], [self.outside], [],
                                               deadline - time.monotonic())
            assert ready or writable, self.output[-2000:]
            if ready:
                self.output += self._some()
            if writable:
                keys = keys[os.write(self.outside, keys[:512]):]

    def end(self):
        """Its exit code."""
        deadline = time.monotonic() + program.PATIENCE
        while time.monotonic() < deadline:
            ready, _, _ = select.select([self.outside], [], [], deadline - time.monotonic())
            try:
                more = os.read(self.outside, 65536) if ready else b""
            except OSError:
                more = b""
            if not more:
                break
            self.output += more.decode(errors="replace")
        return self.process.wait(program.PATIENCE)

    def modes(self):
        """The local modes, such as termios.ECHO."""
        return termios.tcgetattr(self.outside)[3]

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.outside)
