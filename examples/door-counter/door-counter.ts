/**
 * A door counter. It reads pulses from its input, a line `in` or `out` each, and sends its totals to a server. The file keeps the totals
 * across a power cut: a pulse is in the file before it is sent. At the end of its input it ends once the server has everything.
 */
import { randomUUID } from "node:crypto"
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as pause } from "node:timers/promises"

/** SOJOURN_PLACE is a placeId; without it the device counts for the organization. */
const { SOJOURN_URL, SOJOURN_TOKEN, SOJOURN_PLACE, STATE_FILE = "door-counter.json", SEND_SECONDS = "5" } = process.env
const premises = SOJOURN_PLACE === undefined ? { organization: true } : { placeId: Number(SOJOURN_PLACE) }
/** The server refuses larger steps, as those of a broken sensor. */
const MAX_STEP = 10_000

/** The totals of the file. If it is missing or torn, a new epoch begins at 0. */
const load = () => {
  try {
    const { epoch, in: entered, out } = JSON.parse(readFileSync(STATE_FILE, "utf8"))
    if (typeof epoch === "string" && [entered, out].every(Number.isSafeInteger)) return { epoch, in: entered, out }
  } catch {}
  return { epoch: randomUUID(), in: 0, out: 0 }
}

/** Opens a file or folder, writes the text if there is one, and waits until it is on the disk. */
const sync = (path: string, flags: "w" | "r", text?: string) => {
  const file = openSync(path, flags)
  if (text !== undefined) writeFileSync(file, text)
  fsyncSync(file)
  closeSync(file)
}

const save = () => {
  sync(`${STATE_FILE}.new`, "w", JSON.stringify(totals))
  renameSync(`${STATE_FILE}.new`, STATE_FILE)
  sync(dirname(STATE_FILE), "r")
}

const totals = load()
const sent = { in: 0, out: 0 }
save()

/** How long a request may take, in milliseconds. */
const TIMEOUT_MS = 10_000

/** Sends the totals. Returns after how many seconds to send again. */
const send = async () => {
  const next = { in: Math.min(totals.in, sent.in + MAX_STEP), out: Math.min(totals.out, sent.out + MAX_STEP) }
  const response = await fetch(`${SOJOURN_URL}/device/count`, {
    method: "POST",
    headers: { authorization: `Bearer ${SOJOURN_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ readings: [{ ...premises, epoch: totals.epoch, ...next }] }),
    signal: AbortSignal.timeout(TIMEOUT_MS)
  })
  const answer = await response.text()
  if (response.ok) Object.assign(sent, next)
  else if (response.status < 500 && response.status !== 408 && response.status !== 429)
    console.error(`refused with ${response.status}: ${answer}`)
  return Number(response.headers.get("retry-after")) || 0
}

createInterface({ input: process.stdin }).on("line", (line) => {
  if (line !== "in" && line !== "out") return
  totals[line]++
  save()
})

while (!process.stdin.readableEnded || sent.in < totals.in || sent.out < totals.out) {
  const seconds = await send().catch((error) => void console.error(`not sent: ${error.cause ?? error}`))
  await pause(Math.max(Number(SEND_SECONDS), Math.min(seconds ?? 0, 3600)) * 1000)
}
