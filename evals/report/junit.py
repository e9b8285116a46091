"""The run as JUnit XML: one test a case, one a gate; failure, error and skipped apart."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

from evals.report.figures import Figures

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Figures) -> str:
    root = ElementTree.Element("testsuites", name="citewell eval")
    kinds = sorted({entry["kind"] for entry in report.log["cases"]})
    times = report.log["times"]["cases"]
    for kind in kinds:
        mine = [entry for entry in report.log["cases"] if entry["kind"] == kind]
        suite = ElementTree.SubElement(root, "testsuite", name=kind)
        for entry in mine:
            _case(suite, entry, times.get(f"{entry['id']}#{entry['repeat']}", 0.0))
        _count(suite)
    if report.gates:
        suite = ElementTree.SubElement(root, "testsuite", name="gates")
        for gate in report.gates:
            test = ElementTree.SubElement(suite, "testcase", classname="gates", name=_clean(gate.name))
            tag = {"failed": "failure", "unmeasured": "error", "skipped": "skipped"}.get(gate.state)
            if tag:
                ElementTree.SubElement(test, tag, message=_clean(gate.why))
        _count(suite)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _case(suite: ElementTree.Element, entry: Mapping[str, Any], seconds: float) -> None:
    repeat = f" (repeat {entry['repeat']})" if entry["repeat"] > 1 else ""
    name = _clean(entry["id"] + repeat)
    test = ElementTree.SubElement(suite, "testcase", classname=entry["kind"], name=name, time=f"{seconds:.4f}")
    if entry["error"]:
        told = ElementTree.SubElement(
            test, "error", type=entry["error"]["type"], message=_clean(entry["error"]["message"])
        )
        told.text = _clean(entry["question"])
    elif entry["failures"]:
        told = ElementTree.SubElement(test, "failure", message=_clean(entry["failures"][0]))
        told.text = _clean("\n".join((entry["question"], *entry["failures"])))


def _count(suite: ElementTree.Element) -> None:
    suite.set("tests", str(len(suite)))
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(attribute, str(sum(test.find(tag) is not None for test in suite)))


def _clean(text: str) -> str:
    """Characters that XML cannot hold are shown as their escape."""
    return _NOT_XML.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
