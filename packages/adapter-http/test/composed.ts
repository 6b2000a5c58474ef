/** Composes the interface on stores in memory, with and without a socket, for tests of this package. */
import {
  type Answered,
  type Dispatcher,
  layerDispatcher,
  makeNodeListener,
  makeWebHandler,
  PresenceStreamOptions,
  Readiness,
  RequestLog
} from "@sojourn/adapter-http"
import { layerCredentials, makeClient } from "@sojourn/adapter-http/client"
import { type Directories, layerDirectories, layerStores } from "@sojourn/adapter-memory"
import {
  Administrator,
  AdministratorId,
  Authenticator,
  AuthenticatorUnavailable,
  layerSecretKeysEphemeral,
  layerServices,
  Mail,
  NotAuthenticated,
  Operator,
  OperatorId,
  type OrganizationDirectory,
  type Stores,
  User,
  UserId
} from "@sojourn/core"
import { type Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll } from "vitest"

/** A token here is `kind:id`: the form of real ones is defined by other adapters. */
const authenticate = (credentials: Redacted.Redacted<string>) => {
  const [, kind, id = ""] = /^(\w+):(.+)$/.exec(Redacted.value(credentials)) ?? []
  switch (kind) {
    case "user":
      return Effect.succeed(User(UserId.make(id)))
    case "administrator":
      return Effect.succeed(Administrator(AdministratorId.make(id), Mail.make(`${id}@example.test`)))
    case "operator":
      return Effect.succeed(Operator(OperatorId.make(id)))
    case "broken":
      return Effect.die(new Error("a bug of the authenticator"))
    case "unavailable":
      return Effect.fail(new AuthenticatorUnavailable({ reason: "the keys were never loaded" }))
    default:
      return Effect.fail(new NotAuthenticated({ reason: "no such token" }))
  }
}

export interface Composition {
  /** The stores; new ones in memory when left out. */
  readonly stores?: Layer.Layer<Stores>
  /** Whether a token is still valid. */
  readonly isValid?: (token: string) => boolean
  readonly streams?: Partial<Context.Service.Shape<typeof PresenceStreamOptions>>
  readonly directories?: Directories
  readonly directory?: Layer.Layer<OrganizationDirectory>
  readonly isReady?: Effect.Effect<boolean>
  readonly keys?: typeof layerSecretKeysEphemeral
  readonly corsOrigins?: ReadonlyArray<string>
  readonly requestLog?: (answered: Answered) => void
}

/** The adapter as an application composes it: the stores in memory, and a directory and an authenticator of the test. */
export const compose = async ({
  stores = layerStores,
  isValid = () => true,
  streams,
  directories = new Map(),
  directory,
  isReady = Effect.succeed(true),
  keys = layerSecretKeysEphemeral,
  corsOrigins = [],
  requestLog
}: Composition = {}) => {
  const useCases = layerServices.pipe(Layer.provide([stores, directory ?? layerDirectories(directories), keys]))
  const dispatcher = layerDispatcher({ corsOrigins }).pipe(
    Layer.provide([
      useCases,
      Layer.succeed(
        Authenticator,
        Authenticator.of({
          authenticate: (credentials) =>
            isValid(Redacted.value(credentials))
              ? authenticate(credentials)
              : Effect.fail(new NotAuthenticated({ reason: "no longer valid" }))
        })
      ),
      Layer.succeed(Readiness, isReady),
      streams === undefined
        ? Layer.empty
        : Layer.effect(
            PresenceStreamOptions,
            Effect.map(PresenceStreamOptions, (usual) => ({ ...usual, ...streams }))
          ),
      Layer.succeed(RequestLog, requestLog)
    ])
  )
  const scope = await Effect.runPromise(Scope.make())
  const context = await Effect.runPromise(Layer.buildWithScope(dispatcher, scope))
  const run = <A>(effect: Effect.Effect<A, never, Dispatcher>) =>
    Effect.runPromise(Effect.provideContext(effect, context))
  /** The interface without a socket. */
  const fetchHere = await run(makeWebHandler)
  const node = createServer(await run(makeNodeListener))
  await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve))
  afterAll(async () => {
    node.close()
    node.closeAllConnections()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })
  const baseUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port}`

  /** The client that is derived from the interface's definition, with the token of one caller. */
  const clientOf = (token: string) =>
    Effect.provide(makeClient(baseUrl), [layerCredentials(Redacted.make(token)), FetchHttpClient.layer])
  /** A plain request, as any client in any language makes it. */
  const call = async (
    token: string | undefined,
    method: string,
    path: string,
    body?: unknown,
    headers: object = {}
  ) => {
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers
      },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    const text = await answer.text()
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      json: text.startsWith("<") || text === "" ? undefined : JSON.parse(text)
    }
  }
  const stop = () => Effect.runPromise(Scope.close(scope, Exit.void))
  return { baseUrl, clientOf, call, fetchHere, stop }
}

/** An area that many organizations here have. */
export const AREA = JSON.stringify({
  type: "Polygon",
  coordinates: [
    [
      [11, 45],
      [12, 45],
      [12, 46],
      [11, 46],
      [11, 45]
    ]
  ]
})

/** An authentication server that the default policy allows; its people live in memory. */
export const DIRECTORY = "ldaps://directory.example.org/dc=example?uid?sub"
