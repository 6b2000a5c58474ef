/** A server in memory for the tests of sensors, with one building and its owner. */
import { NodeServices } from "@effect/platform-node"
import { OwnIssuer } from "@sojourn/adapter-jwt"
import { makeClient } from "@sojourn/client"
import { Administrator, AdministratorId, type Caller, Mail, Operator, OperatorId } from "@sojourn/core"
import { Effect, Exit, Redacted, Scope } from "effect"
import { serveHere } from "../phones/serving.ts"

const area = '{"type":"Polygon","coordinates":[[[11.87,45.4],[11.88,45.4],[11.88,45.41],[11.87,45.41],[11.87,45.4]]]}'

/** Mints a token with the key of a server. */
export const tokenOf = async (key: OwnIssuer.SigningKey, caller: Caller) =>
  Redacted.value(await Effect.runPromise(OwnIssuer.mint(key, caller, { expiresIn: 86_400 })))

/** Creates an organization with a place, on a server with this key. */
export const foundBuilding = async (baseUrl: string, key: OwnIssuer.SigningKey) => {
  const owner = { administratorId: "owner", mail: "owner@building.example" }
  const caller = Administrator(AdministratorId.make(owner.administratorId), Mail.make(owner.mail))
  const token = await tokenOf(key, caller)
  const client = makeClient({ baseUrl, token })
  const operator = makeClient({ baseUrl, token: await tokenOf(key, Operator(OperatorId.make("operator"))) })
  const { id: organizationId } = await operator.operator.createOrganization({
    body: { name: "Building", trackingMode: "anonymous", trackingArea: area, owner }
  })
  const makePlace = async (name: string) =>
    (await client.place.create({ body: { organizationId, name, level: placesMade++, trackingArea: area } })).id
  let placesMade = 0

  /** Makes a device for a place. Returns its token. */
  const makeDevice = async (placeId: number) => {
    const made = await client.device.create({ organizationId, body: { name: "Door", premises: [{ placeId }] } })
    return made.token
  }
  const inside = async (placeId: number) => (await client.counted.place({ placeId })).inside
  return { organizationId, token, client, makePlace, makeDevice, inside }
}

/** Serves a building until it is stopped. */
export const serveBuilding = async () => {
  const scope = Scope.makeUnsafe()
  const serving = serveHere("memory").pipe(Scope.provide(scope), Effect.provide(NodeServices.layer))
  const { url, key } = await Effect.runPromise(serving)
  const stop = () => Effect.runPromise(Scope.close(scope, Exit.void))
  return { url, ...(await foundBuilding(url, key)), stop }
}
