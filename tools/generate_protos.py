"""Generate the committed protobuf modules from protos/*.proto, or check that they are what the schemas give.

Generating needs a protoc of the 4.25 line, because what it makes runs on every protobuf from 4.25 on;
protos/README.md says how to get one. Checking needs nothing but the files: their checksums stand in
protos/checksums.txt.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROTOS = ROOT / "tensorboard_plugin_memviewer" / "protos"
CHECKSUMS = PROTOS / "checksums.txt"
PROTOC_LINE = "libprotoc 25."


def sources() -> list[Path]:
    """The schemas, in order of name."""
    return sorted(PROTOS.glob("*.proto"))


def generated_from(source: Path) -> list[Path]:
    """The module and its stub for type checkers."""
    return [source.with_name(f"{source.stem}_pb2{suffix}") for suffix in (".py", ".pyi")]


def checksums() -> str:
    """A line `sha256  file name` for every schema and what is generated from it, as far as it exists."""
    files = [file for source in sources() for file in (source, *generated_from(source)) if file.exists()]
    return "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)


def generate(python: str) -> None:
    """Run protoc through the grpc_tools of `python`; file names in the descriptors start at the package."""
    protoc = [python, "-m", "grpc_tools.protoc"]
    version = subprocess.run(
        [*protoc, "--version"], check=True, capture_output=True, text=True
    ).stdout.strip()
    if not version.startswith(PROTOC_LINE):
        sys.exit(f"{python} has {version}; a {PROTOC_LINE}x is needed: see {PROTOS / 'README.md'}")
    files = [str(source.relative_to(ROOT)) for source in sources()]
    subprocess.run([*protoc, "-I.", "--python_out=.", "--pyi_out=.", *files], check=True, cwd=ROOT)
    CHECKSUMS.write_text(checksums())


def check() -> str | None:
    """What is wrong with the committed modules, or None."""
    expected = {
        line for source in sources() for line in (source.name, *(f.name for f in generated_from(source)))
    }
    present = {file.name for file in PROTOS.iterdir() if file.suffix == ".proto" or "_pb2" in file.name}
    if present != expected:
        return f"files that lack or do not belong: {', '.join(sorted(present ^ expected))}"
    recorded = CHECKSUMS.read_text().splitlines() if CHECKSUMS.exists() else []
    changed = sorted({line.split()[-1] for line in set(recorded) ^ set(checksums().splitlines())})
    return f"changed since the modules were generated: {', '.join(changed)}" if changed else None


def main() -> int:
    """Exit status: 0 when the modules are fresh."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail where something is stale")
    parser.add_argument("--python", default=sys.executable, help="a Python with grpcio-tools 1.62")
    arguments = parser.parse_args()
    if not arguments.check:
        generate(arguments.python)
        return 0
    problem = check()
    if problem is not None:
        print(f"{PROTOS.relative_to(ROOT)}: {problem}. Run tools/generate_protos.py.", file=sys.stderr)
    return 0 if problem is None else 1


if __name__ == "__main__":
    sys.exit(main())
