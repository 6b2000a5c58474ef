/** Callers, organizations and movements for tests over HTTP, made through the public interface. */
import type { Answer, Bearer, Call, Callers, Sent } from "./callers.ts"
import { rectangle } from "../src/demo/areas.ts"
import { DEMO_PASSWORD, DEMO_SERVER } from "../src/demo/people.ts"

export { DEMO_PASSWORD, rectangle }

/** A well-formed id that was never issued. */
export const NOWHERE = 9007199254740000

const LEVEL = { viewer: 1, manager: 2, owner: 3 } as const

/** Returns the answer when it has the expected status, else fails. */
export const want = <A extends Pick<Answer, "status" | "text">>(answer: A, status: number, what = ""): A => {
  if (answer.status === status) return answer
  throw new Error(`${what} ${status} expected, ${answer.status} answered ${answer.text}`.trim())
}

/** The area of every organization in these fixtures. */
export const GROUNDS = rectangle(11, 45, 12, 46)

/** The nth of many small, disjoint squares inside GROUNDS. */
export const square = (index: number): string => {
  const west = 11.01 + 0.02 * (index % 40)
  const south = 45.01 + 0.02 * Math.floor(index / 40)
  return rectangle(+west.toFixed(2), +south.toFixed(2), +(west + 0.01).toFixed(2), +(south + 0.01).toFixed(2))
}

/** A timestamp `seconds` after the whole second in which this file was loaded, so that differences are exact. */
const BEGAN = Math.floor(Date.now() / 1000) * 1000
export const at = (seconds: number): string => new Date(BEGAN + seconds * 1000).toISOString()

export type Kind = "organization" | "place"

export interface Premises {
  readonly kind: Kind
  readonly id: number
  readonly organizationId: number
}

/** The premises of an organization as a whole. */
export const whole = (id: number): Premises => ({ kind: "organization", id, organizationId: id })

let serial = 0
export const unique = (prefix: string): string => `${prefix}-${++serial}`

