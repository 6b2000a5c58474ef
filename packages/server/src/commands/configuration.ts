/** The configuration file of `--config`: the names of flags as keys, where neither the command line nor a variable has a value. */
import type * as HelpDoc from "effect/cli/HelpDoc"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import { Effect, Option } from "effect"
import { readFileSync } from "node:fs"
import { StartupError, messageOf } from "@sojourn/service"
import { LIST, SECRET, variable } from "./flags.ts"
import { serve } from "./serve.ts"

/** Names the configuration file. It is read before the command line: here it stands for the help of every command. */
export const configFlag = GlobalFlag.Setting("config")({
  flag: Flag.String("config").pipe(
    Flag.withDefault(""),
    Flag.withDescription("A JSON file with the names of flags as keys (SOJOURN_CONFIG; default none)")
  )
})

/** A flag that a configuration file may hold a value of. */
export interface Setting {
  readonly name: string
  /** `string`, `number`, `boolean`, `choice`, `list` or `secret`. */
  readonly type: string
  readonly description: string
}

/** Global flags of Effect that are actions and not settings, and the file itself. */
const NO_SETTINGS = ["help", "version", "wizard", "completions", "config"]

/** The settings: the flags of `serve`, as its own help knows them. Other commands have some of them. */
export const settings = Effect.gen(function* () {
  let known: ReadonlyArray<HelpDoc.FlagDoc> = []
  const layerCapture = CliOutput.layerPresenter({
    present: (event) =>
      Effect.sync(() => {
        if (event._tag === "Help") known = [...event.helpDoc.flags, ...(event.helpDoc.globalFlags ?? [])]
      })
  })
  yield* Command.runWith(serve, { version: "" })(["--help"]).pipe(Effect.provide(layerCapture), Effect.orDie)
  return known
    .filter(({ name }) => !NO_SETTINGS.includes(name))
    .map(({ name, type, description }): Setting => ({
      name,
      type,
      description: Option.getOrElse(description, () => "")
    }))
})

const textual = { type: ["string", "number"] }

const shapeOf = ({ type, description }: Setting): object => {
  switch (type) {
    case "boolean":
      return { type: "boolean" }
    case "number":
      return { type: "number" }
    case LIST:
      return { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] }
    case "choice":
      return { enum: /\(choices: ([^)]*)\)/.exec(description)?.[1]?.split(", ") }
    default:
      return textual
  }
}

/** The name of a key whose value is the file of a secret. */
const fileOf = (name: string) => `${name}-file`

/** The JSON schema of a configuration file. */
export const schemaOf = (known: ReadonlyArray<Setting>): object => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Configuration of the sojourn server",
  type: "object",
  properties: {
    $schema: { type: "string" },
    ...Object.fromEntries(
      known.flatMap((setting) => {
        const { name, type, description } = setting
        const own = [name, { description, ...shapeOf(setting) }] as const
        if (type !== SECRET) return [own]
        return [own, [fileOf(name), { description: `A file that holds ${name}`, type: "string" }] as const]
      })
    )
  },
  additionalProperties: false
})

/** How many characters have to be put in, taken out or replaced to make one text of another. */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const replaced = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[other.length]!
}

/** The name that is most like a text. */
export const nearest = (text: string, names: ReadonlyArray<string>): string | undefined =>
  names.toSorted((one, other) => distance(text, one) - distance(text, other))[0]

/** A value as the text of a variable; undefined where its type is another. */
const textOf = (type: string, value: unknown): string | undefined => {
  if (type === "boolean") return typeof value === "boolean" ? String(value) : undefined
  if (type === LIST && Array.isArray(value)) {
    return value.every((entry) => typeof entry === "string") ? value.join(",") : undefined
  }
  if (typeof value === "number") return type === LIST || type === "choice" ? undefined : String(value)
  return typeof value === "string" && type !== "number" ? value : undefined
}

const KINDS: Readonly<Record<string, string>> = {
  boolean: "true or false",
  number: "a number",
  choice: "one of its words",
  [LIST]: "a text or a list of texts"
}

/** Reads the text of a configuration file as variables. */
export const parseConfiguration = (
  file: string,
  text: string,
  known: ReadonlyArray<Setting>
): Effect.Effect<Readonly<Record<string, string>>, StartupError> =>
  Effect.gen(function* () {
    const fail = (what: string) => new StartupError({ message: `${file}: ${what}` })
    const parsed = yield* Effect.try({ try: (): unknown => JSON.parse(text), catch: () => fail("this is not JSON") })
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return yield* fail("this is no object")
    const keys = new Map(
      known.flatMap(({ name, type }) => [
        [name, type] as const,
        ...(type === SECRET ? [[fileOf(name), "string"] as const] : [])
      ])
    )
    const variables: Record<string, string> = {}
    for (const [key, value] of Object.entries(parsed)) {
      if (key === "$schema") continue
      const type = keys.get(key)
      if (type === undefined) {
        return yield* fail(`there is no key ${JSON.stringify(key)}; did you mean ${nearest(key, [...keys.keys()])}?`)
      }
      const told = textOf(type, value)
      if (told === undefined) return yield* fail(`${key} is ${KINDS[type] ?? "a text or a number"}`)
      variables[variable(key)] = told
    }
    return variables
  })

const read = (file: string, what: string) =>
  Effect.try({
    try: () => readFileSync(file, "utf8"),
    catch: (error) => new StartupError({ message: `${what} ${file} cannot be read: ${messageOf(error)}` })
  })

type Environment = Readonly<Record<string, string | undefined>>

/** The variables of secrets that stand in files, where the secret itself is not there. */
const secretsOf = (variables: Environment, known: ReadonlyArray<Setting>) =>
  Effect.gen(function* () {
    const secrets: Record<string, string> = {}
    for (const { name, type } of known) {
      const file = variables[variable(fileOf(name))]
      if (type !== SECRET || file === undefined || variables[variable(name)] !== undefined) continue
      secrets[variable(name)] = (yield* read(file, `the file of ${name}`)).trim()
    }
    return secrets
  })

/** The file that the arguments or the variable name; the last one counts. */
const fileNamed = (args: ReadonlyArray<string>, environment: Environment): string | undefined => {
  const end = args.indexOf("--")
  return (end < 0 ? args : args.slice(0, end)).reduce<string | undefined>((file, argument, i) => {
    if (argument.startsWith("--config=")) return argument.slice("--config=".length)
    return argument === "--config" ? args[i + 1] : file
  }, environment[variable("config")])
}

/** The values of settings that do not stand on the command line, as variables: those of the environment, then those of files. */
export const readConfiguration = Effect.fnUntraced(function* (args: ReadonlyArray<string>, own: Environment) {
  const file = fileNamed(args, own)
  const known = yield* settings
  const fromFile =
    file === undefined || file === ""
      ? {}
      : yield* parseConfiguration(file, yield* read(file, "the configuration file"), known)
  const variables: Record<string, string | undefined> = {
    ...fromFile,
    ...(yield* secretsOf(fromFile, known)),
    ...own,
    ...(yield* secretsOf(own, known))
  }
  /** The place where the value of a variable was set. */
  const origin = (name: string): string => {
    const setting = known.find((one) => variable(one.name) === name)
    return own[name] === undefined && fromFile[name] !== undefined && setting !== undefined
      ? `${setting.name} in ${file}`
      : name
  }
  return { variables, origin }
})
