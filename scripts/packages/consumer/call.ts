/**
 * Uses a server with the interface at its root, whose address is the first argument: an organization counts a visitor, for its owner.
 * Tokens are signed with ISSUER_KEY, or with the key in the data directory that is the second argument.
 */
import { layerCredentials, makeClient as makeEffectClient } from "@sojourn/adapter-http/client"
import { OwnIssuer } from "@sojourn/adapter-jwt"
import { makeClient } from "@sojourn/client"
import { Administrator, AdministratorId, type Caller, Operator, OperatorId } from "@sojourn/core"
import { OrganizationId, User, UserId } from "@sojourn/core"
import { issuerKey } from "@sojourn/server"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import assert from "node:assert/strict"

const [address = "", data] = process.argv.slice(2)

const key = await (data === undefined
  ? Effect.runPromise(OwnIssuer.decode(JSON.parse(process.env.ISSUER_KEY ?? "")))
  : Effect.runPromise(issuerKey(data)))
const mint = (caller: Caller) => Effect.runPromise(OwnIssuer.mint(key, caller, { expiresIn: 600 }))
const as = async (caller: Caller) => makeClient({ baseUrl: address, token: Redacted.value(await mint(caller)) })

const operator = await as(Operator(OperatorId.make("operator")))
const trackingArea = '{"type":"Polygon","coordinates":[[[11.8,45.3],[11.9,45.3],[11.9,45.4],[11.8,45.3]]]}'
const owner = { administratorId: "ada", mail: "ada@example.org" }
const body = { name: `Museum ${process.pid}`, trackingArea, trackingMode: "anonymous", owner } as const
const { id: organizationId } = await operator.operator.createOrganization({ body })

const user = await as(User(UserId.make("tim")))
await user.movement.trackOrganization({ body: { movementType: "entrance", organizationId } })

const ada = layerCredentials(await mint(Administrator(AdministratorId.make("ada"))))
const client = await Effect.runPromise(Effect.provide(makeEffectClient(address), [ada, FetchHttpClient.layer]))
const params = { organizationId: OrganizationId.make(BigInt(organizationId)) }
assert.equal((await Effect.runPromise(client.presence.organizationCounter({ params }))).counter, 1)
