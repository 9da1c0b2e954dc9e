"""The life of the package on a fresh system: installed, used, upgraded in the middle of an answer, removed."""
import debian
import feeds
import installed

import program

pytestmark = [program.once, debian.full]

OLDER = "0.1.9-1"


def make_user(system):
    """As the guide "Installing" says, as soon as the server listens."""
    system.server()
    system.parley("user", "add", "ana", "--role", "operator", "--password-stdin", text="correct horse battery staple\n")
    return system.parley("token", "create", "--user", "ana", "--expires", "1h").strip()


def test_installation_first_answer_removal_and_purge(fresh, deb):
    fresh.with_service_manager()
    output = fresh.install(deb)
    assert "start" in fresh.asked_of_service_manager(), output
    fresh.server()
    assert fresh.parley("health") == "ready\n"
    assert fresh.run("stat", "-c", "%U:%G %a", "/var/lib/parley") == "parley:parley 700\n"
    assert fresh.run("cat", "/var/lib/parley/setup-link").startswith("http://127.0.0.1:")
    ana = fresh.person(make_user(fresh))
    # A stream, because its pings show that the server lives while the model waits for a busy processor.
    with ana.stream("What is the capital of France?", model="smollm2-135m", temperature=0, max_output_tokens=12) as feed:
        assert "Paris" in feeds.written(feed.until_cut()[0])
    fresh.run("apt-get", "remove", "--yes", "parley")
    assert "stop" in fresh.asked_of_service_manager()
    fresh.run("test", "-e", "/var/lib/parley/parley.db")
    fresh.run("test", "-e", "/etc/parley/parley.toml")
    fresh.run("test", "-e", "/usr/bin/parley", code=1)

    # A package that was removed comes back with its data.
    fresh.install(deb)
    fresh.server()
    assert "ana" in fresh.parley("user", "list")
    fresh.run("apt-get", "purge", "--yes", "parley")
    for path in ("/var/lib/parley", "/etc/parley", "/usr/share/parley",
                 "/etc/systemd/system/multi-user.target.wants/parley.service"):
        fresh.run("test", "-e", path, code=1)
    fresh.run("getent", "passwd", "parley", code=2)


def test_an_answer_goes_on_after_an_upgrade(fresh, deb, tmp_path_factory):
    older = installed.make_deb(tmp_path_factory.mktemp("older"), OLDER)
    fresh.with_service_manager()
    fresh.install(older)
    token = make_user(fresh)
    ana = fresh.person(token)
    before = fresh.server()
    # The old server waits 20 seconds for answers; this one takes longer.
    with ana.stream("{words:130}{delay_ms:250}", model="scripted") as feed:
        first = [feed.next() for _ in range(8)]
        fresh.asked_of_service_manager()
        fresh.install(deb)
        seen = first + feed.until_cut()[0]
    assert "restart" in fresh.asked_of_service_manager()
    assert fresh.server() != before, "the same server still runs"
    run = first[0].data["run"]["id"]
    later = fresh.person(token).events(run, after=seen[-1].number)
    events = feeds.check_events(seen + later)
    assert len(seen) < len(events) and len(feeds.written(events).split()) == 130
    assert events[-1].type == "run.completed"
    assert fresh.run("dpkg-query", "-W", "-f", "${Version}", "parley") != OLDER


def test_without_a_service_manager_nothing_is_started_and_root_is_told_which_user_to_be(fresh, deb):
    fresh.install(deb)
    fresh.run("test", "-e", "/var/lib/parley/lock", code=1)
    assert "No server runs" in fresh.parley("health", code=1)
    for command in ("user list", "doctor"):
        assert "sudo -u parley parley" in fresh.run("sh", "-c", f"HOME=/home/root parley {command} 2>&1", code=1)
    fresh.run("test", "-e", "/home/root", code=1)
