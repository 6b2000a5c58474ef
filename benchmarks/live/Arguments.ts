/** The scenes and the command line of `npm run live`. */
import { parseArgs } from "node:util"
import type { Effect } from "effect"
import { positive, reading, withFlags, type WrongArguments } from "../shared/Arguments.ts"
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

/** The scene of musters. */
const MUSTERS = "musters"

export const USAGE = `usage: npm run live -- [scenes...] [--seconds N] [-- flags of the server]

  scenes     ${SCENES.map(({ name }) => name).join(", ")}, ${COUNTERS}, ${WEBHOOKS},
             ${MUSTERS} (default: all)
  --seconds  how long movements arrive in each (default 20)`

/** Reads the command line. */
export const readArguments = (all: ReadonlyArray<string>): Effect.Effect<Live, WrongArguments> =>
  reading(USAGE, () => {
    const { args, flags } = withFlags(all)
    const { positionals, values } = parseArgs({
      args,
      options: { seconds: { type: "string", default: "20" } },
      allowPositionals: true
    })
    const scenes = positionals
      .filter((name) => ![COUNTERS, WEBHOOKS, MUSTERS].includes(name))
      .map((name) => {
        const scene = SCENES.find((one) => one.name === name)
        if (scene === undefined) throw new Error(`there is no scene ${JSON.stringify(name)}`)
        return scene
      })
    const isAll = positionals.length === 0
    return {
      scenes: isAll ? SCENES : scenes,
      hasCounters: isAll || positionals.includes(COUNTERS),
      hasWebhooks: isAll || positionals.includes(WEBHOOKS),
      hasMusters: isAll || positionals.includes(MUSTERS),
      seconds: positive(values.seconds, /^\d{1,4}$/),
      flags
    }
  })
