# SPDX-License-Identifier: BSD-3-Clause
"""drive.py [PAGE FACTS KIND]...: drives pages of tryst in one headless Chromium; FACTS is what each must show, as JSON.

KIND is report, diff, many (a coarse timeline), cut (calls of rank 1 lack rows), sources or hostile. Prints what is wrong, a line each; nothing: all is well.
"""
import json, os, signal, sys, tempfile
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

wrong = []


def expect(what, got, wanted):
    if got != wanted:
        wrong.append("%s: %s: got %r, wanted %r" % (kind, what, got, wanted))


def open_browser(*more):
    options = Options()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--user-data-dir=" + tempfile.mkdtemp(dir="."), "--window-size=1300,1000") + more:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    driver.set_page_load_timeout(120)
    driver.set_script_timeout(120)
    return driver


def js(script, *arguments):
    return browser.execute_script("return " + script, *arguments)


def look(driver):
    driver.get("file://" + page)
    WebDriverWait(driver, 120).until(lambda d: d.execute_script("return document.body.dataset.state") in ("whole", "failed"))


def cells(table):
    """Rows of a table as the page holds them, by the names of columns."""
    return js("""[...document.querySelectorAll('#' + arguments[0] + ' tbody tr')].map(
        tr => [...tr.children].map(td => td.dataset.value))""", table)


def heads(table):
    return js("[...document.querySelectorAll('#' + arguments[0] + ' th')].map(h => h.textContent)", table)


def as_shown(rows, columns):
    """Cells of these rows as the page writes them, all by one call."""
    return js("arguments[0].map(r => r.map(v => v === null ? '' : String(v)))", [[r[c] for c in columns] for r in rows])


def head_of(column):
    """The head of a column, as tryst's tables write it: the cells carry the unit."""
    for unit in ("_ns_per_byte", "_ns", "_bytes", "_pct"):
        if column.endswith(unit):
            column = column[:-len(unit)]
            break
    return column.replace("_", " ")


def diff_head(column, what):
    """A head of a diff's table, which says of which run it is."""
    given = {"a_ns": what + " in A", "b_ns": what + " in B", "a_count": "count in A", "b_count": "count in B",
             "b_cause": "cause in B", "change_ns": "change from A to B", "change_pct": "change in %"}
    return given.get(column) or head_of(column)


def compare_table(section, table, first=(), into=None, what=None):
    """Each number of the JSON is in the page's table, and no other. Columns `first` stand in front. Column `into` has
    all others, below its text. `what`: what two runs are compared by."""
    rows = facts.get(section) or []
    if not rows:
        return
    columns = [c for c in rows[0] if any(r[c] is not None for r in rows)]
    others = [c for c in columns if c not in first]
    known, merged = columns, others if into in columns else []
    columns = [c for c in first if c in columns] + ([] if merged else others)
    expect("columns of " + table, heads(table), [diff_head(c, what) if what else
        head_of(c) + " share" * (c.endswith("_pct") and c[:-4] in known) for c in columns])
    expect("rows of " + table, sorted(cells(table)), sorted(as_shown(rows[:200], columns)))
    if merged:
        got = js("""[...document.querySelectorAll('#' + arguments[0] + ' tbody tr')].map(tr => [...tr.querySelectorAll('.part')].map(
            p => [p.dataset.name, p.dataset.value]))""", table)
        expect("other columns of " + table, sorted([v for _, v in row] for row in got), sorted(
            as_shown([r], [c for c in merged if r[c] is not None])[0] for r in rows[:200]))
        expect("their names", sorted([n for n, _ in row] for row in got), sorted(
            [c for c in merged if r[c] is not None] for r in rows[:200]))


def shown():
    c = js("document.getElementById('timeline-canvas').dataset")
    return float(c["from"]), float(c["until"]), int(c["arrows"]), int(c["singles"])


def settle():
    browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")


def press(key):
    browser.find_element(By.ID, "timeline-canvas").send_keys(key)
    settle()


