/**
 * A small world with data of every kind, and a server's answers about it. It is created and read through the published
 * interface, so that every later version can be compared with the version that wrote it.
 */
import { OwnIssuer } from "@sojourn/adapter-jwt"
import { Administrator, AdministratorId, type Caller, Mail, Operator, OperatorId, User, UserId } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { DEMO_PASSWORD, DEMO_SERVER } from "../../src/demo/people.ts"

export type Who = "user" | "guest" | "owner" | "viewer" | "operator"

const CALLERS: Record<Who, Caller> = {
  user: User(UserId.make("user")),
  guest: User(UserId.make("guest")),
  owner: Administrator(AdministratorId.make("owner"), Mail.make("owner@world.example")),
  viewer: Administrator(AdministratorId.make("viewer"), Mail.make("viewer@world.example")),
  operator: Operator(OperatorId.make("operator"))
}

/** An answer: its status, and its body if that is JSON. */
export interface Answer {
  readonly status: number
  readonly body?: unknown
}

/** Sends a request to a server as a caller. */
export type Ask = (who: Who, method: string, path: string, body?: unknown) => Promise<Answer>

/** Sends requests through a `fetch`, with tokens signed by an issuer's key. */
export const asking =
  (fetch: typeof globalThis.fetch, key: OwnIssuer.SigningKey): Ask =>
  async (who, method, path, body) => {
    const token = await Effect.runPromise(OwnIssuer.mint(key, CALLERS[who], { expiresIn: 3600 }))
    const headers = { authorization: `Bearer ${Redacted.value(token)}`, "content-type": "application/json" }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`http://world.example${path}`, { method, headers, ...sent })
    const text = await response.text()
    return { status: response.status, ...(text !== "" && { body: JSON.parse(text) }) }
  }

const area = (west: number, east: number) =>
  `{"type":"Polygon","coordinates":[[[${west},45],[${east},45],[${east},46],[${west},46],[${west},45]]]}`

/** The record of a world: the tokens of open stays, and the answers to every read. */
export interface World {
  readonly inside: ReadonlyArray<{ readonly who: Who; readonly path: string; readonly exit: unknown }>
  readonly reads: ReadonlyArray<{ readonly who: Who; readonly path: string; readonly answer: Answer }>
}

/** Creates the world on an empty server whose organizations may use the demo's directory. */
export const makeWorld = async (ask: Ask): Promise<World> => {
  const does = async (...[who, method, path, body]: Parameters<Ask>): Promise<any> => {
    const answer = await ask(who, method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}`)
    return answer.body
  }
  const owner = { administratorId: "owner", mail: "owner@world.example" }
  const organization = (name: string, more: object) =>
    does("operator", "POST", "/operator/organization", { name, trackingArea: area(11, 12), owner, ...more })
  const museum = await organization("Museum", { trackingMode: "anonymous", city: "Padova", description: "Ünïcode 🏛" })
  const works = await organization("Works", { trackingMode: "authenticated", authenticationServerURL: DEMO_SERVER })
  const closing = await organization("Closing", { trackingMode: "anonymous" })

  await does("operator", "PUT", `/operator/organization/${museum.id}/constraint`, { maxArea: 1e12 })
  await does("operator", "PUT", `/operator/organization/${museum.id}/policy`, { retention: 3_155_760_000 })
  await does("operator", "POST", "/operator/administrator", { administratorId: "viewer", mail: "viewer@world.example" })
  await does("owner", "POST", "/administrator/bindadministrator", {
    organizationId: museum.id,
    administratorId: "viewer",
    permission: "viewer"
  })
  await does("owner", "POST", "/administrator/createadministrator", {
    organizationId: works.id,
    mail: "invited@world.example",
    permission: "manager"
  })
  const hall = await does("owner", "POST", "/place", {
    organizationId: museum.id,
    name: "Hall",
    trackingArea: area(11, 11.5)
  })
  const shop = await does("owner", "POST", "/place", { organizationId: works.id, trackingArea: area(11, 11.5) })
  await does("user", "POST", "/authenticationserver/link", {
    organizationId: works.id,
    username: "ada",
    password: DEMO_PASSWORD
  })
  await does("user", "POST", "/favorite/addfavorite", { organizationId: works.id })
  await does("owner", "POST", "/organization/requestdeletion", { organizationId: closing.id, requestReason: "moved" })

  const inside: Array<World["inside"][number]> = []
  const tokens: Record<string, Array<string>> = {}
  const stays = [
    ["guest", "organization", { organizationId: museum.id }],
    ["guest", "place", { placeId: hall.id }],
    ["user", "organization", { organizationId: works.id }],
    ["user", "place", { placeId: shop.id }]
  ] as const
  for (const [who, kind, premises] of stays) {
    const path = `/movement/track/${kind}`
    const enter = (timestamp: string) => does(who, "POST", path, { ...premises, movementType: "entrance", timestamp })
    const key = JSON.stringify(premises)
    const closed = await enter("2026-01-01T10:00:00.000Z")
    const exit = {
      ...premises,
      movementType: "exit",
      exitToken: closed.exitToken,
      timestamp: "2026-01-01T11:30:00.123Z"
    }
    await does(who, "POST", path, exit)
    const { exitToken } = await enter("2026-01-02T10:00:00.000Z")
    ;(tokens[key] ??= []).push(closed.exitToken, exitToken)
    inside.push({ who, path, exit: { ...premises, movementType: "exit", exitToken } })
  }
  const tokensOf = (premises: object) => tokens[JSON.stringify(premises)]!.join()

  const asked: ReadonlyArray<readonly [Who, string]> = [
    ["guest", "/organization"],
    ["guest", `/organization/${museum.id}`],
    ["guest", `/place/organization/${museum.id}`],
    ["guest", `/access/organization/${museum.id}/anonymous/${tokensOf({ organizationId: museum.id })}`],
    ["guest", `/access/place/${hall.id}/anonymous/${tokensOf({ placeId: hall.id })}`],
    ["user", `/access/organization/${works.id}/authenticated/ada`],
    ["user", "/favorite/user"],
    ["owner", `/access/place/${shop.id}/authenticated/ada,grace`],
    ["owner", `/report/place/${shop.id}`],
    ["owner", `/presence/organization/${museum.id}/counter`],
    ["owner", `/presence/place/${shop.id}/counter`],
    ["owner", `/administrator/organization/${museum.id}`],
    ["owner", `/administrator/organization/${works.id}`],
    ["viewer", "/administrator/permission/viewer"],
    ["viewer", `/presence/place/${hall.id}/counter`],
    ["operator", "/operator/deletionrequest"],
    ["operator", `/operator/organization/${museum.id}/policy`]
  ]
  const reads: Array<World["reads"][number]> = []
  for (const [who, path] of asked) reads.push({ who, path, answer: await ask(who, "GET", path) })
  return { inside, reads }
}
