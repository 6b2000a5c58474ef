/** A benchmark as a command: its arguments, exit code and signals. */
import { parseArgs, type ParseArgsConfig } from "node:util"
import { Cause, Effect, Exit } from "effect"

type Options = NonNullable<ParseArgsConfig["options"]>

/** The parsed arguments of a command. */
export interface Arguments<Of extends Options> {
  readonly values: { readonly [Name in keyof Of]: (Of[Name]["type"] extends "boolean" ? boolean : string) | undefined }
  readonly positionals: ReadonlyArray<string>
  /** What follows `--`: flags for the server. */
  readonly flags: ReadonlyArray<string>
}

/** Parses the arguments of a command. */
export const argumentsOf = <const Of extends Options>(args: ReadonlyArray<string>, options: Of): Arguments<Of> => {
  const end = args.includes("--") ? args.indexOf("--") : args.length
  const config: ParseArgsConfig = { args: args.slice(0, end), options, allowPositionals: true }
  const { values, positionals } = parseArgs(config)
  return { values: values as Arguments<Of>["values"], positionals, flags: args.slice(end + 1) }
}

/** Fails unless there are at most so many words, and no flags for a server. */
export const requireWords = ({ positionals, flags }: Pick<Arguments<{}>, "positionals" | "flags">, most: number) => {
  const [unexpected] = [...positionals.slice(most), ...flags]
  if (unexpected !== undefined) throw new Error(`${JSON.stringify(unexpected)} is one word too many`)
}

/** A number above zero. */
export const positive = (text: string): number => {
  const number = /^\d{1,9}(\.\d+)?$/.test(text) ? Number(text) : 0
  if (number === 0) throw new Error(`${JSON.stringify(text)} is no number above zero`)
  return number
}

/** The values of a list with commas. */
export const listOf = <Value>(text: string, value: (part: string) => Value): ReadonlyArray<Value> =>
  text.split(",").map(value)

/**
 * Runs a command with the arguments of the process. `read` checks them, and throws what is wrong with them. The exit code is the
 * command's result, 2 where it fails, and 130 where a signal interrupts it; everything that it started ends first.
 */
export const command = <const Of extends Options>(
  usage: string,
  options: Of,
  read: (args: Arguments<Of>) => Effect.Effect<number, unknown>
): void => {
  const fail = (message: unknown) => {
    console.error(message)
    process.exitCode = 2
  }
  let program: Effect.Effect<number, unknown>
  try {
    program = read(argumentsOf(process.argv.slice(2), options))
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : error}\n${usage}`)
  }
  const interrupted = new AbortController()
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupted.abort())
  void Effect.runPromiseExit(program, { signal: interrupted.signal }).then((exit) => {
    if (Exit.isSuccess(exit)) process.exitCode = exit.value
    else if (Cause.hasInterruptsOnly(exit.cause)) process.exitCode = 130
    else fail(Cause.pretty(exit.cause))
  })
}
