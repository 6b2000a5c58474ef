import { parseArgs } from "node:util"
import { Data, Effect } from "effect"

export const USAGE = `usage: npm run micro -- [filter]

  filter  measures only what is called like it, such as "exit token" or "1000 points"`

/** The command was not called as its usage says. */
export class WrongArguments extends Data.TaggedError("WrongArguments")<{ readonly reason: string }> {
  override get message(): string {
    return `${this.reason}\n${USAGE}`
  }
}

/** Reads the command line: the filter, which is empty where everything is to be measured. */
export const readArguments = (args: ReadonlyArray<string>): Effect.Effect<string, WrongArguments> =>
  Effect.try({
    try: () => {
      const { positionals } = parseArgs({ args: [...args], options: {}, allowPositionals: true })
      return positionals.join(" ")
    },
    catch: (cause) => new WrongArguments({ reason: cause instanceof Error ? cause.message : String(cause) })
  })
