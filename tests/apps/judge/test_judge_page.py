"""The page in headless Chromium: three judges, keyboard, reload, undo, every kind, commands that look like HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from sayso.apps.judge.items import Item, Option

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.browser

Serve = Callable[..., Any]


class Page:
    """The few things that a person does on the page."""

    def __init__(self, browser: Chrome, link: str) -> None:
        self.browser = browser
        browser.get(link)
        browser.execute_script("localStorage.clear()")
        browser.refresh()

    def find(self, selector: str) -> Any:
        return self.wait(lambda: self.all(selector)[0], selector)

    def all(self, selector: str) -> list[Any]:
        from selenium.webdriver.common.by import By

        return list(self.browser.find_elements(By.CSS_SELECTOR, selector))

    def wait(self, ready: Callable[[], Any], what: str) -> Any:
        from selenium.common.exceptions import StaleElementReferenceException
        from selenium.webdriver.support.ui import WebDriverWait

        ignored = (IndexError, StaleElementReferenceException)
        return WebDriverWait(self.browser, 20, 0.03, ignored).until(lambda _: ready(), f"waiting for {what}")

    def keys(self, *keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.browser, duration=0).send_keys(*keys).perform()

    def chord(self, held: str, key: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.browser, duration=0).key_down(held).send_keys(key).key_up(held).perform()

    def text(self, selector: str) -> str:
        """What is shown, read in one step: the page may replace an element between two."""
        return str(
            self.browser.execute_script("return document.querySelector(arguments[0])?.innerText ?? ''", selector)
        )

    def until(self, text: str, selector: str = "body") -> None:
        self.wait(lambda: text in self.text(selector), f"{text!r} in {self.text(selector)!r}")
        self.idle()

    def idle(self) -> None:
        self.wait(lambda: self.browser.execute_script("return !document.body.matches('.busy')"), "the page")

    def enter(self, name: str) -> None:
        """By keyboard: the field has the focus."""
        from selenium.webdriver.common.keys import Keys

        field = self.find("#name")
        field.clear()
        field.send_keys(name, Keys.ENTER)
        self.find("#save, #done")
        self.idle()

    def switch(self, name: str) -> None:
        self.find("#who").click()
        self.enter(name)

    def request(self) -> str:
        return self.text(".request")

    def checked(self) -> list[str]:
        """The letters of the verdicts that are filled in."""
        script = "return [...document.querySelectorAll('.candidate input:checked')].map((radio) => radio.value)"
        return list(self.browser.execute_script(script))

    def labels(self) -> list[str]:
        script = "return [...document.querySelectorAll('.line .label')].map((label) => label.innerText)"
        return list(self.browser.execute_script(script))

    def judge(self, *letters: str) -> None:
        """One letter per candidate as shown, then Enter; waits until it is saved."""
        from selenium.webdriver.common.keys import Keys

        before = self.text("#bar-text")
        self.keys(*letters, Keys.ENTER)
        self.wait(lambda: self.text("#bar-text") != before, "the progress")
        self.idle()

    def active(self) -> Any:
        return self.browser.switch_to.active_element


@pytest.fixture
def page(browser: Chrome, serve: Serve, verdicts: list[Item]) -> Iterator[Page]:
    yield Page(browser, serve(verdicts).link)


@pytest.fixture
def page_of(browser: Chrome, serve: Serve) -> Callable[[list[Item]], Page]:
    return lambda items: Page(browser, serve(items).link)


def test_three_judges_majority_alpha_and_the_second_look(page: Page) -> None:
    for name in ("ada", "ben", "cy"):
        page.enter(name) if name == "ada" else page.switch(name)
        while page.all("#save"):
            # Ben finds everything wrong, the others find everything correct.
            page.judge(*("nn" if name == "ben" else "yy"))
            if page.all(".second"):
                break
    # Cy was the last of three, so the items that differ come straight back.
    page.until("Second look: the judges differ")
    assert len(page.all(".candidate .tag")) == 2
    page.until("2 of 2 items have all their answers; judges differ on 2", "#state")
    # Each of 4 units is y n y: 1 pair of 3 agrees; alpha = 1 - 11 * 8 / (2 * 8 * 4) = -0.375.
    assert page.text("#agreement tr[data-measure=command]").split() == ["Command", "33", "%", "-0.38", "4"]

    page.switch("ben")
    page.until("Second look: the judges differ")
    assert page.checked() == ["n", "n"]
    assert page.text("#queue-second b") == "2"
    from selenium.webdriver.common.keys import Keys

    page.keys("1", "y", "2", "y", Keys.ENTER)
    page.until("judges differ on 1", "#state")
    page.until("after second look", "#agreement")


def test_keyboard_only_with_undo_pass_note_and_help(page: Page) -> None:
    from selenium.webdriver.common.keys import Keys

    page.enter("ada")
    first = page.request()
    assert page.active().tag_name == "fieldset", "the first candidate has the focus"
    page.keys("p")
    page.wait(lambda: page.request() != first, "another item after passing")
    second = page.request()
    page.keys(Keys.ENTER)
    page.until("2 candidates have no verdict yet", "#error")
    page.keys("y", "k", Keys.ENTER)
    page.until("1 candidate has no verdict yet", "#error")
    page.keys("s", "m")
    page.wait(lambda: page.active().get_attribute("id") == "note", "the note")
    page.keys("y and n are letters here", Keys.ESCAPE, Keys.ENTER)
    page.until("1 of 2 done", "header")
    assert page.text("#error") == ""
    assert page.request() == first

    page.keys("u")
    page.wait(lambda: page.request() == second, "the item that was taken back")
    assert page.checked() == ["y", "s"]
    assert page.find("#note").get_attribute("value") == "y and n are letters here"
    page.until("0 of 2 done", "header")

    page.keys("?")
    page.wait(lambda: page.find("#help").is_displayed(), "the help")
    page.find("#help button").click()
    page.wait(lambda: not page.find("#help").is_displayed(), "the page behind the help")
    page.keys("1", "j", "n", Keys.ENTER)
    page.until("1 of 2 done", "header")
    # Without single keys: Tab, arrows and Space do the same.
    page.browser.execute_script("document.getElementById('keys-on').checked = false")
    page.keys("y", Keys.TAB, Keys.SPACE)
    assert page.checked() == ["y"]
    page.keys(Keys.ARROW_DOWN, Keys.TAB, Keys.SPACE, Keys.ENTER)
    page.until("All done, thank you", "#done")
    page.until("2 of 2 done", "header")


def test_reload_keeps_the_name_the_answers_and_the_draft(page: Page) -> None:
    page.enter("ada")
    page.judge("y", "n")
    shown = page.request()
    page.keys("s")
    page.browser.refresh()
    page.find("#save")
    page.idle()
    assert page.request() == shown
    page.until("1 of 2 done", "header")
    assert page.checked() == ["s"]
    assert page.text("#who").endswith("ada")


def test_nothing_on_the_page_names_a_system_or_a_verdict_of_another(page: Page) -> None:
    page.enter("ada")
    while page.all("#save"):
        page.judge("y", "y")
    page.switch("ben")
    source = page.browser.page_source + page.browser.execute_script("return JSON.stringify({...localStorage})")
    assert "secret" not in source
    assert page.checked() == [], "the answers of others are not filled in"


def test_ask_everyone_to_look_again(page: Page) -> None:
    page.enter("ada")
    page.judge("y", "y")
    page.judge("y", "y")
    page.switch("ben")
    asked = page.request()
    page.keys("l")
    page.wait(lambda: page.active().get_attribute("id") == "again-why", "the reason")
    page.keys("hidden files?")
    page.find("#again-send").click()
    page.until("One person is asked to look again", "#status")
    page.switch("ada")
    page.until("Second look: hidden files?")
    assert page.request() == asked


def test_markup_and_odd_characters_in_commands_stay_text(page_of: Callable[[list[Item]], Page]) -> None:
    evil = [
        "<script>document.title='pwned'</script>",
        '"><img src=x onerror="document.title=\'pwned\'">',
        "echo '</code></pre><b id=injected>' & \u202etxt.exe",
        "cp ملف.txt /نسخ && echo " + "very-long-name" * 60,
    ]
    page = page_of([Item("verdicts", "<i>id</i>", "<b>list</b> & 'files'", tuple(Option(text, text) for text in evil))])
    page.enter("<img src=x onerror=document.title='pwned'>")
    assert page.request() == "<b>list</b> & 'files'"
    shown = set(
        page.browser.execute_script("return [...document.querySelectorAll('pre.command')].map((e) => e.innerText)")
    )
    assert shown == {text.replace("\u202e", "U+202E") for text in evil}
    assert not page.all("main b#injected, main img, main script")
    page.keys("y", "y", "y", "y")
    page.until("All judged", "#status")
    page.keys("l")
    page.keys("\ue00c")
    assert page.browser.title == "sayso judge"
    blocked = page.browser.execute_async_script(
        "const done = arguments[0]; const s = document.createElement('script'); s.textContent = 'window.ran = 1';"
        "document.body.append(s); setTimeout(() => done(window.ran === undefined), 50)"
    )
    assert blocked, "the policy forbids scripts that are not files of ours"


def test_a_narrow_window_needs_no_sideways_scrolling(page_of: Callable[[list[Item]], Page]) -> None:
    long = "find / -name " + "x" * 400
    page = page_of([Item("verdicts", "a", "request " * 40, (Option(long, long), Option("ls")))])
    page.browser.set_window_size(500, 800)
    try:
        page.browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": 320, "height": 640, "deviceScaleFactor": 1, "mobile": False}
        )
        page.enter("ada")
        width, inner = page.browser.execute_script(
            "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        assert width <= inner <= 320
    finally:
        page.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        page.browser.set_window_size(1200, 900)


def test_describe_flags_constants_before_saving(page_of: Callable[[list[Item]], Page]) -> None:
    from selenium.webdriver.common.keys import Keys

    page = page_of([Item("describe", "a", "head -n 5 notes.txt")])
    page.enter("ada")
    assert page.active().get_attribute("id") == "text-0"
    page.keys("Show it. Then stop.")
    page.chord(Keys.CONTROL, Keys.ENTER)
    page.until("write one single sentence", "#problem-0")
    page.active().clear()
    page.keys("show the first six lines of notes.txt")
    page.chord(Keys.CONTROL, Keys.ENTER)
    page.until("5 is in the command but not in the sentence", "#problem-0")
    page.until("Save anyway", "#save")
    page.active().clear()
    page.keys("show the first five lines of notes.txt")
    page.until("Save and next", "#save")
    page.chord(Keys.CONTROL, Keys.ENTER)
    page.until("All done, thank you", "#done")


def test_phrase_wants_two_ways_and_warns_once(page_of: Callable[[list[Item]], Page]) -> None:
    call = Item("phrase", "a", "EMAILS FILTER(isRead eq true)", canonical="Request: emails\nis read: true")
    page = page_of([call])
    page.enter("ada")
    page.until("is read: true", ".canonical")
    page.find("#text-0").send_keys("Request emails: is read true")
    page.find("#text-1").send_keys("Which mail have I seen?")
    page.find("#save").click()
    page.until("with the given wording", "#problem-0")
    page.find("#save").click()
    page.until("All done, thank you", "#done")


def test_label_lines_with_the_keyboard(page_of: Callable[[list[Item]], Page]) -> None:
    from selenium.webdriver.common.keys import Keys

    lines = ("My program", "", "./configure", "make", "make check", "sudo make install <all>")
    page = page_of([Item("label", "doc", "pkg/README", lines=lines)])
    page.enter("ada")
    assert page.active().get_attribute("role") == "listbox"
    down = Keys.ARROW_DOWN
    page.keys(down, down)
    page.chord(Keys.SHIFT, down)
    page.keys("b", down, "t", down, "i", Keys.HOME, "o", "c")
    assert page.labels() == ["", "", "build", "build", "test", "install"]
    page.keys(Keys.ENTER)
    page.until("All done, thank you", "#done")
    page.keys("u")
    page.until("Taken back", "#status")
    assert page.labels() == ["", "", "build", "build", "test", "install"]


def test_tags_with_the_keyboard_and_the_mouse(page_of: Callable[[list[Item]], Page]) -> None:
    from selenium.webdriver.common.keys import Keys

    tags = ("plots", "uses names above", "<b>several</b> statements")
    page = page_of([Item("tags", "t", "Draw it & show", lines=("df.plot()", "plt.show()"), classes=tags)])
    page.enter("ada")

    def chosen() -> list[str]:
        script = "return [...document.querySelectorAll('.tags input:checked')].map((box) => box.value)"
        return list(page.browser.execute_script(script))

    keys = page.browser.execute_script("return [...document.querySelectorAll('.tags kbd')].map((key) => key.innerText)")
    assert len(set(keys)) == 3 and not set(keys) & set("uplm?")
    page.keys(keys[0], keys[2])
    assert chosen() == [tags[0], tags[2]]
    page.keys(keys[2])
    page.find("label[data-tag^=uses]").click()
    assert chosen() == [tags[0], tags[1]]
    assert "<b>several</b>" in page.text(".tags") and "plt.show()" in page.text("article pre")
    page.keys(Keys.ENTER)
    page.until("All done, thank you", "#done")
    page.keys("u")
    page.until("Taken back", "#status")
    assert chosen() == [tags[0], tags[1]]


def test_a_server_that_went_away_is_said_and_nothing_is_lost(page: Page) -> None:
    from selenium.webdriver.common.keys import Keys

    page.enter("ada")
    page.browser.execute_cdp_cmd("Network.enable", {})
    offline = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
    page.browser.execute_cdp_cmd("Network.emulateNetworkConditions", offline)
    try:
        page.keys("y", "n", Keys.ENTER)
        page.until("The server does not answer", "#error")
    finally:
        page.browser.execute_cdp_cmd(
            "Network.emulateNetworkConditions",
            {**offline, "offline": False, "downloadThroughput": -1, "uploadThroughput": -1},
        )
        page.browser.execute_cdp_cmd("Network.disable", {})
    page.keys(Keys.ENTER)
    page.until("1 of 2 done", "header")


def test_a_wrong_link_shows_nothing(browser: Chrome, serve: Serve, verdicts: list[Item]) -> None:
    server = serve(verdicts)
    page = Page(browser, f"http://127.0.0.1:{server.port}/#guess")
    page.until("does not belong to the server that runs now", "#error")
    assert "srv" not in browser.page_source
    page.browser.get(server.link)
    page.enter("ada")
    assert page.request()


def test_the_token_leaves_the_address_bar_and_no_other_port_sees_it(page: Page, serve: Serve) -> None:
    from http.server import BaseHTTPRequestHandler, HTTPServer
    from threading import Thread

    heard: list[str] = []

    class Neighbour(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.append(str(self.headers))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    page.enter("ada")
    browser = page.browser
    token = browser.execute_script("return sessionStorage.getItem('sayso-token')")
    assert token and "#" not in browser.current_url
    assert browser.execute_script("return document.cookie") == "" and browser.get_cookies() == []
    assert token not in browser.page_source
    assert token not in browser.execute_script("return JSON.stringify(localStorage)")
    browser.refresh()
    page.find("#save")
    with HTTPServer(("127.0.0.1", 0), Neighbour) as neighbour:
        Thread(target=neighbour.serve_forever, daemon=True).start()
        browser.get(f"http://127.0.0.1:{neighbour.server_port}/")
        neighbour.shutdown()
    assert heard and token not in "".join(heard) and "Cookie" not in "".join(heard)