/** Creates callers, organizations and places for tests, through the public API. */
export const makeFixtures = <Sojourn extends Callers & { readonly call: Call }>(sojourn: Sojourn) => {
  const { call } = sojourn
  const operator = sojourn.operator()
  const owner = sojourn.administrator("the-owner")

  const post = (who: Bearer | undefined, path: string, json: unknown, sent: Sent = {}) =>
    call(who, "POST", path, { json, ...sent })
  const put = (who: Bearer | undefined, path: string, json: unknown, sent: Sent = {}) =>
    call(who, "PUT", path, { json, ...sent })
  const patch = (who: Bearer | undefined, path: string, json: unknown, sent: Sent = {}) =>
    call(who, "PATCH", path, { json, ...sent })
  const get = (who: Bearer | undefined, path: string, sent: Sent = {}) => call(who, "GET", path, sent)
  const remove = (who: Bearer | undefined, path: string, sent: Sent = {}) => call(who, "DELETE", path, sent)

  const draft = (over: object = {}) => ({
    name: unique("organization"),
    trackingArea: GROUNDS,
    trackingMode: "anonymous",
    owner: { administratorId: owner.id, mail: owner.mail },
    ...over
  })
  const organization = async (over: object = {}): Promise<any> =>
    want(await post(operator, "/operator/organization", draft(over)), 201, "an organization").json
  /** An organization that tracks authenticated people: ada, alan and grace of the demo's directory. */
  const authenticated = (over: object = {}) =>
    organization({ trackingMode: "authenticated", authenticationServerURL: DEMO_SERVER, ...over })
  const place = async (organizationId: number, trackingArea = square(0), over: object = {}): Promise<any> =>
    want(await post(owner, "/place", { organizationId, trackingArea, ...over }), 201, "a place").json

  const premisesOf = async (kind: Kind, organizationId: number, index = 0): Promise<Premises> =>
    kind === "organization"
      ? { kind, id: organizationId, organizationId }
      : { kind, id: (await place(organizationId, square(index))).id, organizationId }
  /** A new organization, or a place in a new organization. */
  const premises = async (kind: Kind, over: object = {}) => premisesOf(kind, (await organization(over)).id)
  const authenticatedPremises = async (kind: Kind, over: object = {}) =>
    premisesOf(kind, (await authenticated(over)).id)

  /** Binds an administrator, who may have no account yet. */
  const bind = async (organizationId: number, administrator: Bearer, level: keyof typeof LEVEL, by: Bearer = owner) => {
    await get(administrator, `/administrator/permission/${encodeURIComponent(administrator.id)}`)
    const binding = { organizationId, administratorId: administrator.id, permission: LEVEL[level] }
    want(await post(by, "/administrator/bindadministrator", binding), 201, "a binding")
    return administrator
  }

  /** Requests the deletion of an organization; returns the request. */
  const requestDeletion = async (organizationId: number, by: Bearer = owner, over: object = {}): Promise<any> => {
    want(await post(by, "/organization/requestdeletion", { organizationId, ...over }), 204, "a deletion request")
    const pending = want(await get(operator, "/operator/deletionrequest?status=pending"), 200).json
    return pending.find((request: any) => request.organizationId === organizationId)
  }
  const deleteOrganization = async (organizationId: number) => {
    const { id } = await requestDeletion(organizationId)
    want(await call(operator, "POST", `/operator/deletionrequest/${id}/approve`), 204, "an approval")
  }

  const exportData = (subject: object, who: Bearer = operator) => post(who, "/operator/personaldata/export", subject)
  const eraseData = (subject: object, who: Bearer = operator) => post(who, "/operator/personaldata/erase", subject)

  const link = (user: Bearer, organizationId: number, username: string, password = DEMO_PASSWORD) =>
    post(user, "/authenticationserver/link", { organizationId, username, password })
  const unlink = (user: Bearer, organizationId: number) => remove(user, `/authenticationserver/link/${organizationId}`)
  /** A new user who is linked to a person of the demo's directory. */
  const linked = async (organizationId: number, person: string, user = sojourn.user(unique("user"))) => {
    want(await link(user, organizationId, person), 201, "a link")
    return user
  }

  const track = (user: Bearer, { kind, id }: Pick<Premises, "kind" | "id">, movement: object, sent: Sent = {}) =>
    post(user, `/movement/track/${kind}`, { [`${kind}Id`]: id, ...movement }, sent)
  const enter = (user: Bearer, where: Pick<Premises, "kind" | "id">, over: object = {}, sent: Sent = {}) =>
    track(user, where, { movementType: 1, ...over }, sent)
  const leave = (
    user: Bearer,
    where: Pick<Premises, "kind" | "id">,
    exitToken: string,
    over: object = {},
    sent: Sent = {}
  ) => track(user, where, { movementType: -1, exitToken, ...over }, sent)
  /** Opens and closes a stay; returns its exit token. */
  const stay = async (user: Bearer, where: Premises, from = -3600, to = -1800): Promise<string> => {
    const { exitToken } = want(await enter(user, where, { timestamp: at(from) }), 201, "an entrance").json
    want(await leave(user, where, exitToken, { timestamp: at(to) }), 202, "an exit")
    return exitToken
  }
  const inside = async ({ kind, id }: Pick<Premises, "kind" | "id">): Promise<number> =>
    want(await get(owner, `/presence/${kind}/${id}/counter`), 200, "a counter").json.counter

  const anonymous = (who: Bearer | undefined, { kind, id }: Pick<Premises, "kind" | "id">, list: string) =>
    get(who, `/access/${kind}/${id}/anonymous/${list}`)
  const ofPeople = (who: Bearer | undefined, { kind, id }: Pick<Premises, "kind" | "id">, list: string) =>
    get(who, `/access/${kind}/${id}/authenticated/${list}`)

  return {
    sojourn,
    operator,
    owner,
    call,
    post,
    put,
    patch,
    get,
    remove,
    draft,
    organization,
    authenticated,
    place,
    premises,
    premisesOf,
    authenticatedPremises,
    bind,
    requestDeletion,
    deleteOrganization,
    exportData,
    eraseData,
    link,
    unlink,
    linked,
    enter,
    leave,
    stay,
    track,
    inside,
    anonymous,
    ofPeople
  }
}
