/** A typed client that enters and leaves: derived from the interface's definition, with refusals as typed errors. */
import { layerDispatcher, makeNodeListener } from "@sojourn/adapter-http"
import { layerCredentials, makeClient } from "@sojourn/adapter-http/client"
import { OwnIssuer } from "@sojourn/adapter-jwt"
import * as Memory from "@sojourn/adapter-memory"
import * as Sojourn from "@sojourn/core"
import { Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const key = await Effect.runPromise(Effect.flatMap(OwnIssuer.generate, OwnIssuer.decode))

/** A server to call, on a free port. A client of yours has its address instead, and tokens of its issuer. */
const listening = Effect.gen(function* () {
  const server = createServer(yield* makeNodeListener).listen(0, "127.0.0.1")
  yield* Effect.promise(() => once(server, "listening"))
  yield* Effect.addFinalizer(() => Effect.promise(() => once(server.close(), "close")))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}).pipe(Effect.provide(Layer.provide(layerDispatcher(), [Memory.layer, OwnIssuer.layer(key)])))

/** The client of one caller: its methods are the interface's endpoints, as `group.endpoint`. */
const clientOf = Effect.fnUntraced(function* (baseUrl: string, caller: Sojourn.Caller) {
  const token = yield* OwnIssuer.mint(key, caller, { expiresIn: 3600 })
  return yield* makeClient(baseUrl).pipe(Effect.provide([layerCredentials(token), FetchHttpClient.layer]))
})

const program = Effect.gen(function* () {
  const baseUrl = yield* listening
  const operator = yield* clientOf(baseUrl, Sojourn.Operator(Sojourn.OperatorId.make("operator")))
  const ada = { administratorId: Sojourn.AdministratorId.make("ada"), mail: Sojourn.Mail.make("ada@example.org") }
  const trackingArea = '{"type":"Polygon","coordinates":[[[11.8,45.3],[11.9,45.3],[11.9,45.4],[11.8,45.3]]]}'
  const { id: organizationId } = yield* operator.operator.createOrganization({
    payload: { name: "Museum", trackingArea, trackingMode: "anonymous", owner: ada }
  })

  const tim = yield* clientOf(baseUrl, Sojourn.User(Sojourn.UserId.make("tim")))
  // With the key a request that got no answer may be sent again: it opens no second stay.
  const entrance = { headers: { "idempotency-key": crypto.randomUUID() } }
  const payload = { movementType: "entrance", organizationId } as const
  const entered = yield* tim.movement.trackOrganization({ ...entrance, payload })
  const again = yield* tim.movement.trackOrganization({ ...entrance, payload })
  assert.equal(again.exitToken, entered.exitToken)

  const leave = (exitToken: string) =>
    tim.movement.trackOrganization({ headers: {}, payload: { movementType: "exit", organizationId, exitToken } })
  const told = yield* leave("a guess").pipe(
    Effect.as("let out"),
    Effect.catchTag("BadRequest", ({ detail }) => Effect.succeed(`refused: ${detail}`))
  )
  console.log("with a token that was guessed", told)
  assert.match(told, /^refused/)
  const left = yield* leave(entered.exitToken)
  const [from, to] = [entered.timestamp, left.timestamp].map(Sojourn.formatTimestamp)
  console.log(`inside from ${from} to ${to}`)
})

await Effect.runPromise(Effect.scoped(program))
