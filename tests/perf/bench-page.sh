#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The page of tryst report -f html for MESSAGES messages [900000], opened in headless Chromium: bytes, and
# seconds until it can be read and until it has all calls. A million should take 20 MB and 2 s at most.
# PAGES="a.html b.html" opens these pages in turns instead.
. "${TEST_SRC:-.}/tests/lib.sh"
need chromium chromium
need chromedriver chromium-driver
for candidate in python3 /usr/bin/python3; do
	[ -n "$python" ] || ! "$candidate" -c 'import selenium' 2>/dev/null || python=$candidate
done
[ -n "$python" ] || missing selenium python3-selenium

cat >open.py <<'END'
import os, sys, tempfile
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

for page in sys.argv[1:]:
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    options.page_load_strategy = "none"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--user-data-dir=" + tempfile.mkdtemp(dir="."), "--window-size=1300,1000"):
        options.add_argument(argument)
    browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    browser.get("file://" + os.path.abspath(page))
    WebDriverWait(browser, 120).until(lambda b: b.execute_script("return window.pageWhole"))
    made, whole = browser.execute_script("return [window.pageMade, window.pageWhole]")
    print("%s: %.1f MB, can be read after %.2f s, has all calls after %.2f s" %
          (os.path.basename(page), os.path.getsize(page) / 1e6, made / 1e3, whole / 1e3))
    browser.quit()
END
if [ -z "$PAGES" ]; then
	"$TEST_BUILD/tests/spoolgen" -n 8 -r $((${MESSAGES:-900000} / 8)) -s 7 -N 2 run >/dev/null
	"$TRYST" report -f html -o page.html run
	PAGES=$PWD/page.html
fi
for _ in 1 2 3; do
	# shellcheck disable=SC2086 # names of pages
	"$python" open.py $PAGES
done
finish
