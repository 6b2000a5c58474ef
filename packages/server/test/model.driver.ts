import { OwnIssuer } from "@sojourn/adapter-jwt"
import {
  Administrator,
  type AdministratorId,
  layerSecretKeysEphemeral,
  Histories,
  type Mail,
  Operator,
  type OperatorId,
  PresenceFeed,
  Sweeps,
  Timestamp,
  User,
  type UserId
} from "@sojourn/core"
import {
  type Directory,
  makeManualClock,
  MODEL_AREA_LIMITS,
  type ModelRequest,
  Names,
  type Observed,
  type StartDriver,
  sweepAll,
  withoutPublishing
} from "@sojourn/testing"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import { DEMO_PASSWORD, DEMO_SERVER, layerDemoDirectory } from "../src/demo/people.ts"
import { layerNodeServer, layerServer } from "../src/index.ts"
import { type HttpRequest, makeAgent, send as sendTo } from "./httpClient.ts"
import { makeRead } from "./model.answers.ts"
import { makeRequests } from "./model.requests.ts"
import { makeReadFeed } from "./model.stream.ts"
import { storageOfThisRun } from "./stores/registry.ts"

type Caller = ModelRequest["by"]

const directory: Directory = { known: DEMO_SERVER, password: DEMO_PASSWORD }

/** The lifetime of tokens, 100 years in seconds: the clock of a run may be set ahead by weeks. */
const LONG = 100 * 365 * 24 * 60 * 60

const HOST = "127.0.0.1"
const NEVER_ISSUED = Number.MAX_SAFE_INTEGER

const callerOf = (by: Exclude<Caller, { readonly kind: "unauthenticated" | "invalidToken" }>) =>
  by.kind === "user"
    ? User(by.id as UserId)
    : by.kind === "operator"
      ? Operator(by.id as OperatorId)
      : Administrator(by.id as AdministratorId, by.mail as Mail | undefined)

/** The Authorization header of each caller; each token is minted once. */
const makeCredentials = (key: OwnIssuer.SigningKey) => {
  const minted = new Map<string, string>()
  return Effect.fnUntraced(function* (by: Caller): Effect.fn.Return<Readonly<Record<string, string>>> {
    if (by.kind === "unauthenticated") return {}
    if (by.kind === "invalidToken") return { authorization: "Bearer not.a.token" }
    const name = JSON.stringify(by)
    const token = minted.get(name) ?? Redacted.value(yield* OwnIssuer.mint(key, callerOf(by), { expiresIn: LONG }))
    minted.set(name, token)
    return { authorization: `Bearer ${token}` }
  })
}

/**
 * The real server on a free port and a fresh storage, composed as in production, except for its clock, and that it publishes events and
 * keeps histories only when a command says so.
 */
export const httpDriver: StartDriver = Effect.gen(function* () {
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
        directory: layerDemoDirectory,
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
  const sweep = Effect.provideService(sweepAll(sweeps), Clock.Clock, clock)

  const agent = yield* Effect.acquireRelease(
    Effect.sync(() => makeAgent(16)),
    (pool) => Effect.sync(() => pool.destroy())
  )
  const send = (request: HttpRequest) =>
    Effect.promise(() => sendTo(`http://${HOST}:${bound.port}`, { agent, ...request }))
  const credentials = makeCredentials(key)
  const names = new Names()
  const readFeed = makeReadFeed(bound.port, names, feed)
  const toSent = makeRequests(names, directory)
  const read = makeRead(names, directory)

  /** The id of an organization's nth deletion request, read as an operator. */
  const decidedBy = Effect.fnUntraced(function* (request: ModelRequest) {
    if (request._tag !== "Decide") return NEVER_ISSUED
    const headers = yield* credentials({ kind: "operator", id: "opal" })
    const { status, text } = yield* send({ method: "GET", path: "/operator/deletionrequest", headers })
    if (status !== 200) return NEVER_ISSUED
    const all = JSON.parse(text) as ReadonlyArray<{ readonly id: number; readonly organizationId: number }>
    const organizationId = Number(names.id("organization", request.organization))
    return all.filter((one) => one.organizationId === organizationId)[request.nth]?.id ?? NEVER_ISSUED
  })

  const perform = Effect.fnUntraced(function* (request: ModelRequest): Effect.fn.Return<Observed> {
    switch (request._tag) {
      case "Publish": {
        const { nextAt } = yield* Effect.orDie(feed.publish(Timestamp(yield* Clock.currentTimeMillis)))
        return { status: 200, tokens: [], value: { nextAt: Option.getOrUndefined(nextAt) } }
      }
      case "KeepHistory":
        yield* Effect.orDie(Effect.andThen(histories.rollUp, histories.forgetMinutes(request.retention)))
        return { status: 200, tokens: [] }
      case "ReadFeed":
        return yield* readFeed(request.organization, (yield* credentials(request.by))["authorization"]).pipe(
          Effect.catchDefect((defect) =>
            Effect.succeed<Observed>({ name: `the stream: ${String(defect)}`, tokens: [] })
          )
        )
    }
    const sent = toSent(request, yield* decidedBy(request))
    const headers = { accept: "application/json", ...sent.headers, ...(yield* credentials(request.by)) }
    const { status, text, headers: answered } = yield* send({ ...sent, headers })
    const challenged = answered["www-authenticate"] === undefined
    if (status === 401 && challenged) return { status, tokens: [], value: "a 401 without WWW-Authenticate" }
    if (status < 300 && text !== "") return { status, ...read(request, text) }
    return { status, tokens: [], value: text === "" ? undefined : text }
  })
  return {
    wire: true,
    perform: (request) => Effect.provideService(perform(request), Clock.Clock, clock),
    advance,
    sweep
  }
})