def drive_timeline():
    from_ns, until_ns, _, _ = shown()
    expect("the timeline begins", from_ns, 0.0)
    whole = until_ns
    press("+")
    from_ns, until_ns, _, _ = shown()
    expect("plus halves what is shown", round((until_ns - from_ns) / whole, 6), 0.5)
    press(Keys.ARROW_RIGHT)
    expect("an arrow key moves", shown()[0] > from_ns, True)
    press("0")
    expect("0 shows all", shown()[:2], (0.0, whole))
    browser.execute_script("""const c = document.getElementById('timeline-canvas'), b = c.getBoundingClientRect();
        c.dispatchEvent(new WheelEvent('wheel', {deltaY: -100, clientX: b.left + b.width / 2, clientY: b.top + 40, cancelable: true}))""")
    settle()
    expect("the wheel zooms", round((shown()[1] - shown()[0]) / whole, 6), 0.8)
    press("0")
    # A call that the page says it has: its words are those of the data.
    press("n")
    words = js("document.getElementById('timeline-detail').textContent")
    expect("a chosen call is told", words, js("callWords(timelineShown.view, 0)"))
    expect("it names its rank", words.startswith("rank "), True)
    press("p")
    # From the last lane up, over one that has no calls.
    expect("a step goes over ranks without calls", js("""(() => {
        const t = timelineShown, v = t.view, n = v.data.lanes.length, first = v.first.slice();
        v.first[n - 2] = v.first[n - 1];
        t.choose(v.first[n - 1]);
        t.step(-1);
        const lane = laneOf(v, t.chosen);
        v.first = first;
        return n - lane;
    })()"""), 3)
    # A click finds what is drawn there.
    browser.execute_script("""const t = timelineShown, v = t.view;
        let i = 0;
        for (let k = 0; k < v.count; k++)
            if (v.leave[k] - v.enter[k] > v.leave[i] - v.enter[i])
                i = k;
        window.longest = i;
        t.show(v.enter[i] - (v.leave[i] - v.enter[i]), 3 * (v.leave[i] - v.enter[i]));""")
    settle()
    browser.execute_script("""const t = timelineShown, v = t.view, i = window.longest, b = t.canvas.getBoundingClientRect();
        const x = t.left + ((v.enter[i] + v.leave[i]) / 2 - t.from) / (t.until - t.from) * (t.width - t.left);
        const y = t.head + (laneOf(v, i) - t.top + 0.5) * t.row;
        t.pick(x, y);""")
    expect("a click finds the call", js("timelineShown.chosen"), js("longest"))
    expect("close by, calls are drawn singly", shown()[3] > 0, True)


def drive_arrows():
    """Close to a message an arrow is drawn."""
    if not js("timelineShown.view.from.length"):
        return
    browser.execute_script("""const t = timelineShown, v = t.view, k = Math.floor(v.from.length / 2);
        const span = v.leave[v.to[k]] - v.enter[v.from[k]];
        t.show(v.enter[v.from[k]] - span, 3 * span);""")
    settle()
    expect("close by, messages have arrows", shown()[2] > 0, True)


def drive_callsites():
    rows = facts["callsites"]
    # The beginning is enough: each character typed is an event, and hostile names have thousands.
    name = rows[0]["where"][:80]
    box = browser.find_element(By.ID, "callsites-table-filter")
    box.send_keys(name)
    expect("the filter keeps these rows", len(cells("callsites-table")),
           len([r for r in as_shown(rows, list(rows[0])) if any(name.lower() in v.lower() for v in r)]))
    box.send_keys(Keys.CONTROL, "a")
    box.send_keys(Keys.DELETE)
    box.send_keys("no such name")
    expect("another keeps none", cells("callsites-table"), [])
    box.send_keys(Keys.CONTROL, "a")
    box.send_keys(Keys.DELETE)
    at = heads("callsites-table").index("wait")
    button = browser.find_elements(By.CSS_SELECTOR, "#callsites-table th button")[at]
    button.send_keys(Keys.ENTER)
    waits = [r["wait_ns"] for r in rows]
    expect("a head sorts by its column", [float(r[at]) for r in cells("callsites-table")], sorted(waits))
    expect("and says so", js("document.querySelectorAll('#callsites-table th')[arguments[0]].getAttribute('aria-sort')", at),
           "ascending")


def verdict_boxes():
    return js("[...document.querySelectorAll('#verdict .said, #verdict pre')].map(e => e.textContent)")


