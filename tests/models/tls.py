"""A certificate for 127.0.0.1 and localhost, or for other names, signed by a CA that exists only during the test."""

import shutil
import subprocess

NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc")
DAYS = 2
NAMES = ("IP:127.0.0.1", "DNS:localhost")


def _openssl(*arguments):
    run = subprocess.run(["openssl", *map(str, arguments)], capture_output=True, text=True)
    if run.returncode != 0:
        raise RuntimeError(f"openssl {arguments[0]} failed: {run.stderr.strip()}")


def make_certificate(directory, ca_file, names=NAMES, days=DAYS):
    """Writes the CA's certificate to ca_file; returns the paths of the server's certificate and key. Negative days make
    an expired certificate."""
    ca, ca_key = directory / "ca.pem", directory / "ca.key"
    certificate, key, request, extensions = (directory / name for name in ("tls.pem", "tls.key", "tls.csr", "tls.ext"))
    _openssl("req", "-x509", *NEW_KEY, "-keyout", ca_key, "-out", ca, "-days", DAYS, "-subj",
             "/CN=model server test CA",
             "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign")
    _openssl("req", "-new", *NEW_KEY, "-keyout", key, "-out", request, "-subj", "/CN=localhost")
    extensions.write_text(f"subjectAltName={','.join(names)}\nextendedKeyUsage=serverAuth\n")
    _openssl("x509", "-req", "-in", request, "-CA", ca, "-CAkey", ca_key, "-CAcreateserial", "-out", certificate,
             "-days", days, "-extfile", extensions)
    shutil.copyfile(ca, ca_file)
    return certificate, key
