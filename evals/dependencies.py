"""What citewell stands on: licences, and known holes: `python -m evals.dependencies [--audit]`.

Lists every distribution that an installed citewell needs, with its version, its licence and who asks for it; exits 1
for a licence that is unknown or does not let the MIT-licensed whole be passed on. `--audit` asks pip-audit for
published vulnerabilities; where its service cannot be reached it says so and exits 11: nothing was measured.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

_FREE = re.compile(
    r"MIT|BSD|Apache|ISC|PSF|Python Software Foundation|MPL|Mozilla|Unlicense|0BSD|HPND|Zlib|CC0|CNRI|LGPL|"
    "Public Domain",
    re.IGNORECASE,
)
_NOT_MEASURED = 11
_SECONDS = 180


@dataclass(frozen=True, slots=True)
class Part:
    """An installed distribution; `asked_by` is the one that brought it in."""

    name: str
    version: str
    licence: str
    asked_by: str


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--audit", action="store_true", help="ask for published vulnerabilities")
    given = parser.parse_args()
    found = sorted(parts("citewell"), key=lambda part: part.name)
    if given.audit:
        return audit(found)
    for part in found:
        print(f"{part.name:36} {part.version:16} {part.licence[:44]:44} {part.asked_by}")
    unclear = [part.name for part in found if not _FREE.search(part.licence)]
    print(f"{len(found)} distributions; {len(unclear)} of unclear licence: {', '.join(unclear) or '-'}")
    return 1 if unclear else 0


def parts(root: str) -> Iterator[Part]:
    """Every distribution that `root` needs here, itself left out."""
    waiting, seen = [(name, root) for name in needs(distribution(root))], {canonicalize_name(root)}
    while waiting:
        name, asked_by = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        try:
            held = distribution(name)
        except PackageNotFoundError:
            continue  # for another system or Python
        yield Part(name, held.version, licence(held), asked_by)
        waiting += [(each, name) for each in needs(held)]


def needs(held: Distribution) -> list[str]:
    """Without extras: those nobody asked for."""
    asked = map(Requirement, held.requires or ())
    return [
        canonicalize_name(each.name) for each in asked if each.marker is None or each.marker.evaluate({"extra": ""})
    ]


def licence(held: Distribution) -> str:
    """The expression it declares, else its classifiers, else the first line of its licence field or file."""
    said = held.metadata
    classified = [line.rpartition("::")[2].strip() for line in said.get_all("Classifier") or () if "License ::" in line]
    written = said.get("License-Expression") or ", ".join(classified) or said.get("License") or ""
    if not written.strip():
        files = [path for path in held.files or () if "licen" in path.name.lower() or "copying" in path.name.lower()]
        written = next((path.read_text() for path in files), "") or "unknown"
    return written.strip().splitlines()[0].strip()


def audit(found: list[Part]) -> int:
    """Exit 0: none published; 1: some, as pip-audit prints them; 11: it could not ask."""
    with tempfile.TemporaryDirectory() as folder:
        listed = Path(folder) / "requirements.txt"
        listed.write_text("".join(f"{part.name}=={part.version}\n" for part in found))
        command = [sys.executable, "-m", "pip_audit", "--no-deps", "--disable-pip", "--progress-spinner", "off"]
        try:
            done = subprocess.run([*command, "-r", str(listed)], capture_output=True, text=True, timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            print(f"not measured: the vulnerability service did not answer in {_SECONDS} s")
            return _NOT_MEASURED
    if "No module named pip_audit" in done.stderr:
        print("not measured: pip-audit is not installed (pip install pip-audit)")
        return _NOT_MEASURED
    if done.returncode and not done.stdout.strip():
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        print(f"not measured: pip-audit could not reach its service: {reason[:200]}")
        return _NOT_MEASURED
    print(done.stdout + done.stderr)
    skipped = (done.stdout + done.stderr).count("could not be audited")
    if skipped and not done.returncode:  # "no known vulnerabilities", because none was looked up
        print(f"not measured: the service knows nothing of {skipped} of {len(found)} distributions")
        return _NOT_MEASURED
    return 1 if done.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
