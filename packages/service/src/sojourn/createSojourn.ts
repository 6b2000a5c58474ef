/** The whole service for programs without Effect: listeners, the interface as promises of JSON, and one function that ends it. */
import {
  makeNodeListener,
  makeWebHandler,
  parseOrigin,
  PresenceStreamOptions,
  PROBLEM_URIS
} from "@sojourn/adapter-http"
import { OwnIssuer } from "@sojourn/adapter-jwt"
import type { DatabaseAddress } from "@sojourn/adapter-postgres"
import { makeClient, type Organization, type OrganizationDraft, outcome, type SojournClient } from "@sojourn/client"
import { OrganizationStore, parseReceiverEntry, type SecretKey, type WebhookReceiverPolicy } from "@sojourn/core"
import { Duration, Effect, Latch, Layer, ManagedRuntime, Option, Redacted } from "effect"
import { layer, type ServiceOptions } from "../composition/service.ts"
import { parseDatabaseUrl, parseIssuerKey, parseTokenKeys } from "../keys/secrets.ts"
import { StartupError } from "../shared/StartupError.ts"
import { callerOf, type KnownCaller, ProcessCredentials } from "./callers.ts"
import { type Listener, Responses } from "./Responses.ts"

/**
 * The options of {@link createSojourn}. Those that are undefined count as missing, as variables of the environment may be.
 */
export interface SojournOptions extends Omit<
  ServiceOptions,
  "database" | "tokenKeys" | "key" | "webhookReceivers" | "onRefused"
> {
  /** The database: `postgresql://user:password@host:port/name`, with one host or several. */
  readonly databaseUrl?: string | undefined
  /** The database in another form: a socket, or a `PgClient` of the application. */
  readonly database?: DatabaseAddress | undefined
  /** The keys of exit tokens, the one that derives new tokens first: `id:secret[,id:secret]`, secrets of 32 bytes or more as base64url. */
  readonly tokenKeys: string | ReadonlyArray<SecretKey> | undefined
  /** The own issuer's key, which signs and verifies callers' tokens: a private JWK as JSON. */
  readonly issuerKey?: string | undefined
  /**
   * The receivers that webhooks may have, each `https://host[:port]`, and none for an empty list. By default any https server but those at
   * special addresses.
   */
  readonly webhookReceivers?: ReadonlyArray<string> | undefined
  /** References of Effect for everything in the service, such as a logger, `RequestLimits` or `RequestLog`. */
  readonly references?: Layer.Layer<never> | undefined
}

/** The services that the runtime of a {@link Sojourn} has. */
export type SojournServices = Layer.Success<ReturnType<typeof layer>>

/** A running service. */
export interface Sojourn {
  /**
   * The whole interface for a caller whom the application knows, without a network: a method for each endpoint, by group and name, as
   * `sojourn.as({ kind: "user", id: "tim" }).movement.trackOrganization({ body })`. It answers JSON, and rejects with `Refused`; `outcome`
   * makes a value of that. Throws a `TypeError` for a caller of another shape. It costs nothing: make one for each request.
   */
  readonly as: (caller: KnownCaller) => SojournClient
  /** Answers a request of `node:http`: for `createServer`, or as a middleware below a path. It reads bodies itself. */
  readonly listener: Listener
  /** Answers a request of the Fetch standard. Its path is the interface's own. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Answers requests whose path begins with this prefix, as `/presence`. */
  readonly fetchBelow: (prefix: string) => (request: Request) => Promise<Response>
  /** Runs effects that use the services of core. */
  readonly runtime: ManagedRuntime.ManagedRuntime<SojournServices, StartupError>
  /**
   * The organization of the draft's name, which is created with its owner when there is none. Safe at every start, and in racing ones. One
   * that exists is answered as it is, whatever else the draft says.
   */
  readonly ensureOrganization: (draft: OrganizationDraft) => Promise<Organization>
  /** Mints a token of the own issuer for a caller whom the application knows, valid for an hour by default. */
  readonly mint: (caller: KnownCaller, options?: { readonly expiresIn?: number }) => Promise<string>
  /** Ends presence streams, waits for responses, and ends background work and connections. It may be called more than once. */
  readonly close: () => Promise<void>
}

/** How long presence streams may take to end, and then responses, before connections to the database are closed. */
const STREAMS_END_WITHIN = Duration.seconds(2)
const RESPONSES_END_WITHIN_MS = 5_000

/** In whose name the application acts that embeds the service. */
const APPLICATION = { kind: "operator", id: "application" } as const

/** The base of the interface's URLs for calls in this process. */
const HERE = "http://sojourn.invalid"

const missing = (what: string) => new StartupError({ message: `${what} is missing` })

const databaseOf = ({ databaseUrl, database }: SojournOptions): Effect.Effect<DatabaseAddress, StartupError> =>
  database === undefined
    ? Effect.map(parseDatabaseUrl("databaseUrl (DATABASE_URL)", databaseUrl ?? ""), (url) => ({ url }))
    : Effect.succeed(database)

const tokenKeysOf = ({ tokenKeys }: SojournOptions): Effect.Effect<ReadonlyArray<SecretKey>, StartupError> =>
  typeof tokenKeys === "object" ? Effect.succeed(tokenKeys) : parseTokenKeys("tokenKeys (TOKEN_KEYS)", tokenKeys ?? "")

