/** Command lines of the benchmarks: a fault is reported with the usage. */
import { Data, Effect } from "effect"

/** The command was not called as its usage says. */
export class WrongArguments extends Data.TaggedError("WrongArguments")<{
  readonly reason: string
  readonly usage: string
}> {
  override get message(): string {
    return `${this.reason}\n${this.usage}`
  }
}

/** Reads a command line. What `read` throws is the reason why it cannot be read. */
export const reading = <A>(usage: string, read: () => A): Effect.Effect<A, WrongArguments> =>
  Effect.try({
    try: read,
    catch: (cause) => new WrongArguments({ reason: cause instanceof Error ? cause.message : String(cause), usage })
  })

/** The words of a command line before `--`, and the flags of the server after it. */
export const withFlags = (args: ReadonlyArray<string>) => {
  const end = args.includes("--") ? args.indexOf("--") : args.length
  return { args: args.slice(0, end), flags: args.slice(end + 1) }
}

/** A number above zero of a form. */
export const positive = (text: string, pattern: RegExp): number => {
  if (!pattern.test(text) || Number(text) === 0) throw new Error(`${JSON.stringify(text)} is no number above zero`)
  return Number(text)
}
