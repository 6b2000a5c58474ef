/** The use cases that the model asks for, each by its endpoint. Fields that HTTP calls otherwise get the names of the core. */
import type { Caller, DisplayCaller, Premises } from "@sojourn/core"
import type { ModelServices } from "@sojourn/testing"
import { Effect, Redacted } from "effect"
import type { HttpRequest } from "./httpClient.ts"

type Json = Record<string, any>
type Outcome = Effect.Effect<unknown, { readonly _tag: string }>

/** Sends a request as a caller. It answers the body of a success, undefined without one, and fails with the kind of the problem. */
export type Ask = (by: Caller, request: HttpRequest) => Effect.Effect<any, { readonly _tag: string }>

const LEVELS = ["viewer", "manager", "owner"]

const NAMES: Readonly<Record<string, string>> = {
  authenticationServerURL: "authenticationServer",
  permission: "level",
  requestReason: "reason"
}

/** A body with ids as bigints and the only form of timestamps that the service may write as milliseconds. */
export const fromJson = (value: unknown, name = ""): any => {
  if (Array.isArray(value)) return value.map((item) => fromJson(item, name.replace(/Ids$/, "Id")))
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([field, item]) => [NAMES[field] ?? field, fromJson(item, field)])
    )
  }
  if (name === "permission") return LEVELS[Number(value) - 1]
  if (typeof value === "number") return name === "id" || name.endsWith("Id") ? BigInt(value) : value
  if (typeof value !== "string") return value
  const time = /^\d{4}-.*Z$/.test(value) ? Date.parse(value) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString() === value ? time : value
}

const premisesOf = ({ organizationId, placeId }: Json) => (placeId === undefined ? { organizationId } : { placeId })
const withPremises = ({ organizationId, placeId, ...rest }: Json) => ({
  ...rest,
  premises: premisesOf({ organizationId, placeId })
})
const capacityOf = ({ capacity, warnAt, ...rest }: Json) => ({
  ...withPremises(rest),
  capacity: capacity === undefined || capacity === null ? undefined : { capacity, warnAt }
})
const accessOf = ({ entranceTimestamp: entrance, exitTimestamp: exit, ...rest }: Json) => ({
  ...rest,
  stay: { premises: premisesOf(rest), entrance, exit }
})
const webhookOf = ({ state, lastDeliveredVersion: delivered, lastFailure, ...rest }: Json) => ({
  ...rest,
  progress: { state, delivered, lastFailure }
})
/** A place without a name is called by its id. */
const placeOf = ({ name, ...rest }: Json) => ({ ...rest, name: name === `Place ${rest["id"]}` ? undefined : name })
const musterOf = ({ musterId: id, ...rest }: Json) => ({ id, ...rest })
const each = (read: (item: any) => unknown) => (items: ReadonlyArray<any>) => items.map(read)
const page = (items: ReadonlyArray<unknown>) => ({ items, hasMore: false })

const at = (premises: Premises) =>
  premises._tag === "PlacePremises" ? `place/${premises.placeId}` : `organization/${premises.organizationId}`
const list = (elements: ReadonlyArray<string>) => elements.map(encodeURIComponent).join(",")
const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString())

/** Operands as JSON: ids are numbers. */
const toJson = (value: unknown): any =>
  JSON.parse(
    JSON.stringify(value, (name, field: unknown) =>
      name === "_tag" ? undefined : typeof field === "bigint" ? Number(field) : field
    )
  )