def drive_head():
    """The head says what ran, and losses stand above all else, if there are any."""
    head, first = js("document.querySelector('h1').textContent"), facts["summary"][0]
    time = facts["run"][0]["a_ns"] if kind == "diff" else first["run_ns"]
    ranks = ", %d rank%s," % (first["ranks"], "" if first["ranks"] == 1 else "s")
    for part in (first["program"], ranks, js("durationText(arguments[0])", time)):
        expect("the head has %s" % part, part in head, True)
    expect("losses stand first, and only if there are any", js("""[...document.querySelectorAll('#verdict .said, #verdict pre')].map(
        e => e.classList.contains('losses')).indexOf(true)"""), 0 if facts.get("losses") and kind != "runs" else -1)
    if kind == "diff":
        run = facts["run"][0]
        line = js("durationText(arguments[0]) + ' became ' + durationText(arguments[1])", run["a_ns"], run["b_ns"])
        expect("the run times are said", any(line in box for box in verdict_boxes()), True)


def drive_report():
    compare_table("bottlenecks", "bottlenecks-table", ("where", "call", "cause", "wait_ns", "worth_ns", "why", "remedy"), into="why")
    for section in ("time", "causes", "remedies", "callsites", "path", "blame", "links", "losses"):
        compare_table(section, section + "-table")
    text = " ".join(js("document.getElementById('verdict').textContent").split())
    expect("the verdict is there", "Verdict:" in text or "waiting" in text, True)
    if facts["verdict"]:
        expect("the verdict's place is there", (facts["verdict"][0]["where"] or "")[:60] in text, True)
    expect("settings say whose they are", set(js("""[...document.querySelectorAll('#settings-table td[data-head="ranks"]')].map(
        c => c.textContent)""")) <= {"all", "one of them; others differ"}, True)
    expect("lines on links are broken as sentences are", js("document.querySelectorAll('#links .said p').length > 0"), True)
    expect("the canvas has words", bool(js("document.getElementById('timeline-canvas').getAttribute('aria-label')")), True)
    drive_pictures()
    drive_schemes()
    drive_timeline()
    drive_arrows()
    drive_callsites()


def drive_width(width):
    """Nothing sticks out, charts are drawn at the width there is, and a narrow page has rows as lists."""
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            {"width": width, "height": 740, "deviceScaleFactor": 1, "mobile": False})
    settle()
    settle()
    expect("at %d columns the verdict is in the upper half" % width,
           js("document.querySelector('#verdict .said, #verdict pre').getBoundingClientRect().top < innerHeight / 2"), True)
    expect("at %d columns nothing sticks out" % width,
           js("document.documentElement.scrollWidth <= document.documentElement.clientWidth + 1"), True)
    expect("at %d columns no chart is scaled" % width, js("""[...document.querySelectorAll('svg')].filter(
        s => Math.abs(s.getBoundingClientRect().width - s.getAttribute('width')) > 1).length"""), 0)
    if width <= 900:
        expect("at %d columns no table sticks out of its place" % width, js("""[...document.querySelectorAll('.scroll')].filter(
            s => s.scrollWidth > s.clientWidth + 1).map(s => s.getAttribute('aria-label'))"""), [])
        expect("at %d columns a cell has the width there is" % width, js("""[...document.querySelectorAll('td:not(.number):not(.short)')].filter(
            c => c.offsetWidth && c.offsetWidth < 0.9 * c.parentNode.offsetWidth).length"""), 0)
        expect("at %d columns no row is cut" % width, js("""[...document.querySelectorAll('.scroll')].filter(
            s => s.scrollHeight > s.clientHeight + 1).map(s => s.getAttribute('aria-label'))"""), [])
        expect("at %d columns few rows are shown at first" % width, js("""[...document.querySelectorAll('tbody')].filter(
            b => b.rows.length > 8).length"""), 0)
        browser.find_element(By.CSS_SELECTOR, "nav button").click()
        expect("at %d columns a button opens the list of sections" % width, js("""[...document.querySelectorAll('nav a')].filter(
            a => a.offsetHeight > 0 && a.getBoundingClientRect().right <= innerWidth).length"""), js("document.querySelectorAll('section').length"))
        browser.find_element(By.CSS_SELECTOR, "nav button").click()
    elif js("!!document.querySelector('#bottlenecks-table td')"):
        if kind != "hostile":
            expect("at %d columns all of the bottlenecks is in view" % width, js("""(() => {
                const s = document.getElementById('bottlenecks-table').parentNode;
                return s.scrollWidth <= s.clientWidth + 1;
            })()"""), True)
            expect("at %d columns their reasons have room" % width, js("""[...document.querySelectorAll(
                '#bottlenecks-table td[data-head="why"]')].filter(c => c.offsetWidth < 0.3 * document.getElementById('page').offsetWidth).length"""), 0)
        at = heads("bottlenecks-table").index("remedy")
        expect("at %d columns a bottleneck's remedy begins in view" % width, js("""document.querySelectorAll(
            '#bottlenecks-table th')[arguments[0]].getBoundingClientRect().left < innerWidth - 100""", at), True)
        if width > 900:
            expect("at %d columns names of calls are whole" % width, js("""[...document.querySelectorAll(
                '#bottlenecks-table td[data-head="call"]')].filter(c => c.textContent.length < 14).map(c => {
                    const r = document.createRange();
                    r.selectNodeContents(c);
                    return r.getClientRects().length;
                }).filter(n => n !== 1)"""), [])


