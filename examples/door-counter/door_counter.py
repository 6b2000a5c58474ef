"""A door counter with Python's standard library, which behaves as door-counter.ts does.

It reads pulses from its input, a line "in" or "out" each, and sends its totals to a server. The file keeps the totals
across a power cut: a pulse is in the file before it is sent. At the end of its input it ends once the server has everything.
"""

import http.client
import json
import os
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid

URL, TOKEN, PLACE = os.environ["SOJOURN_URL"], os.environ["SOJOURN_TOKEN"], os.environ.get("SOJOURN_PLACE")
PREMISES = {"placeId": int(PLACE)} if PLACE else {"organization": True}
STATE_FILE = os.environ.get("STATE_FILE", "door-counter.json")
SEND_SECONDS = float(os.environ.get("SEND_SECONDS", "5"))
MAX_STEP = 10_000  # The server refuses larger steps, as those of a broken sensor.


def load():
    """The totals of the file. If it is missing or torn, a new epoch begins at 0."""
    try:
        with open(STATE_FILE, encoding="utf-8") as file:
            saved = json.load(file)
        return {"epoch": str(saved["epoch"]), "in": int(saved["in"]), "out": int(saved["out"])}
    except (OSError, ValueError, KeyError, TypeError):
        return {"epoch": str(uuid.uuid4()), "in": 0, "out": 0}


def save(totals):
    with open(STATE_FILE + ".new", "w", encoding="utf-8") as file:
        json.dump(totals, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(STATE_FILE + ".new", STATE_FILE)
    folder = os.open(os.path.dirname(STATE_FILE) or ".", os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def send(reading):
    """Sends a reading. Returns whether it was accepted, and after how many seconds to send again."""
    body = json.dumps({"readings": [{**PREMISES, **reading}]}).encode()
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    try:
        urllib.request.urlopen(urllib.request.Request(f"{URL}/device/count", body, headers), timeout=10).close()
        return True, SEND_SECONDS
    except urllib.error.HTTPError as error:
        if error.code < 500 and error.code not in (408, 429):
            print(f"refused with {error.code}: {error.read().decode()}", file=sys.stderr)
        after = error.headers.get("Retry-After", "")
        return False, max(SEND_SECONDS, min(int(after), 3600) if after.isdigit() else 0)
    except (OSError, http.client.HTTPException) as error:
        print(f"not sent: {error}", file=sys.stderr)
        return False, SEND_SECONDS


def count():
    """Counts the pulses. Sends never see a total that is not in the file yet."""
    global saved
    for line in sys.stdin:
        if line.strip() in ("in", "out"):
            totals = {**saved, line.strip(): saved[line.strip()] + 1}
            save(totals)
            saved = totals


saved = load()
save(saved)
counting = threading.Thread(target=count, daemon=True)
counting.start()
sent = {"in": 0, "out": 0}
while counting.is_alive() or sent["in"] < saved["in"] or sent["out"] < saved["out"]:
    reading = {**saved, **{way: min(saved[way], sent[way] + MAX_STEP) for way in sent}}
    accepted, seconds = send(reading)
    if accepted:
        sent = {way: reading[way] for way in sent}
    time.sleep(seconds)
