/** How a command line is read, and what is said of one that cannot be (spec: server#command-line). */
import type * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import { Console, Effect } from "effect"
import { onOneLine } from "@sojourn/service"

const isFlag = (argument: string | undefined) => argument !== undefined && /^--[^=]+$/.test(argument)
const looksShort = (argument: string) => /^-[^-]./.test(argument)

/**
 * The arguments with each value that begins with a dash tied to its flag: `--expires -1h` is `--expires=-1h`. No command has
 * short flags that could be written together, but `-1h` alone would be read as such, and its `h` as a question for help.
 */
export const tieValues = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const tied: Array<string> = []
  for (const [i, argument] of args.entries()) {
    if (argument === "--") return [...tied, ...args.slice(i)]
    if (isFlag(tied.at(-1)) && looksShort(argument)) tied.push(`${tied.pop()}=${argument}`)
    else tied.push(argument)
  }
  return tied
}

/** What Effect says of a variable that a flag falls back to, whose name it tells in the middle of its own words. */
const OF_VARIABLE = /^SchemaError\(([^]*)\s+at \["(\w+)"\]\)$/

/** The command that has subcommands and runs without one. */
const RUNS_BY_ITSELF = "sojourn token"

const sentence = (error: CliError.NonShowHelpErrors, origin: (variable: string) => string): string => {
  if (error._tag === "InvalidValue") {
    const [, expected, variable] = OF_VARIABLE.exec(error.expected) ?? []
    return variable === undefined ? error.message : `Invalid value for ${origin(variable)}. ${expected}`
  }
  if (!("suggestions" in error)) return error.message
  if (error.suggestions.length === 0) {
    const isArgument = error._tag === "UnknownSubcommand" && error.parent?.join(" ") === RUNS_BY_ITSELF
    return isArgument ? `Unexpected positional argument: "${error.subcommand}"` : error.message
  }
  return `${error.message.split("\n", 1)[0]}; did you mean ${error.suggestions.join(" or ")}?`
}

/**
 * Prints requested help on stdout, and what is wrong with an invocation as one line on stderr. `origin` maps the name of a variable
 * to the place where its value was set.
 */
export const layerPresenter = (origin: (variable: string) => string) =>
  CliOutput.layerPresenter({
    present: (event) => {
      if (event._tag === "Version") return CliOutput.defaultPresenter.present(event)
      const command = event.commandPath.join(" ")
      if (event._tag === "InvalidInvocation") {
        return Console.error(onOneLine(`sojourn: ${sentence(event.errors[0]!, origin)} (${command} --help)`))
      }
      const help = CliOutput.defaultPresenter.present(event)
      if (event.reason === "Requested") return help
      return Effect.andThen(help, Console.error(`sojourn: a command is missing (${command} --help)`))
    }
  })