def drive_pictures():
    """Sizes are marked at powers of two, each prediction is drawn, and the matrix names its ranks."""
    marks = js("""[...document.querySelectorAll('#sizes .axis:first-of-type text')].map(t => t.textContent)""")
    expect("marks of sizes are powers of two: %r" % marks, [m for m in marks if float(m.split()[0]) not in [2.0 ** k for k in range(10)]], [])
    expect("there are marks", len(marks) > 1, True)
    expect("predictions are lines", js("""[...document.querySelectorAll('#sizes path.predicted')].filter(
        p => p.getAttribute('d') && !p.getAttribute('d').includes('L')).length"""), 0)
    expect("patterns have a section", js("!!document.querySelector('nav a[href=\"#patterns\"]')"), True)
    expect("the matrix has room for ranks", js("document.getElementById('matrix-canvas').clientWidth > 80"), True)


def scheme(name):
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": name}]})
    settle()
    settle()


def drive_schemes():
    """What is drawn follows a change from dark to light, and marks stand out in both."""
    for name in ("dark", "light"):
        scheme(name)
        expect("%s: marks of sizes have three times the light of the ground, or a third" % name, js("""(() => {
            const light = text => {
                const [r, g, b] = text.match(/[0-9.]+/g).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
                return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
            };
            return [...document.querySelectorAll('#sizes .mark, #blame .mark')].filter(m => {
                const a = light(getComputedStyle(m).stroke), b = light(getComputedStyle(m.closest('svg')).backgroundColor);
                return Math.max(a / b, b / a) < 3;
            }).length;
        })()"""), 0)
        expect("%s: no_cpu has its colour" % name, js("stateColour('no_cpu')"), "#ffffff" if name == "dark" else "#000000")
        expect("%s: the legend has the colours of the timeline" % name, js("""[...document.querySelectorAll('#timeline .legend span')].filter(
            s => s.textContent !== 'not recorded' && s.style.getPropertyValue('--swatch') !== stateColour(s.textContent.replace(/ /g, '_')) &&
                s.style.getPropertyValue('--swatch') !== stateColour(s.textContent)).length"""), 0)
    expect("there are marks", js("document.querySelectorAll('#sizes .mark').length > 1"), True)


def drive_sources():
    """A chosen callsite shows its source, where that was there."""
    made = json.loads(js("document.getElementById('sources').textContent"))
    expect("one file of the callsites is there", [(s["line"], s["text"][s["line"] - s["first"]]) for s in made.values()],
           [(7, "line 7 <b>of 9</b>")])
    place = list(made)[0]
    rows = browser.find_elements(By.CSS_SELECTOR, "#callsites-table tbody tr")
    row = [r for r in rows if place in r.text][0]
    row.send_keys(Keys.ENTER)
    expect("its line is brought out", js("document.querySelector('#callsites-source mark').textContent"), "     7  line 7 <b>of 9</b>")


