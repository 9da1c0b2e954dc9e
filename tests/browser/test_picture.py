"""The picture in the README shows the current app: a conversation with a model on another server."""
import re

import program
from flows import long
import upstream_ways
import upstreams

ANSWER = """About **a metre**: tides there come and go every 12 hours and 25 minutes.

```python
from math import cos, pi

def height(hours: float, mean=6.8, range=5.9) -> float:
    \"""The height of the water, in metres.\"""
    return mean + range * cos(2 * pi * hours / 12.42)
```

| | Brest | Bristol |
|---|---:|---:|
| High | 6.9 m | 12.6 m |
| Low | 1.1 m | 0.9 m |
"""
KEPT = program.ROOT / "docs/web-app.svg"
DRAWN = program.ROOT / "build/pictures/web-app.svg"


def words(picture):
    return re.findall(r"<text[^>]*>(.*?)</text>", picture)


@long
def test_the_picture_shows_this_app(flow, with_ana, tmp_path, monkeypatch):
    def qwen(it):
        it.begin()
        it.rest(re.findall(r"\S*\s*", ANSWER)[:-1])
    monkeypatch.setitem(upstream_ways.HOW, "qwen", qwen)
    with upstreams.mock() as mock:
        settings = upstreams.settings_of(mock, upstreams.write_key(tmp_path), "qwen")
        server = with_ana(settings={**settings, "model.default": "qwen"})
        picture = flow(server, "drawing.mjs", "a_conversation")
    DRAWN.write_text(picture, encoding="utf-8")
    assert len(picture) < 40_000
    assert words(picture) == words(KEPT.read_text(encoding="utf-8")), \
        f"cp {DRAWN} {KEPT}, if it looks good"
