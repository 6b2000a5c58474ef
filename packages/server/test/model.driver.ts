/** Drives the real server over HTTP for the model. */
import { PROBLEM_URIS } from "@sojourn/adapter-http/api"
import { OwnIssuer } from "@sojourn/adapter-jwt"
import { type Caller, Histories, layerSecretKeysEphemeral, PresenceFeed, Sweeps } from "@sojourn/core"
import {
  answerOf,
  type Answer,
  layerModelDirectory,
  makeManualClock,
  MODEL_AREA_LIMITS,
  type ModelServices,
  publishAll,
  type StartDriver,
  sweepAll,
  withoutPublishing
} from "@sojourn/testing"
import { Clock, Context, Effect, Layer, Redacted, References } from "effect"
import * as HttpServer from "effect/http/HttpServer"
import { layerNodeServer, layerServer } from "../src/index.ts"
import { type EventStream, makeEventStreams } from "./eventStream.ts"
import { type HttpRequest, makeAgent, send as sendTo } from "./httpClient.ts"
import { fromJson, servicesOverHttp } from "./model.services.ts"
import { storageOfThisRun } from "./stores/registry.ts"

type Json = Record<string, any>

/** The lifetime of tokens, 100 years in seconds: the clock of a run may be set ahead by weeks. */
const LONG = 100 * 365 * 24 * 60 * 60

const HOST = "127.0.0.1"

/** The timeout of one reading: an event that has not arrived by then is lost. */
const READ_TIMEOUT = "1 minute"

/** The Authorization header of each caller; each token is minted once. */
const makeCredentials = (key: OwnIssuer.SigningKey) => {
  const minted = new Map<string, string>()
  return Effect.fnUntraced(function* (by: Caller) {
    const name = JSON.stringify(by)
    const token = minted.get(name) ?? Redacted.value(yield* OwnIssuer.mint(key, by, { expiresIn: LONG }))
    minted.set(name, token)
    return `Bearer ${token}`
  })
}

/** Reads feeds as clients do: from `GET /presence/stream`, each time on from where the reader was. */
const makeReadFeed = (
  port: number,
  credentials: ReturnType<typeof makeCredentials>,
  feed: PresenceFeed["Service"]
): ModelServices["feed"]["read"] => {
  const open = makeEventStreams(port)
  const positions = new Map<bigint, { readonly version: number; readonly id: string }>()

  /** Opens a stream, reads from it and closes it. A stream that ends or stalls before is a defect. */
  const reading = <A>(
    authorization: string,
    id: bigint,
    lastEventId: string | undefined,
    read: (stream: EventStream) => Promise<A>
  ) =>
    Effect.tryPromise({
      try: async () => {
        const headers = lastEventId === undefined ? {} : { "last-event-id": lastEventId }
        const stream = await open(authorization, `?organizations=${id}`, headers)
        try {
          if (stream.status === 200) return await read(stream)
        } finally {
          stream.close()
        }
        throw stream.status
      },
      catch: (cause) => ({
        _tag:
          cause === 404 ? "OrganizationNotFound" : cause === 403 ? "PermissionTooLow" : `the stream: ${String(cause)}`
      })
    }).pipe(Effect.timeout(READ_TIMEOUT))

  return Effect.fnUntraced(function* (administrator, id) {
    const authorization = yield* Effect.orDie(credentials(administrator))
    const [stored] = yield* Effect.orDie(feed.snapshots([id]))
    const version = stored?.version ?? 0
    // A stream may begin with what the server read a moment ago.
    const readSnapshot = reading(authorization, id, undefined, (stream) => stream.want("snapshot"))
    let first = yield* readSnapshot
    while ((first.data as Json).organizations[0].version < version) {
      yield* Effect.sleep(20)
      first = yield* readSnapshot
    }
    const before = positions.get(id)
    const messages =
      before === undefined || before.version === version
        ? []
        : yield* reading(authorization, id, before.id, (stream) =>
            stream.until(
              ({ data }: { readonly data: Json }) => data["version"] === undefined || data["version"] >= version
            )
          )
    positions.set(id, { version, id: (messages.at(-1) ?? first).id! })
    const [snapshot] = (first.data as Json).organizations
    return {
      events: messages.map(({ event, data }) => ({
        ...fromJson(data),
        ...(event === (data as Json)["type"] ? {} : { event })
      })),
      totals: [snapshot, ...snapshot.places].map(fromTotals)
    }
  })
}

