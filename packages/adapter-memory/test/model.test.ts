/**
 * The use cases on the stores in memory answer as the model does, whatever is asked. SOJOURN_SEED tries other commands,
 * SOJOURN_RUNS_FACTOR more of them, and SOJOURN_REPLAY, a file with the commands that a failure printed, those alone.
 */
import { checkModel, replay, servicesDriver, type StartDriver, voids } from "@sojourn/core/testing"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { layerStores } from "../src/index.ts"

const seed = Number(process.env.SOJOURN_SEED ?? 20260301)
const commands = Math.round(20_000 * Number(process.env.SOJOURN_RUNS_FACTOR ?? 1))
const replayed = process.env.SOJOURN_REPLAY

const start = servicesDriver(layerStores, seed)

it.skipIf(replayed !== undefined)(
  `answers ${commands} commands as the model does (seed ${seed})`,
  async () => {
    const report = await Effect.runPromise(checkModel(start, { seed, commands, batch: 250 }))
    console.log(`${report.commands} commands, ${report.requests} requests, seed ${seed}`)
    if (process.env.SOJOURN_MET)
      console.log(Object.fromEntries([...report.met].sort(([, one], [, other]) => one - other)))
    expect(voids(report.met, report.commands), "interesting states that were met too seldom").toEqual([])
  },
  600_000
)

it("finds a service that lies, and few commands that show it", async () => {
  const lying: StartDriver = Effect.map(start, (driver) => ({
    ...driver,
    perform: (request) =>
      Effect.map(driver.perform(request), (seen) => {
        const isLie = request._tag === "Leave" && "name" in seen && seen.name === "ExitBeforeEntrance"
        return isLie ? { name: "Done", tokens: [] } : seen
      })
  }))
  const found = await Effect.runPromise(Effect.flip(checkModel(lying, { seed, commands: 5_000, batch: 250 })))
  expect(found.divergence.expected.map(({ names }) => names)).toEqual([["ExitBeforeEntrance"]])
  expect(found.commands.at(-1)?._tag).toMatch(/^(Leave|Race)$/)
  expect(found.commands.length, found.message).toBeLessThan(12)
})

it.skipIf(replayed === undefined)("answers the replayed commands as the model does", async () => {
  const divergence = await Effect.runPromise(replay(start, JSON.parse(readFileSync(replayed!, "utf8"))))
  expect(divergence).toBeUndefined()
})
