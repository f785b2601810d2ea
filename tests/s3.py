"""An S3 on loopback: moto's server, for tests of log folders at a URL."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from uuid import uuid4

__all__ = ["loopback_s3", "new_bucket"]

_KEYS = {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_MAX_ATTEMPTS": "1",
    "NO_PROXY": "127.0.0.1",
}


@contextmanager
def loopback_s3() -> Iterator[Mapping[str, str]]:
    """Serve S3 in the body of a ``with``; yield the environment of those who use it.

    The environment is set in this process too.
    """
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    environment = _KEYS | {"AWS_ENDPOINT_URL": f"http://{host}:{port}"}
    before = {name: os.environ.get(name) for name in environment}
    os.environ.update(environment)
    try:
        yield environment
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
        server.stop()


def new_bucket() -> str:
    """Create a bucket, and return its URL."""
    import s3fs

    url = f"s3://bucket-{uuid4().hex[:12]}"
    s3fs.S3FileSystem(skip_instance_cache=True).mkdir(url)
    return url
