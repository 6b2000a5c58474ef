/** Servers that share rate limits grant each caller one limit in total, whichever of them the caller uses. */
import { issuerKey } from "@sojourn/server"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { temporaryFolder } from "../folders.ts"
import { forThisFile } from "../forThisFile.ts"
import { makeClient } from "../faults/client.ts"
import { postgresHost } from "../faults/PostgresHost.ts"
import { userToken } from "../faults/town.ts"
import { program } from "../faults/SojournProcess.ts"

const MOST = 11
/** Servers count each other every few seconds. */
const LATEST = { timeout: 60_000, interval: 200 }

const data = temporaryFolder()
const postgres = forThisFile(await postgresHost())
await postgres.create("sojourn")
const client = forThisFile(makeClient())

const start = () => {
  const storage = ["--data", data, "--storage", "postgres", "--database-url", postgres.url("sojourn")]
  const limits = ["--rate-limit", `${MOST}/1h`, "--rate-limit-store", "postgres"]
  return program("serve", "--port", "0", "--request-log", "off", ...storage, ...limits)
}

let callers = 0

/** The number of served requests of a new caller who sends each server more than the limit. */
const served = async (baseUrls: ReadonlyArray<string>): Promise<number> => {
  const key = await Effect.runPromise(issuerKey(data))
  const token = await userToken(key, `caller-${++callers}`)
  let times = 0
  for (const baseUrl of baseUrls) {
    for (let nth = 0; nth <= MOST; nth++) {
      const { status } = await client.ask(baseUrl, { method: "GET", path: "/organization", token })
      if (status !== 429) times++
    }
  }
  return times
}

it("each of n servers grants 1/n of a limit, also after servers start and stop", async () => {
  const one = start()
  const first = await one.listening
  expect(await served([first])).toBe(MOST)
  const other = start()
  const both = [first, await other.listening]
  // Each grants half of 11, rounded up.
  await expect.poll(() => served(both), LATEST).toBe(12)
  expect((await other.end()).code).toBe(0)
  await expect.poll(() => served([first]), LATEST).toBe(MOST)
  expect((await one.end()).code).toBe(0)
})
