"""The page in a real headless Chromium: nothing leaves it, it fits 1280 and 400 pixels, filters, axe finds nothing.

Needs Debian's chromium and chromium-driver and the selenium package; axe-core where AXE_CORE names axe.min.js. The
whole page of a full run is looked at by axe where EVAL_LOG names its log (.ci/run does).
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evals.others import scoring
from evals.report import page
from evals.report.figures import Figures

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium (the test extra) is not installed")
WebDriverWait = pytest.importorskip("selenium.webdriver.support.ui").WebDriverWait
CHROMIUM = shutil.which("chromium")
DRIVER = shutil.which("chromedriver")
pytestmark = [
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromium-driver are not installed"),
    pytest.mark.timeout(1200),
]
OPEN = """[...document.querySelectorAll('.case > details')].slice(0, arguments[0])
    .forEach(each => each.querySelectorAll('details').forEach(inner => inner.open = true) || (each.open = true))"""
SIZES = [(1280, "light"), (1280, "dark"), (400, "light"), (400, "dark")]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for flag in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
    ):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(str(DRIVER)))
    driver.command_executor.client_config.timeout = 280  # axe on a thousand cases, on a busy machine
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page with a failed, a passed and a hostile case."""
    folder = tmp_path_factory.mktemp("page")
    passages = [
        "Foo reaches 93.1% accuracy on the Bar benchmark.",
        "An image <img src=x onerror=document.title=1> of a very_long_" + "word" * 60,
    ]
    lines = [
        {
            "question": "Fails?",
            "answer": "Foo reaches 39.1% accuracy on the Bar benchmark [1].",
            "passages": passages,
        },
        {
            "question": "Passes?",
            "answer": "Foo reaches 93.1% accuracy on the Bar benchmark [1].",
            "passages": passages,
        },
        {
            "question": "<img src=x onerror=document.title=1>",
            "answer": "<b>Hostile</b> [2].",
            "passages": passages,
        },
    ]
    answers = folder / "answers.jsonl"
    answers.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    target = folder / "page.html"
    log = scoring.score_file(answers, ())
    (folder / "log.json").write_text(json.dumps(log), "utf-8")
    target.write_text(page.render(Figures(log)), "utf-8")
    return target.as_uri()


def show(browser: Any, url: str, width: int, theme: str) -> None:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False},
    )
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]}
    )
    browser.get(url)


@pytest.mark.parametrize(("width", "theme"), SIZES)
def test_it_fits_and_nothing_leaves_it(browser: Any, url: str, width: int, theme: str) -> None:
    show(browser, url, width, theme)
    browser.execute_script("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    light = browser.execute_script("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert light == (theme == "light")
    events = [json.loads(each["message"])["message"] for each in browser.get_log("performance")]
    asked = {each["params"]["request"]["url"] for each in events if each["method"] == "Network.requestWillBeSent"}
    assert {each for each in asked if each.startswith(("http", "file"))} <= {url}
    assert browser.get_log("browser") == []
    assert browser.title.startswith("Grounding evals")


def test_it_opens_on_what_failed_and_filters_by_keyboard(browser: Any, url: str) -> None:
    show(browser, url, 1280, "light")
    shown = "return [...document.querySelectorAll('.case:not([hidden])')].map(each => each.dataset.state)"
    assert set(browser.execute_script(shown)) == {"failed"}
    words = browser.find_element("id", "words")
    words.send_keys("hostile")
    assert len(browser.execute_script(shown)) == 1
    words.clear()
    words.send_keys(" ")
    state = browser.find_element("id", "state")
    state.send_keys("all")
    assert len(browser.execute_script(shown)) == 3
    assert browser.find_element("id", "shown").text == "3 of 3 cases shown"
    first = browser.find_element("css selector", ".case summary")
    opened = browser.execute_script("return document.querySelector('.case details').open")
    first.send_keys("\ue007")
    assert browser.execute_script("return document.querySelector('.case details').open") is not opened


needs_axe = pytest.mark.skipif(
    "AXE_CORE" not in os.environ, reason="AXE_CORE does not name axe.min.js (npm install axe-core)"
)


def violations(browser: Any) -> Any:
    """What axe finds on the page as it stands."""
    for expression in (Path(os.environ["AXE_CORE"]).read_text("utf-8"), AXE):
        found = browser.execute_cdp_cmd(
            "Runtime.evaluate", {"expression": expression, "awaitPromise": True, "returnByValue": True}
        )
    return json.loads(found["result"]["value"])


AXE = """axe.run({resultTypes: ["violations"]}).then(
    found => JSON.stringify(found.violations.map(each => [each.id, each.nodes[0].html])))"""


@needs_axe
@pytest.mark.parametrize(("width", "theme"), SIZES)
def test_axe_finds_no_violation(browser: Any, url: str, width: int, theme: str) -> None:
    show(browser, url, width, theme)
    browser.execute_script(OPEN, 3)
    assert violations(browser) == []


@pytest.fixture(scope="module")
def full(url: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page as long as that of a full run."""
    if "EVAL_LOG" in os.environ:
        log = json.loads(Path(os.environ["EVAL_LOG"]).read_text("utf-8"))
    else:
        log = json.loads(Path(url.removeprefix("file://")).with_name("log.json").read_text("utf-8"))
        log["cases"] = [{**each, "id": f"{each['id']}-{n}"} for n in range(308) for each in log["cases"]]
    target = tmp_path_factory.mktemp("full") / "page.html"
    target.write_text(page.render(Figures(log)), "utf-8")
    return target.as_uri()


def test_a_full_run_is_light_until_a_case_is_opened(browser: Any, full: str) -> None:
    show(browser, full, 1280, "light")
    cases = browser.execute_script("return document.querySelectorAll('.case').length")
    assert cases >= 900
    bodies = "return document.querySelectorAll('.case .beside').length"
    assert browser.execute_script(bodies) <= 3
    browser.execute_script(OPEN, 12)
    WebDriverWait(browser, 20).until(lambda driver: driver.execute_script(bodies) == 12)
    browser.execute_script("document.querySelectorAll('.case > details').forEach(each => each.open = false)")
    WebDriverWait(browser, 20).until(lambda driver: driver.execute_script(bodies) == 0)


@needs_axe
@pytest.mark.skipif("EVAL_LOG" not in os.environ, reason="EVAL_LOG does not name the log of a full run")
@pytest.mark.parametrize(("width", "theme"), SIZES[::3])
def test_axe_finds_no_violation_on_the_whole_page_of_a_full_run(
    browser: Any, full: str, width: int, theme: str
) -> None:
    show(browser, full, width, theme)
    state = browser.find_element("id", "state")
    state.send_keys("all")
    browser.execute_script(OPEN, 12)
    assert violations(browser) == []
