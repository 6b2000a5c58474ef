import { type AuthenticationServerUrl, LARGEST_DIRECTORY_ANSWER, parseAllowEntry } from "@sojourn/core"
import { trusting } from "@sojourn/outbound"
import { Duration, Option, Redacted, Result } from "effect"
import type { SecureContext } from "node:tls"
import { isAttributeName } from "./AttributeName.ts"
import { type BindTemplate, isDistinguishedName, parseBindTemplate } from "./DistinguishedName.ts"
import { InvalidOptions, type Options, type ServerOptions, type ServiceAccount, type StartTls } from "./Options.ts"

/** The options of one server, checked and with their defaults. */
export interface ServerSettings {
  readonly serviceAccount: ServiceAccount | undefined
  readonly bindTemplate: BindTemplate | undefined
  readonly startTls: StartTls
  readonly nameAttribute: string
  readonly surnameAttribute: string
}

/** The limits, checked and with their defaults. Sizes are in bytes. */
export interface ResolvedLimits {
  readonly connect: Duration.Duration
  readonly operation: Duration.Duration
  readonly total: Duration.Duration
  readonly mostPeople: number
  readonly largestAnswer: number
  readonly connectionsPerServer: number
  readonly waitingPerServer: number
}

/** The options, checked and with their defaults. */
export interface Settings {
  readonly limits: ResolvedLimits
  readonly trust: SecureContext
  readonly of: (server: AuthenticationServerUrl) => ServerSettings
}

const refuse = (reason: string) => Result.fail(new InvalidOptions({ reason }))

const duration = (name: string, input: Duration.Input, { maximum }: { readonly maximum: Duration.Duration }) =>
  Result.fromOption(
    Option.filter(Duration.fromInput(input), (value) =>
      Duration.between(value, { minimum: Duration.millis(1), maximum })
    ),
    () => new InvalidOptions({ reason: `limits.${name} must be 1ms to ${Duration.format(maximum)}` })
  )

const count = (
  name: string,
  value: number,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number }
) =>
  Number.isSafeInteger(value) && value >= minimum && value <= maximum
    ? Result.succeed(value)
    : refuse(`limits.${name} must be a whole number from ${minimum} to ${maximum}`)

const limitsOf = (limits: NonNullable<Options["limits"]>): Result.Result<ResolvedLimits, InvalidOptions> =>
  Result.gen(function* () {
    return {
      connect: yield* duration("connect", limits.connect ?? "5 seconds", { maximum: Duration.minutes(1) }),
      operation: yield* duration("operation", limits.operation ?? "5 seconds", { maximum: Duration.minutes(1) }),
      total: yield* duration("total", limits.total ?? "15 seconds", { maximum: Duration.minutes(5) }),
      mostPeople: yield* count("mostPeople", limits.mostPeople ?? LARGEST_DIRECTORY_ANSWER, {
        minimum: 1,
        maximum: LARGEST_DIRECTORY_ANSWER
      }),
      largestAnswer: yield* count("largestAnswer", limits.largestAnswer ?? 4 * 1024 * 1024, {
        minimum: 4096,
        maximum: 64 * 1024 * 1024
      }),
      connectionsPerServer: yield* count("connectionsPerServer", limits.connectionsPerServer ?? 8, {
        minimum: 1,
        maximum: 1000
      }),
      waitingPerServer: yield* count("waitingPerServer", limits.waitingPerServer ?? 64, { minimum: 0, maximum: 10_000 })
    }
  })

/** What distinguishes servers: who has the same key is reached at the same place. */
export const keyOf = ({ scheme, host, port }: Pick<AuthenticationServerUrl, "scheme" | "host" | "port">): string =>
  `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`

const attribute = (option: string, name: string) =>
  isAttributeName(name) ? Result.succeed(name) : refuse(`${option} must be the name of an attribute`)

const serverSettingsOf = (
  options: Options,
  server: Partial<ServerOptions>
): Result.Result<ServerSettings, InvalidOptions> =>
  Result.gen(function* () {
    const { serviceAccount, bindTemplate } = server
    if (serviceAccount !== undefined) {
      if (!isDistinguishedName(serviceAccount.dn)) {
        return yield* refuse("serviceAccount.dn must be a distinguished name")
      }
      // With an empty password the bind would be anonymous, and succeed.
      if (Redacted.value(serviceAccount.password) === "") {
        return yield* refuse("serviceAccount.password must not be empty")
      }
    }
    const template = bindTemplate === undefined ? undefined : parseBindTemplate(bindTemplate)
    if (bindTemplate !== undefined && template === undefined) {
      return yield* refuse("bindTemplate must be a distinguished name in which one whole value is {username}")
    }
    return {
      serviceAccount,
      bindTemplate: template,
      startTls: server.startTls ?? options.startTls ?? "offered",
      nameAttribute: yield* attribute("nameAttribute", server.nameAttribute ?? options.nameAttribute ?? "givenName"),
      surnameAttribute: yield* attribute(
        "surnameAttribute",
        server.surnameAttribute ?? options.surnameAttribute ?? "sn"
      )
    }
  })

/** Where options of a server are kept: for one base of it, or for all others. */
const placeOf = (server: Pick<AuthenticationServerUrl, "scheme" | "host" | "port">, base: string | undefined) =>
  base === undefined ? keyOf(server) : `${keyOf(server)}/${base}`

/** The options, checked and with their defaults. */
export const settingsOf = (options: Options): Result.Result<Settings, InvalidOptions> =>
  Result.gen(function* () {
    const places = new Map<string, ServerSettings>()
    for (const server of options.servers ?? []) {
      const address = yield* Result.mapError(
        parseAllowEntry(server.server),
        ({ reason }) => new InvalidOptions({ reason: `servers: ${reason}` })
      )
      const place = placeOf(address, server.base)
      if (places.has(place)) return yield* refuse(`servers: ${place} is there twice`)
      places.set(place, yield* serverSettingsOf(options, server))
    }
    const others = yield* serverSettingsOf(options, {})
    return {
      limits: yield* limitsOf(options.limits ?? {}),
      trust: yield* Result.mapError(
        trusting(options.certificates ?? []),
        ({ reason }) => new InvalidOptions({ reason })
      ),
      of: (url) => places.get(placeOf(url, url.base)) ?? places.get(placeOf(url, undefined)) ?? others
    }
  })
