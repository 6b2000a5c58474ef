/**
 * The use cases on every adapter answer as the model does, whatever is asked; requests at one moment as in some order.
 * SOJOURN_ADAPTERS names adapters, SOJOURN_SEED tries other commands, SOJOURN_RUNS_FACTOR more of them, and
 * SOJOURN_REPLAY, a file with the commands that a failure printed, those alone.
 */
import {
  checkModel,
  inStep,
  replay,
  servicesDriver,
  SOMETIMES,
  SOMETIMES_WITH_FEED,
  type StartDriver,
  voids
} from "@sojourn/testing"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { adapter, adapters } from "./registry.ts"

const seed = Number(process.env.SOJOURN_SEED ?? 20260301)
const factor = Number(process.env.SOJOURN_RUNS_FACTOR ?? 1)
const replayed = process.env.SOJOURN_REPLAY

/** How many commands each adapter is given at a factor of 1: real connections take their time. */
const COMMANDS: Readonly<Record<string, number>> = { memory: 20_000, postgres: 5_000 }
const COMMANDS_IN_STEP = 2_000

const check = async (start: StartDriver, commands: number) => {
  const report = await Effect.runPromise(checkModel(start, { seed, commands, batch: 250 }))
  console.log(`${report.commands} commands, ${report.requests} requests, seed ${seed}`)
  if (process.env.SOJOURN_MET)
    console.log(Object.fromEntries([...report.met].sort(([, one], [, other]) => one - other)))
  const usual = report.feed ? SOMETIMES_WITH_FEED : SOMETIMES
  expect(voids(report.met, report.commands, usual), "interesting states that were met too seldom").toEqual([])
}

for (const [name, stores] of adapters) {
  const start = servicesDriver(stores, seed)
  const commands = Math.round((COMMANDS[name] ?? 2_000) * factor)
  it.skipIf(replayed !== undefined)(
    `answers ${commands} commands on ${name} as the model does (seed ${seed})`,
    () => check(start, commands),
    3_600_000
  )

  it.skipIf(replayed === undefined)(`answers the replayed commands on ${name} as the model does`, async () => {
    const divergence = await Effect.runPromise(replay(start, JSON.parse(readFileSync(replayed!, "utf8"))))
    expect(divergence).toBeUndefined()
  })
}

const memory = servicesDriver(adapter("memory"), seed)

for (const [name, stores] of adapters.filter(([name]) => name !== "memory")) {
  const commands = Math.round(COMMANDS_IN_STEP * factor)
  it.skipIf(replayed !== undefined)(
    `answers ${commands} commands on ${name} to the letter as in memory (seed ${seed})`,
    () => check(inStep(memory, servicesDriver(stores, seed)), commands),
    3_600_000
  )
}

/** A service that says of every exit too early that it is done. */
const lying: StartDriver = Effect.map(memory, (driver) => ({
  ...driver,
  feed: false,
  perform: (request) =>
    Effect.map(driver.perform(request), (seen) => {
      const isLie = request._tag === "Leave" && "name" in seen && seen.name === "ExitBeforeEntrance"
      return isLie ? { name: "Done", tokens: [] } : seen
    })
}))

it("finds a service that lies, and few commands that show it", async () => {
  const found = await Effect.runPromise(Effect.flip(checkModel(lying, { seed, commands: 5_000, batch: 250 })))
  expect(found.divergence.expected.map(({ names }) => names)).toEqual([["ExitBeforeEntrance"]])
  expect(found.commands.at(-1)?._tag).toMatch(/^(Leave|Race)$/)
  expect(found.commands.length, found.message).toBeLessThan(20)
})

it("finds two services that answer differently", async () => {
  const found = await Effect.runPromise(
    Effect.flip(checkModel(inStep(memory, lying), { seed, commands: 5_000, batch: 250 }))
  )
  expect(JSON.stringify(found.divergence.got)).toContain("differs: ")
})
