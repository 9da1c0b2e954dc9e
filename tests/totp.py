"""An authenticator app: codes of RFC 6238, computed independently of the server."""
import base64
import hashlib
import hmac
import struct
import time

STEP = 30


def code_of(secret, step):
    key = base64.b32decode(secret)
    digest = hmac.new(key, struct.pack(">Q", step), hashlib.sha1).digest()
    offset = digest[-1] & 15
    number = struct.unpack(">I", digest[offset:offset + 4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06}"


class App:
    """Gives each code once. The server accepts those of the step before, the present and the next one: the
    present and the next one are used here, so that a slow server still accepts them."""

    def __init__(self, secret):
        self.secret = secret
        self.last = 0

    def code(self):
        while (step := max(self.last + 1, int(time.time()) // STEP)) > int(time.time()) // STEP + 1:
            time.sleep(1)
        self.last = step
        return code_of(self.secret, step)
