import { parseArgs } from "node:util"
import { Data, Effect } from "effect"
import { type Scale, USUAL } from "./scale.ts"

export const USAGE = `usage: npm run scale -- [servers] [--rounds N] [--seconds N]

  servers    how many servers there are at most, 2 or more (default ${USUAL.servers})
  --rounds   how many rounds of load are counted (default ${USUAL.rounds})
  --seconds  how long a round loads each number of servers (default ${USUAL.seconds})`

/** The command was not called as its usage says. */
export class WrongArguments extends Data.TaggedError("WrongArguments")<{ readonly reason: string }> {
  override get message(): string {
    return `${this.reason}\n${USAGE}`
  }
}

const readCount = (text: string | undefined, usual: number, least: number) => {
  if (text === undefined) return usual
  if (!/^\d{1,3}$/.test(text) || Number(text) < least)
    throw new Error(`${JSON.stringify(text)} is no number of ${least} or more`)
  return Number(text)
}

/** Reads the command line. */
export const readArguments = (args: ReadonlyArray<string>): Effect.Effect<Scale, WrongArguments> =>
  Effect.try({
    try: () => {
      const { positionals, values } = parseArgs({
        args: [...args],
        options: { rounds: { type: "string" }, seconds: { type: "string" } },
        allowPositionals: true
      })
      if (positionals.length > 1) throw new Error("one number of servers is enough")
      return {
        ...USUAL,
        servers: readCount(positionals[0], USUAL.servers, 2),
        rounds: readCount(values.rounds, USUAL.rounds, 1),
        seconds: readCount(values.seconds, USUAL.seconds, 1)
      }
    },
    catch: (cause) => new WrongArguments({ reason: cause instanceof Error ? cause.message : String(cause) })
  })
