"""An OpenID provider for tests: oidc-provider from npm, a certified one, on this machine, with PKCE required. And a
browser that logs in there."""
import contextlib
import json
import pathlib
import re
import subprocess
import tempfile
import time
import urllib.parse

import httpx

import node
import program

HERE = pathlib.Path(__file__).resolve().parent / "provider"
OLDEST = (20, 0)
SECRET = "a secret: of at least 32 characters & more"
PUBLIC_URL = "https://chat.example.org"


class Provider:
    """`users`: claims by subject; both can be changed at any time with put()."""

    def __init__(self, folder, **options):
        self.folder = folder
        self.options = {"secret": SECRET, "redirect_uri": PUBLIC_URL + "/", **options}
        self.file = folder / "users.json"
        self.file.write_text("{}", "utf-8")
        self.process = None
        self.issuer = None
        self.start()

    def start(self):
        for _ in range(10):
            self._launch()
            if self.issuer:
                break
            self.process.wait()  # After a stop, another program may have its port for a moment.
            time.sleep(1)
        assert self.issuer, "the provider does not start"
        self.options["port"] = int(self.issuer.rpartition(":")[2])

    def _launch(self):
        packages = node.packages(HERE, node.cache() / "npm-provider", OLDEST)
        self.process = subprocess.Popen(
            [*node.commands(OLDEST)[0], HERE / "serve.mjs", packages, self.file, json.dumps(self.options)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.issuer = self.process.stdout.readline().strip()

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def put(self, subject, **claims):
        users = json.loads(self.file.read_text("utf-8"))
        users[subject] = claims
        self.file.write_text(json.dumps(users), "utf-8")

    def settings(self, **more):
        """The settings of a server that uses it."""
        secret = self.folder / "secret"
        secret.write_text(SECRET + "\n", "utf-8")
        secret.chmod(0o600)
        return {"server.public_url": PUBLIC_URL, "oidc.issuer": self.issuer, "oidc.client_id": "parley",
                "oidc.client_secret_file": secret, "oidc.scopes": "openid,profile,email,groups",
                **{f"oidc.{name}": value for name, value in more.items()}}

    def visit(self, url, subject):
        """A browser that goes to the provider and logs in. Returns the parameters that it comes back with."""
        with httpx.Client(timeout=program.PATIENCE) as browser:
            answer = browser.get(url)
            for _ in range(10):
                if answer.is_redirect:
                    url = urllib.parse.urljoin(str(answer.url), answer.headers["Location"])
                    if not url.startswith(self.issuer):
                        assert url.startswith(PUBLIC_URL + "/?"), url
                        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
                    answer = browser.get(url)
                else:
                    form = re.search(r'action="([^"]+)"', answer.text)
                    assert answer.status_code == 200 and form, answer.text
                    answer = browser.post(urllib.parse.urljoin(str(answer.url), form[1]),
                                          data={"prompt": "login", "login": subject, "password": "x"})
        raise AssertionError("the provider never sends the browser back")


@contextlib.contextmanager
def provider(**options):
    with tempfile.TemporaryDirectory(prefix="parley-provider-") as folder:
        opened = Provider(pathlib.Path(folder), **options)
        try:
            yield opened
        finally:
            opened.stop()