/** The use cases over HTTP; `feed` is what no endpoint does. */
export const servicesOverHttp = (ask: Ask, feed: ModelServices["feed"]): ModelServices => {
  // The model has no displays.
  const get = (by: Caller | DisplayCaller, path: string, read: (body: any) => unknown = (body) => body): Outcome =>
    Effect.map(ask(by as Caller, { method: "GET", path }), (body) => read(body ?? []))
  const send = (
    by: Caller,
    method: string,
    path: string,
    json?: unknown,
    read: (body: any) => unknown = (body) => body
  ): Outcome =>
    Effect.map(ask(by, { method, path, ...(json !== undefined && { json: toJson(json) }) }), (body) =>
      body === undefined ? undefined : read(body)
    )
  const decide = (verdict: string) => (by: Caller, id: bigint) =>
    send(by, "POST", `/operator/deletionrequest/${id}/${verdict}`)
  const grant =
    (path: string) =>
    (by: Caller, { organizationId, administrator, level, orgAuthServerId }: any) =>
      send(by, "POST", `/administrator/${path}`, {
        organizationId,
        ...administrator,
        // Without id and password the administrator is invited, as the model expects.
        password:
          path === "createadministrator" && administrator.administratorId !== undefined ? "correct horse" : undefined,
        permission: level,
        orgAuthServerId
      })
  const track: ModelServices["movements"]["track"] = (user, movement) => {
    const isEntrance = movement._tag === "Entrance"
    const type = movement.timestamp === undefined ? (isEntrance ? "entrance" : "exit") : isEntrance ? 1 : -1
    const { premises, orgAuthServerId } = movement
    const request = {
      method: "POST",
      path: `/movement/track/${premises._tag === "PlacePremises" ? "place" : "organization"}`,
      json: toJson({
        movementType: type,
        ...premises,
        timestamp: iso(movement.timestamp),
        orgAuthServerId,
        exitToken: isEntrance ? undefined : movement.exitToken
      }),
      ...(isEntrance &&
        movement.idempotencyKey !== undefined && { headers: { "idempotency-key": movement.idempotencyKey } })
    }
    return Effect.map(ask(user, request), ({ movementType, ...body }: Json) => {
      const isRight = movementType === (isEntrance ? 1 : -1)
      return { ...withPremises(body), ...(isRight ? {} : { movementType }) }
    })
  }
  return {
    accesses: {
      // Any user may send tokens.
      anonymous: (premises, tokens) =>
        get(
          { _tag: "User", userId: "ann" } as Caller,
          `/access/${at(premises)}/anonymous/${list(tokens)}`,
          each(accessOf)
        ),
      own: (by, premises, people) => get(by, `/access/${at(premises)}/authenticated/${list(people)}`, each(accessOf)),
      ofPeople: (by, premises, people) =>
        get(by, `/access/${at(premises)}/authenticated/${list(people)}`, each(accessOf))
    },
    accountLinks: {
      link: (by, organizationId, { username, password }) =>
        send(by, "POST", "/authenticationserver/link", {
          organizationId,
          username,
          password: Redacted.value(password)
        }),
      unlink: (by, organizationId) => send(by, "DELETE", `/authenticationserver/link/${organizationId}`),
      information: (by, organizationId, { username, password }, people) =>
        send(by, "POST", "/authenticationserver/userinformation", {
          organizationId,
          organizationCredentials: { username, password: Redacted.value(password) },
          orgAuthServerIds: people === "everyone" ? ["*"] : people
        })
    },
    administrators: {
      register: (by, account) => send(by, "POST", "/operator/administrator", account),
      bind: grant("bindadministrator"),
      create: grant("createadministrator"),
      unbind: (by, permission) => send(by, "POST", "/administrator/unbindadministrator", permission),
      changeLevel: (by, organizationId, { level, ...update }) =>
        send(by, "PATCH", "/administrator/updatepermission", {
          organizationId,
          ...update,
          permission: LEVELS.indexOf(level) + 1
        }),
      listByOrganization: (by, organizationId) => get(by, `/administrator/organization/${organizationId}`),
      listOwn: (by) => get(by, `/administrator/permission/${encodeURIComponent(by.administratorId)}`)
    },
    capacities: {
      set: (by, premises, capacity) =>
        send(by, "PUT", `/capacity/${at(premises)}`, capacity ?? { capacity: null }, capacityOf),
      get: (by, premises) => get(by, `/capacity/${at(premises)}`, capacityOf)
    },
    deletionRequests: {
      request: (by, { organizationId, reason, administratorId }) =>
        send(by, "POST", "/organization/requestdeletion", { organizationId, requestReason: reason, administratorId }),
      list: (by) => get(by, "/operator/deletionrequest"),
      approve: decide("approve"),
      reject: decide("reject")
    },
    favorites: {
      add: (by, draft) =>
        send(by, "POST", "/favorite/addfavorite", draft, ({ organization, ...favorite }: Json) => ({
          favorite,
          organization
        })),
      remove: (by, draft) => send(by, "POST", "/favorite/removefavorite", draft),
      list: (by, userId) =>
        get(by, `/favorite/${encodeURIComponent(userId)}`, (all) =>
          page(each((organization) => ({ organization }))(all))
        )
    },
    histories: {
      rows: (by, premises, { step, from, to }) =>
        get(by, `/presence/${at(premises)}/history?${new URLSearchParams({ from: iso(from)!, to: iso(to)!, step })}`)
    },
    movements: { track },
    musters: {
      inside: (by, premises) => get(by, `/presence/${at(premises)}/inside`),
      start: (by, { organizationId, kind }) =>
        send(by, "POST", `/muster/organization/${organizationId}`, { kind }, musterOf),
      list: (by, organizationId) => get(by, `/muster/organization/${organizationId}`, each(musterOf)),
      get: (by, id) => get(by, `/muster/${id}`, musterOf),
      mark: (by, id, marking) => {
        const [path, body] =
          marking._tag === "MarkSwept"
            ? ["swept", { placeId: marking.placeId, swept: marking.isSwept }]
            : marking._tag === "UnmarkPeople"
              ? ["missing", { orgAuthServerIds: marking.people }]
              : ["safe", marking._tag === "MarkCount" ? { count: marking.count } : { orgAuthServerIds: marking.people }]
        return send(by, "POST", `/muster/${id}/${path as string}`, body, musterOf)
      },
      end: (by, id) => send(by, "POST", `/muster/${id}/end`, undefined, musterOf)
    },
    organizations: {
      create: (by, draft, owner) => send(by, "POST", "/operator/organization", { ...draft, owner }),
      edit: (by, id, edit) =>
        send(by, "PUT", "/organization", { [edit.name === undefined ? "id" : "organizationId"]: id, ...edit }),
      editTrackingArea: (by, id, trackingArea) =>
        ask(by, { method: "PATCH", path: `/organization/${id}/trackingArea`, form: { trackingArea } }),
      constrain: (by, id, maxArea) =>
        send(
          by,
          "PUT",
          `/operator/organization/${id}/constraint`,
          { maxArea: maxArea ?? null },
          ({ organizationId }: Json) => ({ id: organizationId })
        ),
      get: (by, id) => get(by, `/organization/${id}`),
      list: (by) => get(by, "/organization", page)
    },
    personalData: { erase: (by, subject) => send(by, "POST", "/operator/personaldata/erase", subject) },
    places: {
      create: (by, draft) => send(by, "POST", "/place", draft, placeOf),
      edit: (by, id, edit) =>
        send(by, "PUT", "/place", { [edit.name === undefined ? "placeId" : "id"]: id, ...edit }, placeOf),
      remove: (by, id) => send(by, "DELETE", `/place/${id}`),
      list: (by, organizationId) => get(by, `/place/organization/${organizationId}`, (all) => page(each(placeOf)(all)))
    },
    presence: { counter: (by, premises) => get(by, `/presence/${at(premises)}/counter`, withPremises) },
    reports: { timePerUser: (by, placeId) => get(by, `/report/place/${placeId}`) },
    stayEndings: {
      end: (by, { premises, withPlaces, people, exit }) =>
        send(
          by,
          "POST",
          `/record/${at(premises)}/end`,
          { orgAuthServerIds: people, exitTimestamp: iso(exit), places: withPlaces },
          ({ ended }: Json) => ended
        ),
      clear: (by, { premises, withPlaces }) => send(by, "POST", `/record/${at(premises)}/clear`, { places: withPlaces })
    },
    stayPolicies: {
      change: (by, organizationId, change) =>
        send(
          by,
          "PUT",
          `/operator/organization/${organizationId}/policy`,
          change,
          ({ organizationId: _, ...policy }: Json) => policy
        )
    },
    webhooks: {
      create: (by, { organizationId, url, types }) =>
        send(by, "POST", `/webhook/organization/${organizationId}`, { url, types }, (made: Json) => ({
          webhook: webhookOf(made)
        })),
      list: (by, organizationId) => get(by, `/webhook/organization/${organizationId}`, each(webhookOf)),
      remove: (by, id) => send(by, "DELETE", `/webhook/${id}`),
      enable: (by, id) => send(by, "POST", `/webhook/${id}/enable`, undefined, webhookOf)
    },
    feed
  }
}