def drive_cut():
    """Time whose calls were not recorded is no computation, and no call waited longer than it took."""
    expect("the legend has time that was not recorded", js("""[...document.querySelectorAll('#timeline .legend span')].map(
        s => s.textContent).filter(t => t === 'not recorded').length"""), 1)
    limits = js("document.getElementById('timeline-limits').textContent")
    expect("it is said below: %s" % limits, "all of them here" in limits or "was not recorded on 1 of 4 lines" not in limits, False)
    expect("its bins have no computation", js("""(() => {
        const v = timelineShown.view, b = v.data.bins, lane = 1, l = v.data.lanes[lane], last = b.states - 1;
        const after = Math.ceil(l.recorded_ns / timelineShown.end * b.count), end = Math.floor(l.end_ns / timelineShown.end * b.count);
        const part = (i, s) => v.bins[(lane * b.count + i) * b.states + s];
        let computing = 0, unknown = 0, earlier = 0;
        for (let i = 0; i < end; i++) {
            computing += i >= after ? part(i, 0) : 0;
            unknown += i >= after ? part(i, last) : 0;
            earlier += i < after - 1 ? part(i, last) : 0;
        }
        return [v.states[last], computing, unknown > 0, earlier];
    })()"""), ["not recorded", 0, True, 0])
    expect("a click there says so", js("""(() => {
        const t = timelineShown, l = t.view.data.lanes[1];
        t.show(0, t.end);
        t.pick(t.left + (l.recorded_ns + 0.9 * (l.end_ns - l.recorded_ns)) / t.end * (t.width - t.left), t.head + 1.5 * t.row);
        return t.detail.textContent.startsWith('rank 1: not recorded at ');
    })()"""), True)
    expect("behind its end it is said to have ended", js("""(() => {
        const t = timelineShown, l = t.view.data.lanes[1], end = l.end_ns;
        l.end_ns = l.recorded_ns + 0.5 * (end - l.recorded_ns);
        t.pick(t.left + (l.recorded_ns + 0.9 * (end - l.recorded_ns)) / t.end * (t.width - t.left), t.head + 1.5 * t.row);
        l.end_ns = end;
        return t.detail.textContent.startsWith('rank 1: ended at ');
    })()"""), True)
    expect("no call waited longer than it took", js("""(() => {
        const v = timelineShown.view;
        let longer = 0, waits = 0;
        for (let i = 0; i < v.count; i++) {
            longer += v.wait[i] > v.leave[i] - v.enter[i];
            waits += v.wait[i] > 0;
        }
        return [longer, waits > 100];
    })()"""), [0, True])


def drive_hostile():
    expect("no name became a script", js("window.attacked === undefined"), True)
    expect("no name became an element", js("document.querySelectorAll('img, iframe, object, b.attack').length"), 0)
    expect("a long name leaves room for the verdict", js("document.querySelector('#verdict .said').getBoundingClientRect().height < 400"), True)
    expect("names are shown as they are", "<b class=" in js("document.body.textContent"), True)


def end(signum, frame):
    raise SystemExit("%s: it took too long; so far: %s" % (kind, wrong))


def drive_page():
    signal.alarm(240)
    look(browser)
    expect("the page", js("document.body.dataset.state"), "whole")
    drive_head()
    if kind == "diff":
        for section, what in (("time", "time"), ("waits", "wait"), ("blame", "blame"), ("calls", "time")):
            compare_table(section, section + "-table", what=what)
            expect("no two heads of %s are the same" % section, len(set(heads(section + "-table"))), len(heads(section + "-table")))
    elif kind == "cut":
        drive_cut()
    elif kind not in ("alone", "runs", "sources"):
        drive_report()
    if kind == "hostile":
        drive_hostile()
    if kind == "sources":
        drive_sources()
    for width in (1900, 1280, 768, 360):
        drive_width(width)
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    for entry in browser.get_log("browser"):
        wrong.append("%s: the console says: %s" % (kind, entry["message"]))


signal.signal(signal.SIGALRM, end)
signal.alarm(240)
kind = "no page"
browser = open_browser()
try:
    for page, facts, kind in zip(*[iter(sys.argv[1:])] * 3):
        try:
            page, facts = os.path.abspath(page), json.load(open(facts))
            drive_page()
        except Exception as problem:
            wrong.append("%s: %s: %s" % (kind, type(problem).__name__, problem))
finally:
    browser.quit()
print("\n".join(wrong))
sys.exit(1 if wrong else 0)
