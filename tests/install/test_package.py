"""The Debian package: its content, and that the same sources give the same bytes."""
import hashlib
import re
import subprocess

import debian
import installed

import program

pytestmark = program.once


def field(deb, name):
    return subprocess.run(["dpkg-deb", "--field", deb, name], check=True, capture_output=True, text=True).stdout.strip()


def test_the_package_says_what_it_needs(deb):
    arch = subprocess.run(["dpkg", "--print-architecture"], check=True, capture_output=True, text=True).stdout.strip()
    assert deb.name == f"parley_{field(deb, 'Version')}_{arch}.deb"
    needed = field(deb, "Depends")
    for library in ("libc6 (>= ", "libsqlite3-0 (>= ", "libssl3", "libsodium23", "adduser", "tzdata"):
        assert library in needed, needed
    assert "-dev" not in needed and "clang" not in needed


def test_a_release_is_newer_than_the_commits_before_it(deb):
    version = field(deb, "Version")
    release = re.match(r"[\d.]+", version)[0]
    if "~" in version:
        subprocess.run(["dpkg", "--compare-versions", version, "lt", f"{release}-1"], check=True)
    subprocess.run(["dpkg", "--compare-versions", version, "gt", "0.1.9-1"], check=True)


def test_files_belong_to_root_and_the_settings_are_kept(deb):
    listed = subprocess.run(["dpkg-deb", "--contents", deb], check=True, capture_output=True, text=True).stdout
    owners = {line.split()[1] for line in listed.splitlines()}
    assert owners == {"root/root"}
    assert not [line for line in listed.splitlines() if re.match(r".{8}w", line)], "others could write"
    control = subprocess.run(["dpkg-deb", "--ctrl-tarfile", deb], check=True, capture_output=True).stdout
    conffiles = subprocess.run(["tar", "-xO", "./conffiles"], input=control, check=True, capture_output=True).stdout
    assert conffiles == b"/etc/parley/parley.toml\n"


@debian.full
def test_the_same_sources_give_the_same_bytes(deb, tmp_path):
    again = installed.make_deb(tmp_path)
    digests = {hashlib.sha256(each.read_bytes()).hexdigest() for each in (deb, again)}
    assert len(digests) == 1 and deb.name == again.name


def test_an_archive_of_the_sources_is_the_same_each_time():
    made = []
    for _ in range(2):
        name = subprocess.run([program.ROOT / "tools/dist"], check=True, capture_output=True, text=True).stdout.strip()
        file = program.ROOT / name
        made.append(file.read_bytes())
        subprocess.run(["sha256sum", "--check", "--quiet", file.name + ".sha256"], cwd=file.parent, check=True)
    assert made[0] == made[1]


def test_the_version_is_that_of_the_tag_or_of_the_commit_also_in_an_archive(tmp_path):
    def run(*words, cwd=tmp_path / "clone"):
        done = subprocess.run(words, cwd=cwd, check=True, capture_output=True, text=True,
                              env=program.clean_environment(GIT_AUTHOR_DATE="1700000000 +0100",
                                                            GIT_COMMITTER_DATE="1700000000 +0100"))
        return done.stdout.strip()

    def of_archive():
        run("sh", "-c", "rm -rf ../archive && git archive --prefix=../archive/ HEAD | tar --extract --absolute-names")
        return run("../archive/tools/version"), run("../archive/tools/version", "--epoch")

    for name in ("tools/version", "packaging/commit.txt", "CMakeLists.txt", ".gitattributes"):
        target = tmp_path / "clone" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((program.ROOT / name).read_bytes())
    (tmp_path / "clone/tools/version").chmod(0o755)
    run("git", "init", "--quiet")
    run("git", "add", "--all")
    run("git", "-c", "user.name=Ana", "-c", "user.email=ana@example.org", "commit", "--quiet", "--message", "One")
    number = re.search(r"project\(parley VERSION ([\d.]+)", (program.ROOT / "CMakeLists.txt").read_text())[1]
    commit = run("git", "rev-parse", "HEAD")
    unreleased = f"{number}~git202311142213.{commit[:7]}"
    assert run("tools/version") == unreleased and of_archive() == (unreleased, "1700000000")
    run("git", "tag", f"v{number}")
    assert run("tools/version") == number and of_archive() == (number, "1700000000")