const fromTotals = (totals: Json) => {
  const { placeId, inside, entered, left, capacity, level } = fromJson(totals)
  return { placeId, entered, left: entered - inside === left ? left : `${left}, and ${inside} inside`, capacity, level }
}

/**
 * The real server on a free port and a fresh storage, composed as in production, except for its clock, and that it publishes events and
 * keeps histories only when a request says so.
 */
export const httpDriver: StartDriver = () =>
  Effect.gen(function* () {
    const { clock, advance } = makeManualClock(yield* Clock.Clock)
    const key = yield* Effect.orDie(Effect.flatMap(OwnIssuer.generate, OwnIssuer.decode))
    const address = Layer.effect(HttpServer.HttpServer, HttpServer.HttpServer)
    const stored = yield* Layer.build(Layer.fresh(storageOfThisRun)).pipe(Effect.provideService(Clock.Clock, clock))
    const feed = Context.get(stored, PresenceFeed)
    const stores = Context.add(stored, PresenceFeed, withoutPublishing(feed))
    const server = Layer.mergeAll(address, Sweeps.layer, Histories.layer).pipe(
      Layer.provideMerge(
        layerServer({
          key,
          directory: layerModelDirectory,
          policy: { allow: [] },
          areaLimits: MODEL_AREA_LIMITS,
          corsOrigins: []
        })
      ),
      Layer.provide([Layer.succeedContext(stores), layerSecretKeysEphemeral]),
      Layer.provideMerge(layerNodeServer({ host: HOST, port: 0 }))
    )
    const context = yield* Layer.build(server).pipe(
      Effect.provideService(Clock.Clock, clock),
      // The runs make directories unreachable on purpose, which would log warnings.
      Effect.provideService(References.MinimumLogLevel, "Error"),
      Effect.orDie
    )
    const { address: bound } = yield* Effect.provideContext(HttpServer.HttpServer, context)
    if (bound._tag === "UnixPathAddress") return yield* Effect.die("the server listens on no port")

    const sweeps = yield* Effect.provideContext(Sweeps, context)
    const histories = yield* Effect.provideContext(Histories, context)
    const agent = yield* Effect.acquireRelease(
      Effect.sync(() => makeAgent(16)),
      (pool) => Effect.sync(() => pool.destroy())
    )
    const credentials = makeCredentials(key)

    const ask = Effect.fnUntraced(function* (by: Caller, request: HttpRequest) {
      const headers = {
        accept: "application/json, application/problem+json",
        ...request.headers,
        authorization: yield* Effect.orDie(credentials(by))
      }
      const { status, text } = yield* Effect.promise(() =>
        sendTo(`http://${HOST}:${bound.port}`, { agent, ...request, headers })
      )
      const body: unknown = text === "" ? undefined : JSON.parse(text)
      if (status < 300) return fromJson(body)
      const type = (body as Json | undefined)?.["type"]
      const [_tag] = Object.entries(PROBLEM_URIS).find(([, uri]) => uri === type) ?? [`${status} ${text}`]
      return yield* Effect.fail({ _tag })
    })
    const services = servicesOverHttp(ask, {
      publish: publishAll(feed),
      read: makeReadFeed(bound.port, credentials, feed),
      keepHistory: (retention) => Effect.asVoid(Effect.andThen(histories.rollUp, histories.forgetMinutes(retention)))
    })
    return {
      delivers: false,
      perform: (request, args): Effect.Effect<Answer> =>
        answerOf(Effect.suspend(() => request.ask(services, args))).pipe(
          Effect.catchDefect((defect) => Effect.succeed<Answer>({ name: `defect: ${String(defect)}` })),
          Effect.provideService(Clock.Clock, clock)
        ),
      advance,
      sweep: Effect.provideService(sweepAll(sweeps), Clock.Clock, clock)
    }
  })
