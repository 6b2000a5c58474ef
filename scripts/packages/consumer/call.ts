/** A client of the server whose address and data directory are the arguments: one movement there, and back. */
import { layerCredentials, makeClient } from "@sojourn/adapter-http/client"
import { OwnIssuer } from "@sojourn/adapter-jwt"
import { AdministratorId, type Caller, Mail, Operator, OperatorId, User, UserId } from "@sojourn/core"
import * as Promises from "@sojourn/client"
import { issuerKey } from "@sojourn/server"
import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import assert from "node:assert/strict"
import { trackingArea } from "./day.ts"

const [address = "", data = ""] = process.argv.slice(2)

const clientOf = Effect.fnUntraced(function* (caller: Caller) {
  const token = yield* OwnIssuer.mint(yield* issuerKey(data), caller, { expiresIn: 60 })
  return yield* Effect.provide(makeClient(address), [layerCredentials(token), FetchHttpClient.layer])
})

const movement = Effect.gen(function* () {
  const operator = yield* clientOf(Operator(OperatorId.make("op")))
  const user = yield* clientOf(User(UserId.make("tim")))
  const owner = { administratorId: AdministratorId.make("ada"), mail: Mail.make("ada@example.org") }
  const draft = { name: "Museum", trackingArea, trackingMode: "anonymous", owner } as const
  const { id: organizationId } = yield* operator.operator.createOrganization({ payload: draft })
  const entrance = { movementType: "entrance", organizationId } as const
  const { exitToken } = yield* user.movement.trackOrganization({ headers: {}, payload: entrance })
  const exit = { movementType: "exit", organizationId, exitToken } as const
  return yield* user.movement.trackOrganization({ headers: {}, payload: exit })
})

assert.equal((await Effect.runPromise(movement)).movementType, -1)

assert.equal((await Promises.makeClient({ baseUrl: address }).health.ready()).status, "up")
