import { parseArgs } from "node:util"
import { Data, Effect } from "effect"
import type { Overload } from "./overload.ts"

/** What the project measures itself by. */
export const USUAL: Overload = { times: [0.5, 1, 2, 5, 0.5], seconds: 8, connections: 2_000, flags: [] }

export const USAGE = `usage: npm run overload -- [times...] [--seconds N] [--connections N] [-- flags of the server]

  times          how many times the capacity arrives, one after the other (default ${USUAL.times.join(" ")})
  --seconds      how long each of them lasts (default ${USUAL.seconds})
  --connections  how many connections the load has at most (default ${USUAL.connections})`

/** The command was not called as its usage says. */
export class WrongArguments extends Data.TaggedError("WrongArguments")<{ readonly reason: string }> {
  override get message(): string {
    return `${this.reason}\n${USAGE}`
  }
}

const numberOf = (text: string, pattern: RegExp) => {
  if (!pattern.test(text) || Number(text) === 0) throw new Error(`${JSON.stringify(text)} is no number above zero`)
  return Number(text)
}

/** Reads the command line. */
export const readArguments = (args: ReadonlyArray<string>): Effect.Effect<Overload, WrongArguments> =>
  Effect.try({
    try: () => {
      const end = args.includes("--") ? args.indexOf("--") : args.length
      const { positionals, values } = parseArgs({
        args: args.slice(0, end),
        options: { seconds: { type: "string" }, connections: { type: "string" } },
        allowPositionals: true
      })
      return {
        times: positionals.length === 0 ? USUAL.times : positionals.map((text) => numberOf(text, /^\d{1,3}(\.\d)?$/)),
        seconds: values.seconds === undefined ? USUAL.seconds : numberOf(values.seconds, /^\d{1,3}(\.\d)?$/),
        connections: values.connections === undefined ? USUAL.connections : numberOf(values.connections, /^\d{1,5}$/),
        flags: args.slice(end + 1)
      }
    },
    catch: (cause) => new WrongArguments({ reason: cause instanceof Error ? cause.message : String(cause) })
  })