const issuerKeyOf = ({ issuerKey, authenticator }: SojournOptions) => {
  if (issuerKey !== undefined && issuerKey !== "") return parseIssuerKey("issuerKey (ISSUER_KEY)", issuerKey)
  return authenticator === undefined
    ? Effect.fail(missing("issuerKey (ISSUER_KEY), the JSON of a private Ed25519 JWK, or an authenticator,"))
    : Effect.undefined
}

const receiversOf = ({
  webhookReceivers
}: SojournOptions): Effect.Effect<WebhookReceiverPolicy | undefined, StartupError> =>
  webhookReceivers === undefined
    ? Effect.undefined
    : Effect.forEach(webhookReceivers, (entry) => Effect.fromResult(parseReceiverEntry(entry))).pipe(
        Effect.mapBoth({
          onFailure: ({ reason }) => new StartupError({ message: `webhookReceivers: ${reason}` }),
          onSuccess: (allow) => ({ allow, listedOnly: true })
        })
      )

const requireOrigins = ({ corsOrigins = [] }: SojournOptions) =>
  Effect.forEach(corsOrigins, (origin) =>
    Effect.mapError(
      Effect.fromResult(parseOrigin(origin)),
      (reason) => new StartupError({ message: `corsOrigins: ${reason}` })
    )
  )

const serviceOf = (options: SojournOptions, credentials: ProcessCredentials) =>
  Effect.gen(function* () {
    const { databaseUrl: _url, issuerKey: _key, references: _references, ...rest } = options
    const key = yield* issuerKeyOf(options)
    yield* requireOrigins(options)
    const service = layer({
      ...rest,
      key,
      authenticator: credentials.layer(options.authenticator ?? OwnIssuer.layer(key!)),
      database: yield* databaseOf(options),
      tokenKeys: yield* tokenKeysOf(options),
      webhookReceivers: yield* receiversOf(options)
    })
    return { key, service }
  })

/** The bounds of presence streams, which end once the latch is open. */
const layerDrain = (closing: Latch.Latch) =>
  Layer.effect(
    PresenceStreamOptions,
    Effect.map(PresenceStreamOptions, (options) => ({
      ...options,
      drain: Effect.as(closing.await, STREAMS_END_WITHIN)
    }))
  )

const below = (prefix: string, fetch: Sojourn["fetch"]) => (request: Request) => {
  const url = new URL(request.url)
  if (!url.pathname.startsWith(`${prefix}/`)) return Promise.resolve(new Response(null, { status: 404 }))
  url.pathname = url.pathname.slice(prefix.length)
  return fetch(new Request(url, request))
}

/**
 * Starts the whole service on PostgreSQL: it creates and migrates its schema, and does the background work until it is closed. It can
 * be started any number of times, also at once, on one database. Rejects with a {@link StartupError}: `exitWithReason` prints it.
 */
export const createSojourn = async (options: SojournOptions): Promise<Sojourn> => {
  const credentials = new ProcessCredentials()
  const { key, service } = await Effect.runPromise(serviceOf(options, credentials))
  const closing = Latch.makeUnsafe(false)
  const drained = Layer.provide(service, layerDrain(closing))
  const runtime = ManagedRuntime.make(Layer.provide(drained, options.references ?? Layer.empty))
  try {
    const responses = new Responses(await runtime.runPromise(makeNodeListener))
    const handle = await runtime.runPromise(makeWebHandler)
    const fetch = (request: Request) =>
      isClosed ? Promise.resolve(new Response(null, { status: 503 })) : handle(request)
    const as = (caller: KnownCaller) =>
      makeClient({
        baseUrl: HERE,
        token: credentials.of(caller),
        fetch: (input, init) => fetch(new Request(input, init))
      })
    const ensureOrganization = async (body: OrganizationDraft): Promise<Organization> => {
      const { operator } = as(APPLICATION)
      const created = await outcome(operator.createOrganization({ body }))
      if (created.ok) return created.value
      const found = await runtime.runPromise(OrganizationStore.use((_) => _.findByName(body.name)))
      if (created.refusal.type !== PROBLEM_URIS.OrganizationNameTaken || Option.isNone(found)) throw created.refusal
      return operator.readOrganization({ organizationId: Number(found.value.id) })
    }
    let closed: Promise<void> | undefined
    let isClosed = false
    const close = async () => {
      closing.openUnsafe()
      await responses.close(RESPONSES_END_WITHIN_MS)
      isClosed = true
      await runtime.dispose()
    }
    return {
      as,
      listener: responses.listener,
      fetch,
      fetchBelow: (prefix) => below(prefix, fetch),
      runtime,
      ensureOrganization,
      mint: async (caller, { expiresIn = 3600 } = {}) => {
        if (key === undefined) throw missing("issuerKey, which signs tokens,")
        return Redacted.value(await Effect.runPromise(OwnIssuer.mint(key, callerOf(caller), { expiresIn })))
      },
      close: () => (closed ??= close())
    }
  } catch (error) {
    await runtime.dispose()
    throw error
  }
}
