/**
 * Compares the use cases on every adapter with those in memory, for random commands; concurrent requests must be linearizable.
 * SOJOURN_ADAPTERS selects adapters, SOJOURN_SEED changes the commands, SOJOURN_RUNS_FACTOR multiplies them, and
 * SOJOURN_REPLAY runs only the commands in a file that holds the output of a failure.
 */
import { checkModel, replay, servicesDriver, type StartDriver, shortfalls } from "@sojourn/testing"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { oracle } from "./oracle.ts"
import { ADAPTERS, adapters } from "./registry.ts"
import { twoServers } from "./twoServers.ts"

const seed = Number(process.env.SOJOURN_SEED ?? 20260301)
const factor = Number(process.env.SOJOURN_RUNS_FACTOR ?? 1)
const replayed = process.env.SOJOURN_REPLAY

/** The number of commands per adapter at a factor of 1. */
const COMMANDS: Readonly<Record<string, number>> = { memory: 30_000, postgres: 5_000 }
const COMMANDS_ELSEWHERE = 2_000

const check = async (subject: StartDriver, commands: number) => {
  const report = await Effect.runPromise(checkModel({ oracle, subject, seed, commands }))
  console.log(`${report.commands} commands, ${report.requests} requests, seed ${seed}`)
  if (process.env.SOJOURN_MET)
    console.log(Object.fromEntries([...report.met].sort(([, one], [, other]) => one - other)))
  expect(shortfalls(report), "interesting states that too few runs met").toEqual([])
}

// Organizations of cells have ids in no common order, by which the oracle lists them.
for (const [name, stores] of adapters.filter(([name]) => name !== "memory-cells")) {
  const subject = servicesDriver(stores, seed)
  const commands = Math.round((COMMANDS[name] ?? COMMANDS_ELSEWHERE) * factor)
  it.skipIf(replayed !== undefined)(
    `answers ${commands} commands on ${name} as in memory (seed ${seed})`,
    () => check(subject, commands),
    3_600_000
  )

  it.skipIf(replayed === undefined)(`answers the replayed commands on ${name} as in memory`, async () => {
    const commands = JSON.parse(readFileSync(replayed!, "utf8"))
    expect(await Effect.runPromise(replay({ oracle, subject }, commands))).toBeUndefined()
  })
}

if (adapters.some(([name]) => name === "postgres")) {
  const commands = Math.round(COMMANDS_ELSEWHERE * factor)
  it.skipIf(replayed !== undefined)(
    `answers ${commands} commands on two servers of one database as in memory (seed ${seed})`,
    () => check(servicesDriver(twoServers(seed), seed), commands),
    3_600_000
  )
}

/** A faulty service that accepts exits before their entrances. */
const faulty: StartDriver = Effect.map(servicesDriver(ADAPTERS.memory!, seed), (driver) => ({
  ...driver,
  perform: (request) =>
    Effect.map(driver.perform(request), (seen) => {
      const isFaulty = request._tag === "Leave" && "name" in seen && seen.name === "ExitBeforeEntrance"
      return isFaulty ? { name: "Done", tokens: [] } : seen
    })
}))

it("detects a faulty service, and shrinks the failure to few commands", async () => {
  const found = await Effect.runPromise(Effect.flip(checkModel({ oracle, subject: faulty, seed, commands: 5_000 })))
  expect(found.divergence.expected).toMatchObject([{ name: "ExitBeforeEntrance" }])
  expect(found.commands.at(-1)?._tag).toMatch(/^(Leave|Race)$/)
  expect(found.commands.length, found.message).toBeLessThan(20)
})
