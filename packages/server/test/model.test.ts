/**
 * Compares the server's answers over HTTP with those of the use cases in memory, for random requests by all kinds of callers. SOJOURN_SEED
 * changes the requests, SOJOURN_RUNS_FACTOR multiplies them, and SOJOURN_REPLAY runs only the commands in a file that
 * holds the output of a failure.
 */
import { checkModel, replay, shortfalls } from "@sojourn/testing"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { httpDriver } from "./model.driver.ts"
import { oracle } from "./stores/oracle.ts"

const seed = Number(process.env.SOJOURN_SEED ?? 20260301)
const commands = Math.round(1_500 * Number(process.env.SOJOURN_RUNS_FACTOR ?? 1))
const replayed = process.env.SOJOURN_REPLAY

it.skipIf(replayed !== undefined)(
  `answers ${commands} commands as the use cases do in memory (seed ${seed})`,
  async () => {
    const report = await Effect.runPromise(checkModel({ oracle, subject: httpDriver, seed, commands, shrinkTries: 30 }))
    console.log(`${report.commands} commands, ${report.requests} requests, seed ${seed}`)
    if (process.env.SOJOURN_MET)
      console.log(Object.fromEntries([...report.met].sort(([, one], [, other]) => one - other)))
    expect(shortfalls(report), "interesting states that too few runs met").toEqual([])
  }
)

it.skipIf(replayed === undefined)("answers the replayed commands as the use cases do in memory", async () => {
  const divergence = await Effect.runPromise(
    replay({ oracle, subject: httpDriver }, JSON.parse(readFileSync(replayed!, "utf8")))
  )
  expect(divergence).toBeUndefined()
})
