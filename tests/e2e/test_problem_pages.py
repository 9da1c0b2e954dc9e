"""/problems: the meaning of each error, for people and for programs."""
import html.parser
import urllib.parse

import pytest

import wire

# The codes of all problems of this server.
STATUS_OF = {
    "invalid_request": 400, "invalid_json": 400, "not_found": 404, "method_not_allowed": 405,
    "not_acceptable": 406, "request_timeout": 408, "body_too_large": 413, "uri_too_long": 414,
    "unsupported_media_type": 415, "expectation_failed": 417, "validation_failed": 422,
    "headers_too_large": 431, "internal": 500, "not_implemented": 501, "overloaded": 503,
    "shutting_down": 503,
}
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"


def ask(server, target, accept=None, method="GET"):
    with wire.Connection(server.address) as connection:
        return connection.ask(method, target, {} if accept is None else {"Accept": accept})


class Page(html.parser.HTMLParser):
    """Collects the links and the text of a page, and checks that its elements are closed."""
    VOID = {"meta", "link", "br", "hr", "img", "input"}

    def __init__(self, text):
        super().__init__()
        self.open, self.links, self.text, self.tags = [], [], "", set()
        self.feed(text)
        self.close()
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "a":
            self.links += [value for name, value in attrs if name == "href"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] != ["style"]:
            self.text += data


def test_the_list_tells_of_every_problem(server):
    listed = ask(server, "/problems").json()
    assert listed["object"] == "list"
    told = {problem["code"]: problem["status"] for problem in listed["data"]}
    assert told.items() >= STATUS_OF.items()


@pytest.mark.parametrize("code", STATUS_OF)
def test_every_problem_has_a_page_in_both_forms(server, code):
    as_json = ask(server, f"/problems/{code}")
    assert as_json.status == 200 and as_json.header("content-type") == "application/json"
    told = as_json.json()
    assert told["code"] == code and told["status"] == STATUS_OF[code]
    assert told["title"] and len(told["explanation"]) > 40

    as_page = ask(server, f"/problems/{code}", BROWSER)
    assert as_page.status == 200
    assert as_page.header("content-type") == "text/html; charset=utf-8"
    page = Page(as_page.body.decode())
    assert told["title"] in page.text and told["explanation"] in page.text and code in page.text
    for response in (as_json, as_page):
        assert "accept" in response.header("vary").lower()


def test_pages_bring_no_script_and_forbid_it(server):
    for target in ("/problems", "/problems/not_found"):
        response = ask(server, target, BROWSER)
        assert "script" not in Page(response.body.decode()).tags
        policy = response.header("content-security-policy")
        assert "default-src 'none'" in policy and "unsafe-eval" not in policy


def test_links_lead_somewhere(server):
    base = server.url("/problems")
    seen = set()
    for link in Page(ask(server, "/problems", BROWSER).body.decode()).links:
        path = urllib.parse.urlsplit(urllib.parse.urljoin(base, link)).path
        page = ask(server, path, BROWSER)
        assert page.status == 200
        back = [urllib.parse.urljoin(server.url(path), link) for link in
                Page(page.body.decode()).links]
        assert base in back
        seen.add(path.rpartition("/")[2])
    assert seen >= set(STATUS_OF)


@pytest.mark.parametrize("accept, form", [
    (None, "json"), ("*/*", "json"), ("application/json", "json"), (BROWSER, "html"),
    ("text/html", "html"), ("text/*", "html"), ("application/*", "json"),
    ("application/problem+json", "json"), ("text/html;q=0.5, application/json", "json"),
    ("text/html, application/json;q=0.5", "html"), ("TEXT/HTML", "html"),
    ("text/html;q=0.001", "html"),
    ("text/html;q=nonsense, application/json;q=0.1", "json"),
])
def test_the_form_follows_what_the_client_accepts(server, accept, form):
    for target in ("/problems", "/problems/not_found"):
        response = ask(server, target, accept)
        assert response.status == 200
        assert form in response.header("content-type")


@pytest.mark.parametrize("accept", ["image/png", "text/plain", "*/*;q=0", "application/xml",
                                    "text/html;q=0, application/json;q=0"])
def test_a_form_that_does_not_exist(server, accept):
    for target in ("/problems", "/problems/not_found"):
        response = ask(server, target, accept)
        assert response.status == 406 and response.json()["code"] == "not_acceptable"


def test_a_code_that_is_not_there(server):
    for target in ("/problems/nonsense", "/problems/%3Cscript%3E", "/problems/NOT_FOUND"):
        for accept in (None, BROWSER):
            response = ask(server, target, accept)
            assert response.status == 404
            assert response.header("content-type") == "application/problem+json"
            assert b"<" not in response.body
