import { parseArgs } from "node:util"
import { Data, Effect } from "effect"
import type { Live, Scene } from "./live.ts"

/** The scenes that the project measures itself by. */
export const SCENES: ReadonlyArray<Scene> = [
  { name: "crowd", subscribers: 200, perSecond: 2_000 },
  { name: "open-transaction", subscribers: 200, perSecond: 2_000, hasOpenTransaction: true },
  { name: "fan-out", subscribers: 1_000, perSecond: 10 },
  { name: "slow-reader", subscribers: 20, perSecond: 1_000, hasSlowReader: true },
  { name: "idle", subscribers: 5_000, perSecond: 1 },
  { name: "silent", subscribers: 20, silent: 10_000, perSecond: 4 }
]

/** The scene of counters, in which nothing moves. */
const COUNTERS = "counters"

/** The scenes of webhooks. */
const WEBHOOKS = "webhooks"

export const USAGE = `usage: npm run live -- [scenes...] [--seconds N] [-- flags of the server]

  scenes     ${SCENES.map(({ name }) => name).join(", ")}, ${COUNTERS}, ${WEBHOOKS} (default: all)
  --seconds  how long movements arrive in each (default 20)`

/** The command was not called as its usage says. */
export class WrongArguments extends Data.TaggedError("WrongArguments")<{ readonly reason: string }> {
  override get message(): string {
    return `${this.reason}\n${USAGE}`
  }
}

/** Reads the command line. */
export const readArguments = (args: ReadonlyArray<string>): Effect.Effect<Live, WrongArguments> =>
  Effect.try({
    try: () => {
      const end = args.includes("--") ? args.indexOf("--") : args.length
      const { positionals, values } = parseArgs({
        args: args.slice(0, end),
        options: { seconds: { type: "string", default: "20" } },
        allowPositionals: true
      })
      if (!/^[1-9]\d{0,3}$/.test(values.seconds)) throw new Error(`${values.seconds} is no number of seconds`)
      const scenes = positionals
        .filter((name) => name !== COUNTERS && name !== WEBHOOKS)
        .map((name) => {
          const scene = SCENES.find((one) => one.name === name)
          if (scene === undefined) throw new Error(`there is no scene ${JSON.stringify(name)}`)
          return scene
        })
      const flags = args.slice(end + 1)
      const isAll = positionals.length === 0
      const hasCounters = isAll || positionals.includes(COUNTERS)
      const hasWebhooks = isAll || positionals.includes(WEBHOOKS)
      return { scenes: isAll ? SCENES : scenes, hasCounters, hasWebhooks, seconds: Number(values.seconds), flags }
    },
    catch: (cause) => new WrongArguments({ reason: cause instanceof Error ? cause.message : String(cause) })
  })
