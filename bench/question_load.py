"""Loads servers with questions of several users (wrk). Each question begins a session, and its answer of the scripted
model is stored before the response."""
import re
import subprocess

SCRIPT = """\
local tokens = {{{tokens}}}
local turn = 0
local headers = {{["Content-Type"] = "application/json"}}
function request()
    turn = turn % #tokens + 1
    headers["Authorization"] = "Bearer " .. tokens[turn]
    return wrk.format("POST", nil, headers, '{{"message":"Where does the river begin?","model":"scripted"}}')
end
"""


def write_script(file, tokens):
    file.write_text(SCRIPT.format(tokens=",".join(f'"{token}"' for token in tokens)), encoding="utf-8")
    return file


def ask(ports, script, clients, seconds):
    """The number of answered questions of so many clients, who are spread over the servers."""
    each = max(1, clients // len(ports))
    running = [subprocess.Popen(
        ["wrk", "-t1", f"-c{each}", f"-d{seconds}s", "-s", script, f"http://127.0.0.1:{port}/v1/api/chat/query"],
        stdout=subprocess.PIPE, text=True) for port in ports]
    said = [process.communicate()[0] for process in running]
    if any("Non-2xx" in text or "requests in" not in text for text in said):
        raise RuntimeError("\n".join(said))
    return sum(int(re.search(r"(\d+) requests in", text)[1]) for text in said)
