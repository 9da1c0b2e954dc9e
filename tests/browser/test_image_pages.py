"""Images in the web app, with a model on another server that sees them."""
import upstreams


def test_images(with_ana, flow, tmp_path):
    with upstreams.mock() as mock:
        settings = upstreams.settings_of(mock, upstreams.write_key(tmp_path), "ok")
        server = with_ana(settings={**settings, "model.default": "ok"})
        flow(server, "images.mjs", "shows_images", asked=lambda: mock.asked("ok")[-1]["messages"])
