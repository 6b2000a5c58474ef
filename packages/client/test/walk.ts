/** A walk over the whole interface: calls every endpoint once with success, on a server in memory. */
import { makeWebHandler } from "@sojourn/adapter-http"
import { OwnIssuer } from "@sojourn/adapter-jwt"
import { layerDirectories, layerStores } from "@sojourn/adapter-memory"
import { makeClient, type SojournClient } from "@sojourn/client"
import {
  Administrator,
  AdministratorId,
  type Caller,
  defaultAuthenticationServerPolicy,
  layerSecretKeysEphemeral,
  Mail,
  Operator,
  OperatorId,
  type OrgAuthServerId,
  User,
  UserId
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { IMAGES } from "../../server/test/images.ts"
import { layerInterface } from "../../server/test/interface.ts"

/** A request as it was sent, and its answer as it came. */
export interface Exchange {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
  readonly status: number
  readonly type: string | undefined
  /** Of a stream, its first message. */
  readonly answer: string
  /** The kind of caller that sent it, in lower case; none where there were no credentials. */
  readonly caller: string | undefined
}

/** The first exchange of an endpoint whose answer is of this type, if any. */
export const exchangeOf = (
  exchanges: ReadonlyArray<Exchange>,
  method: string,
  template: string,
  accept = ""
): Exchange | undefined => {
  const path = new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`)
  return exchanges.find(
    (one) => one.method === method && path.test(one.path.split("?")[0]!) && one.headers["accept"]!.startsWith(accept)
  )
}

const DIRECTORY = "ldaps://directory.example.org/ou=people?uid?sub"
const person = (name: string, surname: string) => ({ name, surname, password: Redacted.make("correct horse") })
const people = new Map([
  ["tim" as OrgAuthServerId, person("Tim", "Berners-Lee")],
  ["eve" as OrgAuthServerId, person("Eve", "Smith")]
])

const polygon = (west: number, south: number, east: number, north: number): string =>
  `{"type":"Polygon","coordinates":[[[${west},${south}],[${east},${south}],[${east},${north}],[${west},${north}],[${west},${south}]]]}`
const AREA = polygon(11.8, 45.3, 11.9, 45.4)
const WING = polygon(11.85, 45.35, 11.9, 45.4)

/** A server in memory without a socket: how it is called, with the token of a caller, and what ends it. */
export const serve = async () => {
  const key = await Effect.runPromise(Effect.flatMap(OwnIssuer.generate, OwnIssuer.decode))
  const dispatcher = Layer.provide(
    layerInterface({
      key,
      policy: defaultAuthenticationServerPolicy,
      corsOrigins: [],
      directory: layerDirectories(new Map([[DIRECTORY, people]]))
    }),
    [layerStores, layerSecretKeysEphemeral]
  )
  const scope = await Effect.runPromise(Scope.make())
  const context = await Effect.runPromise(Layer.buildWithScope(dispatcher, scope))
  const handle = await Effect.runPromise(Effect.provideContext(makeWebHandler, context))
  return {
    fetch: (url: string, init: RequestInit): Promise<Response> => handle(new Request(url, init)),
    tokenOf: async (caller: Caller): Promise<string> =>
      Redacted.value(await Effect.runPromise(OwnIssuer.mint(key, caller, { expiresIn: 3600 }))),
    stop: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

export type Server = Awaited<ReturnType<typeof serve>>

export const ada = Administrator(AdministratorId.make("ada"), Mail.make("ada@example.org"))
export const operator = Operator(OperatorId.make("op"))
export const userOf = (id: string) => User(UserId.make(id))

/** A client of a server for one caller. */
export const clientOf = (server: Server, caller: Caller, fetch: Server["fetch"] = server.fetch): SojournClient =>
  makeClient({ baseUrl: "http://127.0.0.1:8080", token: () => server.tokenOf(caller), fetch })

const manageOrganizations = async (op: SojournClient, owner: SojournClient, anyone: SojournClient) => {
  await anyone.health.live()
  await anyone.health.ready()
  await op.operator.registerAdministrator({ body: { administratorId: "bob", mail: "bob@example.org" } })
  const draft = { trackingArea: AREA, owner: { administratorId: "ada", mail: "ada@example.org" } }
  const museum = await op.operator.createOrganization({ body: { ...draft, name: "Museum", trackingMode: "anonymous" } })
  const works = await op.operator.createOrganization({
    body: { ...draft, name: "Works", trackingMode: "authenticated", authenticationServerURL: DIRECTORY }
  })
  const organizationId = museum.id
  await op.operator.constrainOrganization({ organizationId, body: { maxArea: 90_000_000 } })
  await op.operator.changeStayPolicy({ organizationId, body: { longestStay: 43_200 } })
  await op.operator.readStayPolicy({ organizationId })
  await op.operator.readOrganization({ organizationId })
  await op.operator.listOrganizations({ limit: 1 })
  await op.operator.bindAdministrator({ organizationId, body: { mail: "bob@example.org", permission: "viewer" } })
  await op.operator.revokeTokens({ body: { kind: "user", id: "eve", issuedBefore: "2026-05-04T09:30:00Z" } })

  await owner.organization.edit({ body: { id: organizationId, city: "Padova" } })
  await owner.organization.editTrackingArea({ organizationId, body: { trackingArea: AREA } })
  await owner.organization.get({ organizationId })
  const invited = { organizationId, mail: "eve@example.org", password: "correct horse", permission: "manager" } as const
  await owner.administrator.create({ body: invited })
  await owner.administrator.bind({ body: { organizationId: works.id, administratorId: "bob", permission: "viewer" } })
  await owner.administrator.changeLevel({ body: { organizationId, administratorId: "bob", permission: "manager" } })
  await owner.administrator.list({ organizationId })
  await owner.administrator.permissions({ administratorId: "ada" })
  await owner.administrator.unbind({ body: { organizationId, administratorId: "bob" } })
  const signIn = { grant_type: "password", username: "eve@example.org", password: "correct horse" } as const
  await anyone.authentication.token({ body: signIn })
  await owner.authentication.administrator()
  return { museum, works }
}

const track = async (user: SojournClient, organizationId: number, placeId: number) => {
  const atWorks = { movementType: "entrance", organizationId } as const
  const { exitToken } = await user.movement.trackOrganization({ body: atWorks, idempotencyKey: "8c5e" })
  const { exitToken: ofPlace } = await user.movement.trackPlace({ body: { movementType: "entrance", placeId } })
  return {
    exitTokens: [exitToken],
    leave: async () => {
      await user.movement.trackPlace({ body: { movementType: "exit", placeId, exitToken: ofPlace } })
      await user.movement.trackOrganization({ body: { movementType: "exit", organizationId, exitToken } })
      return ofPlace
    }
  }
}

const lead = async (owner: SojournClient, organizationId: number, placeId: number) => {
  await owner.capacity.setOrganizationCapacity({ organizationId, body: { capacity: 250, warnAt: 0.8 } })
  await owner.capacity.organizationCapacity({ organizationId })
  await owner.capacity.setPlaceCapacity({ placeId, body: { capacity: 40 } })
  await owner.capacity.placeCapacity({ placeId })
  await owner.presence.organizationCounter({ organizationId })
  await owner.presence.placeCounter({ placeId })
  await owner.muster.insideOrganization({ organizationId })
  await owner.muster.insidePlace({ placeId })
  const { musterId } = await owner.muster.startMuster({
    organizationId,
    body: { kind: "drill", note: "The yearly drill" }
  })
  await owner.muster.markSafe({ musterId, body: { orgAuthServerIds: ["tim"] } })
  await owner.muster.markMissing({ musterId, body: { orgAuthServerIds: ["tim"] } })
  await owner.muster.markSwept({ musterId, body: { placeId, swept: true } })
  await owner.muster.readMuster({ musterId })
  await owner.muster.readMusterCsv({ musterId })
  await owner.muster.endMuster({ musterId })
  await owner.muster.listMusters({ organizationId })
  for await (const { event } of owner.stream.presence({ organizations: [organizationId] }))
    if (event === "snapshot") break
}

const lookBack = async (user: SojournClient, owner: SojournClient, organizationId: number, placeId: number) => {
  const orgAuthServerIds = ["tim"]
  await user.access.organizationAuthenticated({ organizationId, orgAuthServerIds })
  await owner.access.placeAuthenticated({ placeId, orgAuthServerIds })
  await owner.report.timePerUser({ placeId })
  await owner.ending.endOrganization({ organizationId, body: { orgAuthServerIds, places: true } })
  await owner.ending.endPlace({ placeId, body: { orgAuthServerIds, exitTimestamp: new Date().toISOString() } })
  await owner.ending.clearOrganization({ organizationId, body: { places: true } })
  await owner.ending.clearPlace({ placeId })
  const hour = 3_600_000
  const begin = Math.floor(Date.now() / hour) * hour
  const [from, to] = [begin, begin + hour].map((at) => new Date(at).toISOString()) as [string, string]
  await owner.report.timePerUser({ placeId, from, to })
  const { next } = (await owner.window.organizationAccesses({ organizationId, from, to, limit: 1 }))!
  const rest = { organizationId, from, to, orgAuthServerId: ["tim", "ada"], premises: "own" } as const
  await owner.window.organizationAccesses({ organizationId, from, to, limit: 1, after: next })
  await owner.window.organizationAccesses(rest)
  await owner.window.organizationAccessesCsv(rest)
  await owner.window.placeAccesses({ placeId, from, to, limit: 10 })
  await owner.window.placeAccessesCsv({ placeId, from, to })
  await owner.window.organizationReport({ organizationId, from, to })
  await owner.history.organizationHistory({ organizationId, from, to, step: "hour" })
  await owner.history.placeHistory({ placeId, from, to, step: "day", timeZone: "organization" })
  await owner.audit.list({ organizationId, from, to, limit: 10 })
  await owner.audit.listCsv({ organizationId, from, to })
  const organizationCredentials = { username: "eve", password: "correct horse" }
  await owner.authenticationserver.userInformation({
    body: { organizationId, organizationCredentials, orgAuthServerIds }
  })
  const { webhookId } = await owner.webhook.create({
    organizationId,
    body: { url: "https://hooks.example.org/sojourn", types: ["capacity.changed"] }
  })
  await owner.webhook.list({ organizationId })
  await owner.webhook.enable({ webhookId })
  await owner.webhook.renewSecret({ webhookId })
  await owner.webhook.replay({ webhookId, body: { fromVersion: 1 } })
  await owner.webhook.test({ webhookId })
  await owner.webhook.attempts({ webhookId })
  await owner.webhook.remove({ webhookId })
}

/** Keeps the plan of a floor, reads it, and removes it. */
const keepPlan = async (owner: SojournClient, organizationId: number) => {
  const body = new Blob([IMAGES["image/png"]], { type: "image/png" })
  await owner.floorplan.put({ organizationId, level: 1, west: 11.85, south: 45.35, east: 11.9, north: 45.4, body })
  await owner.floorplan.get({ organizationId, level: 1 })
  await owner.floorplan.list({ organizationId })
  await owner.floorplan.remove({ organizationId, level: 1 })
}

/** Imports what is there already. */
const importAll = async (owner: SojournClient, operator: SojournClient, organizationId: number) => {
  const ring = [
    [11.81, 45.31],
    [11.82, 45.31],
    [11.82, 45.32],
    [11.81, 45.31]
  ]
  const feature = { type: "Feature", properties: {}, geometry: { type: "Polygon", coordinates: [ring] } }
  const features = JSON.stringify({ type: "FeatureCollection", features: [feature] })
  await owner.import.places({
    organizationId,
    dryRun: "true",
    body: new Blob([features], { type: "application/geo+json" })
  })
  const rows = "entranceTimestamp,exitTimestamp\n2026-03-01T08:00:00Z,2026-03-01T09:00:00Z"
  await operator.import.accesses({ organizationId, body: new Blob([rows], { type: "text/csv" }) })
}

/** Counts people with a device, which sends its own token. */
const countPeople = async (owner: SojournClient, organizationId: number, placeId: number, fetch: Server["fetch"]) => {
  const { deviceId, token } = await owner.device.create({
    organizationId,
    body: { name: "Main door", premises: [{ organization: true }, { placeId }] }
  })
  const device = makeClient({ baseUrl: "http://127.0.0.1:8080", token: () => Promise.resolve(token), fetch })
  await device.device.count({ body: { readings: [{ placeId, epoch: "a", in: 3, out: 1 }] } })
  await owner.device.list({ organizationId })
  await owner.counted.correctOrganization({ organizationId, body: { counted: 5 } })
  await owner.counted.organization({ organizationId })
  await owner.counted.correctPlace({ placeId, body: { counted: 0 } })
  await owner.counted.place({ placeId })
  await owner.device.rotate({ deviceId })
  await owner.device.remove({ deviceId })
}

/** The kind of caller of credentials: what a token of the own issuer says, or the prefix of a device's. */
const kindOf = (authorization: string | undefined): string | undefined =>
  authorization === undefined
    ? undefined
    : authorization.startsWith("Bearer sjd_")
      ? "device"
      : JSON.parse(Buffer.from(authorization.split(".")[1]!, "base64url").toString()).sojourn_kind

const bytesOf = async (blob: Blob): Promise<Uint8Array> => new Uint8Array(await blob.arrayBuffer())

/** The first message of a stream, without the lines before it. */
const firstMessage = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
  const reader = stream.getReader()
  let text = ""
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += Buffer.from(read.value).toString()
    const message = text.split("\n\n").find((block) => block.includes("data:"))
    if (message === undefined) continue
    // The other half of a cloned body is read further: this one's cancellation ends with it.
    void reader.cancel()
    return `${message}\n`
  }
  return text
}

/** Calls every endpoint once or more, and gives every exchange in its order. */
export const walk = async (): Promise<ReadonlyArray<Exchange>> => {
  const exchanges: Array<Exchange> = []
  const server = await serve()
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await server.fetch(url, init)
    const type = response.headers.get("content-type") ?? undefined
    const { pathname, search } = new URL(url)
    const isStream = type?.startsWith("text/event-stream") === true
    const headers = init.headers as Record<string, string>
    exchanges.push({
      method: init.method!,
      path: pathname + search,
      headers,
      body: init.body === null ? undefined : init.body instanceof Blob ? await bytesOf(init.body) : String(init.body),
      status: response.status,
      type,
      answer: isStream ? await firstMessage(response.clone().body!) : await response.clone().text(),
      caller: kindOf(headers["authorization"])
    })
    return response
  }
  try {
    const as = (caller: Caller) => clientOf(server, caller, fetch)
    const [op, owner, tim] = [as(operator), as(ada), as(userOf("tim"))]
    const { museum, works } = await manageOrganizations(
      op,
      owner,
      makeClient({ baseUrl: "http://127.0.0.1:8080", fetch })
    )
    const organizationId = works.id
    const { id: placeId } = await owner.place.create({
      body: { organizationId, name: "East wing", trackingArea: WING }
    })
    await owner.place.edit({ body: { id: placeId, name: "West wing" } })
    await owner.place.list({ organizationId })
    await tim.organization.list()
    await tim.accountlink.link({ body: { organizationId, username: "tim", password: "correct horse" } })
    await tim.favorite.add({ body: { organizationId } })
    await tim.favorite.list({ userId: "tim" })
    await tim.favorite.remove({ body: { organizationId } })

    const { leave } = await track(tim, organizationId, placeId)
    await lead(owner, organizationId, placeId)
    await keepPlan(owner, organizationId)
    await importAll(owner, op, museum.id)
    await countPeople(owner, organizationId, placeId, fetch)
    await leave()
    await lookBack(tim, owner, organizationId, placeId)

    const hall = await owner.place.create({ body: { organizationId: museum.id, name: "Hall", trackingArea: WING } })
    const visit = await track(tim, museum.id, hall.id)
    const ofHall = await visit.leave()
    await tim.access.organizationAnonymous({ organizationId: museum.id, exitTokens: visit.exitTokens })
    await tim.access.placeAnonymous({ placeId: hall.id, exitTokens: [ofHall] })
    await owner.place.remove({ placeId: hall.id })
    await tim.accountlink.unlink({ organizationId })

    const subject = { organizationId, orgAuthServerId: "tim" }
    await owner.authentication.signOut()
    await op.personaldata.export({ body: subject })
    await op.personaldata.erase({ body: subject })
    await op.personaldata.erasures({ organizationId })
    const now = Date.now()
    const [from, to] = [now - 3_600_000, now + 3_600_000].map((at) => new Date(at).toISOString()) as [string, string]
    await op.operatoraudit.list({ organizationId, from, to })
    await op.operatoraudit.listCsv({ from, to })
    for (const decide of ["rejectDeletionRequest", "approveDeletionRequest"] as const) {
      await owner.organization.requestDeletion({ body: { organizationId: museum.id, requestReason: "It moved" } })
      await owner.organization.getDeletionRequest({ organizationId: museum.id })
      const requests = await op.operator.listDeletionRequests({ status: "pending" })
      await op.operator[decide]({ id: requests[0]!.id })
    }
    return exchanges
  } finally {
    await server.stop()
  }
}
