/** The command line of `npm run overload`. */
import { parseArgs } from "node:util"
import type { Effect } from "effect"
import { positive, reading, withFlags, type WrongArguments } from "../shared/Arguments.ts"
import type { Overload } from "./overload.ts"

/** What the project measures itself by. */
export const USUAL: Overload = { times: [0.5, 1, 2, 5, 0.5], seconds: 8, connections: 2_000, flags: [] }

export const USAGE = `usage: npm run overload -- [times...] [--seconds N] [--connections N] [-- flags of the server]

  times          how many times the capacity arrives, one after the other (default ${USUAL.times.join(" ")})
  --seconds      how long each of them lasts (default ${USUAL.seconds})
  --connections  how many connections the load has at most (default ${USUAL.connections})`

/** Reads the command line. */
export const readArguments = (all: ReadonlyArray<string>): Effect.Effect<Overload, WrongArguments> =>
  reading(USAGE, () => {
    const { args, flags } = withFlags(all)
    const { positionals, values } = parseArgs({
      args,
      options: { seconds: { type: "string" }, connections: { type: "string" } },
      allowPositionals: true
    })
    return {
      times: positionals.length === 0 ? USUAL.times : positionals.map((text) => positive(text, /^\d{1,3}(\.\d)?$/)),
      seconds: values.seconds === undefined ? USUAL.seconds : positive(values.seconds, /^\d{1,3}(\.\d)?$/),
      connections: values.connections === undefined ? USUAL.connections : positive(values.connections, /^\d{1,5}$/),
      flags
    }
  })
