/** The whole service for programs without Effect: listeners, use cases as promises, and one function that ends it. */
import { makeNodeListener, makeWebHandler, PresenceStreamOptions } from "@sojourn/adapter-http"
import { OwnIssuer } from "@sojourn/adapter-jwt"
import type { DatabaseAddress } from "@sojourn/adapter-postgres"
import {
  type AdministratorId,
  type Caller,
  type Mail,
  Operator,
  OperatorId,
  type Organization,
  type OrganizationDraft,
  parseReceiverEntry,
  type SecretKey,
  type WebhookReceiverPolicy
} from "@sojourn/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import { layer, type ServiceOptions } from "../composition/service.ts"
import { parseDatabaseUrl, parseIssuerKey, parseTokenKeys } from "../keys/secrets.ts"
import { StartupError } from "../shared/StartupError.ts"
import { type Listener, Responses } from "./Responses.ts"
import { type UseCases, useCasesIn } from "./useCases.ts"

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
export interface Sojourn extends UseCases {
  /** Answers a request of `node:http`: for `createServer`, or as a middleware below a path. It reads bodies itself. */
  readonly listener: Listener
  /** Answers a request of the Fetch standard. Its path is the interface's own. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Answers requests whose path begins with this prefix, as `/presence`. */
  readonly fetchBelow: (prefix: string) => (request: Request) => Promise<Response>
  /** Runs effects that use the services of core. */
  readonly runtime: ManagedRuntime.ManagedRuntime<SojournServices, StartupError>
  /** The organization of the draft's name, which is created when there is none. Safe at every start, and in racing ones. */
  readonly ensureOrganization: (
    draft: OrganizationDraft,
    owner: { readonly administratorId: AdministratorId; readonly mail: Mail }
  ) => Promise<Organization>
  /** Mints a token of the own issuer for a caller whom the application knows, valid for an hour by default. */
  readonly mint: (caller: Caller, options?: { readonly expiresIn?: number }) => Promise<string>
  /** Ends presence streams, waits for responses, and ends background work and connections. It may be called more than once. */
  readonly close: () => Promise<void>
}

/** How long presence streams may take to end, and then responses, before connections to the database are closed. */
const STREAMS_END_WITHIN = Duration.seconds(2)
const RESPONSES_END_WITHIN_MS = 5_000

/** In whose name the application acts that embeds the service. */
const APPLICATION = Operator(OperatorId.make("application"))

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

const serviceOf = (options: SojournOptions) =>
  Effect.gen(function* () {
    const { databaseUrl: _url, issuerKey: _key, references: _references, ...rest } = options
    const key = yield* issuerKeyOf(options)
    const service = layer({
      ...rest,
      key,
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
  const { key, service } = await Effect.runPromise(serviceOf(options))
  const closing = Latch.makeUnsafe(false)
  const drained = Layer.provide(service, layerDrain(closing))
  const runtime = ManagedRuntime.make(Layer.provide(drained, options.references ?? Layer.empty))
  try {
    const context = await runtime.context()
    const responses = new Responses(await runtime.runPromise(makeNodeListener))
    const handle = await runtime.runPromise(makeWebHandler)
    const fetch = (request: Request) =>
      isClosed ? Promise.resolve(new Response(null, { status: 503 })) : handle(request)
    const useCases = useCasesIn(context, (effect) => runtime.runPromise(effect))
    let closed: Promise<void> | undefined
    let isClosed = false
    const close = async () => {
      closing.openUnsafe()
      await responses.close(RESPONSES_END_WITHIN_MS)
      isClosed = true
      await runtime.dispose()
    }
    return {
      ...useCases,
      listener: responses.listener,
      fetch,
      fetchBelow: (prefix) => below(prefix, fetch),
      runtime,
      ensureOrganization: (draft, owner) => useCases.organizations.ensure(APPLICATION, draft, owner),
      mint: async (caller, { expiresIn = 3600 } = {}) => {
        if (key === undefined) throw missing("issuerKey, which signs tokens,")
        return Redacted.value(await Effect.runPromise(OwnIssuer.mint(key, caller, { expiresIn })))
      },
      close: () => (closed ??= close())
    }
  } catch (error) {
    await runtime.dispose()
    throw error
  }
}
