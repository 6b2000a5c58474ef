/** Constructors of flags with environment variables and defaults, and the flags that several commands share. */
import { parseOrigin } from "@sojourn/adapter-http"
import {
  type AuthenticationServerPolicy,
  parseAllowEntry,
  parseReceiverEntry,
  type ServerAddress,
  type ServerPolicy,
  type WebhookReceiverPolicy
} from "@sojourn/core"
import * as Flag from "effect/cli/Flag"
import { Config, Effect, Redacted, type Result } from "effect"
import { StartupError } from "@sojourn/service"

/** The environment variable of a flag: `--database-url` is `SOJOURN_DATABASE_URL`. */
export const variable = (name: string) => `SOJOURN_${name.toUpperCase().replaceAll("-", "_")}`

/** A flag that has to be there, on the command line or in its environment variable. */
export const required = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withFallbackConfig(Config.String(variable(name))),
    Flag.withDescription(`${description} (${variable(name)})`)
  )

/** A flag that holds one of some words. */
export const oneOf = <const Words extends ReadonlyArray<string>>(name: string, words: Words, description: string) =>
  Flag.Literals(name, words).pipe(
    Flag.withFallbackConfig(Config.Literals(words, variable(name))),
    Flag.withDescription(`${description} (${variable(name)})`)
  )

/** A flag of text, from the command line, else from its environment variable, else its default. */
export const text = (name: string, description: string, otherwise: string) =>
  Flag.String(name).pipe(
    Flag.withFallbackConfig(Config.String(variable(name))),
    Flag.withDefault(otherwise),
    Flag.withDescription(`${description} (${variable(name)}; default ${otherwise || "none"})`)
  )

/** What the help calls the value of a secret flag, and of one that holds a list. */
export const SECRET = "secret"
export const LIST = "list"

/** A secret flag, whose value is redacted; empty when it is not given. */
export const secret = (name: string, description: string) =>
  Flag.Redacted(name).pipe(
    Flag.withFallbackConfig(Config.Redacted(variable(name))),
    Flag.withDefault(Redacted.make("")),
    Flag.withMetavar(SECRET),
    Flag.withDescription(`${description} (${variable(name)}, or a file of it in ${variable(name)}_FILE)`)
  )

const entries = (value: string) =>
  value
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")

/** A flag that holds a list: repeated, or separated by commas. */
export const list = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar(LIST),
    Flag.atLeast(0),
    Flag.mapEffect((values) =>
      values.length > 0
        ? Effect.succeed(values.flatMap(entries))
        : Config.String(variable(name)).pipe(
            Config.withDefault(""),
            Effect.map(entries),
            Effect.orElseSucceed((): ReadonlyArray<string> => [])
          )
    ),
    Flag.withDescription(`${description}; repeated, or separated by commas (${variable(name)})`)
  )

/** A flag that is there or not. */
export const yes = (name: string, description: string) =>
  Flag.Boolean(name).pipe(
    Flag.withFallbackConfig(Config.Boolean(variable(name))),
    Flag.withDefault(false),
    Flag.withDescription(`${description} (${variable(name)})`)
  )

export const data = text("data", "Directory of the keys, and of everything with --storage embedded", "./sojourn-data")

export const server = text("server", "Address of the running server", "http://127.0.0.1:8080")

/** Authentication servers that may be reached. */
export const directoryAllow = list(
  "directory-allow",
  "Authentication servers that the service may reach, as scheme://host[:port], or `none` for no server; left out: ldaps on port 636, no special address"
)

/** How directories are asked, beside what their URLs say. */
export const directoryFlags = {
  directories: text(
    "directories",
    "A JSON file with service accounts, bind templates and more of single directories",
    ""
  ),
  directoryCa: list(
    "directory-ca",
    "Files with certificates of authorities that sign directories' certificates, as PEM"
  )
}

/** The entry of `--directory-allow` and `--webhook-allow` that allows no server. */
const NONE = "none"

/** The policy that a list of servers makes. */
const serverPolicyOf = <Scheme extends string>(
  flag: string,
  entries: ReadonlyArray<string>,
  parse: (entry: string) => Result.Result<ServerAddress<Scheme>, { readonly reason: string }>
): Effect.Effect<ServerPolicy<Scheme>, StartupError> => {
  if (entries.includes(NONE)) {
    return entries.every((entry) => entry === NONE)
      ? Effect.succeed({ allow: [], listedOnly: true })
      : Effect.fail(new StartupError({ message: `--${flag}: none excludes other entries` }))
  }
  return Effect.map(
    Effect.forEach(entries, (entry) =>
      Effect.mapError(
        Effect.fromResult(parse(entry)),
        ({ reason }) => new StartupError({ message: `--${flag}: ${reason}` })
      )
    ),
    (allow) => ({ allow })
  )
}

/** The policy that `--directory-allow` makes. */
export const policyOf = (entries: ReadonlyArray<string>): Effect.Effect<AuthenticationServerPolicy, StartupError> =>
  serverPolicyOf("directory-allow", entries, parseAllowEntry)

/** The origins of `--cors-origin`. */
export const originsOf = (entries: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>, StartupError> =>
  Effect.forEach(entries, (entry) =>
    Effect.mapError(
      Effect.fromResult(parseOrigin(entry)),
      (reason) => new StartupError({ message: `--cors-origin: ${reason}` })
    )
  )

/** How webhooks are delivered. */
export const webhookFlags = {
  webhookAllow: list(
    "webhook-allow",
    "Receivers of webhooks that the service may reach, as https://host[:port], or `none` for no receiver; left out: any port, no special address"
  ),
  webhookCa: list(
    "webhook-ca",
    "Files with certificates of authorities that sign certificates of webhooks' receivers, as PEM"
  )
}

/** The policy that `--webhook-allow` makes. */
export const receiversOf = (entries: ReadonlyArray<string>): Effect.Effect<WebhookReceiverPolicy, StartupError> =>
  serverPolicyOf("webhook-allow", entries, parseReceiverEntry)
