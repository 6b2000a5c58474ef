/**
 * Compares the use cases on every adapter with those in memory, for random commands; concurrent requests must be linearizable.
 * SOJOURN_ADAPTERS selects adapters.
 */
import { checkModel, servicesDriver, type StartDriver } from "@sojourn/testing"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { checkAgainstMemory, oracle, scaled, seed } from "./oracle.ts"
import { ADAPTERS, adapters } from "./registry.ts"
import { twoServers } from "./twoServers.ts"

/** The number of commands per adapter. */
const COMMANDS: Readonly<Record<string, number>> = { memory: 1_500, postgres: 900 }
const COMMANDS_ELSEWHERE = 400

const check = (name: string, subject: StartDriver, most: number) => {
  const commands = scaled(most)
  it(
    `answers ${commands} commands on ${name} as in memory (seed ${seed})`,
    () => checkAgainstMemory(subject, commands),
    3_600_000
  )
}

// Organizations of cells have ids in no common order, by which the oracle lists them.
for (const [name, stores] of adapters.filter(([name]) => name !== "memory-cells")) {
  check(name, servicesDriver(stores), COMMANDS[name] ?? COMMANDS_ELSEWHERE)
}
if (adapters.some(([name]) => name === "postgres")) {
  check("two servers of one database", servicesDriver(twoServers(seed)), COMMANDS_ELSEWHERE)
}

/** A service that takes the requests of one moment in reverse, so that later ones get the smaller ids. */
const reversed: StartDriver = (pause) =>
  Effect.map(servicesDriver(ADAPTERS.memory!)(pause), (driver) => {
    let waiting: Array<() => void> = []
    let last = Promise.resolve()
    const turn = () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve)
        if (waiting.length > 1) return
        setImmediate(() => {
          for (const next of waiting.reverse()) next()
          waiting = []
        })
      })
    const perform: typeof driver.perform = (request, args) =>
      Effect.promise(async () => {
        await turn()
        const answer = last.then(() => Effect.runPromise(driver.perform(request, args)))
        last = answer.then(() => undefined)
        return answer
      })
    return { ...driver, perform }
  })

check("memory in reverse", reversed, COMMANDS_ELSEWHERE)

/** A faulty service that accepts exits before their entrances. */
const faulty: StartDriver = (pause) =>
  Effect.map(servicesDriver(ADAPTERS.memory!)(pause), (driver) => ({
    ...driver,
    perform: (request, args) =>
      Effect.map(driver.perform(request, args), (seen) =>
        seen.name === "ExitBeforeEntrance" ? { name: "Done" } : seen
      )
  }))

it("detects a faulty service, and shrinks the failure to a few steps that it replays", async () => {
  const options = { oracle, subject: faulty, seed: 20260301 }
  const found = await Effect.runPromise(Effect.flip(checkModel({ ...options, commands: 5_000 })))
  expect(found.difference).toContain("ExitBeforeEntrance")
  expect(found.steps.length, found.message).toBeLessThan(20)
  const again = await Effect.runPromise(
    Effect.flip(checkModel({ ...options, commands: 1, shrinkTries: 0, replay: found.replay }))
  )
  const withoutTokens = (steps: ReadonlyArray<string>) => steps.map((step) => step.replace(/exitToken [\w-]+/g, ""))
  expect(withoutTokens(again.steps)).toEqual(withoutTokens(found.steps))
})
