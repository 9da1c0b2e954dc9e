"""Certificates for tests, created by the openssl command: an authority, and servers that it signs."""
import subprocess


def _openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


class Authority:
    def __init__(self, folder):
        self.folder = folder
        self.certificate = folder / "authority.pem"
        self._key = folder / "authority.key"
        _openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                 "-subj", "/CN=Authority of a test", "-days", 2, "-addext",
                 "keyUsage=critical,keyCertSign", "-keyout", self._key, "-out", self.certificate)

    def issue(self, name, serial, hosts="DNS:localhost,IP:127.0.0.1"):
        """The files of a certificate for these hosts and its key."""
        certificate, key, request = (self.folder / (name + end) for end in (".pem", ".key", ".csr"))
        extensions = self.folder / "extensions"
        extensions.write_text(f"subjectAltName={hosts}\n", encoding="utf-8")
        _openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
                 f"/CN={name}", "-keyout", key, "-out", request)
        _openssl("x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self._key,
                 "-set_serial", serial, "-days", 2, "-extfile", extensions, "-out", certificate)
        return certificate, key
