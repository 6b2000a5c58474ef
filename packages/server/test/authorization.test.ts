/**
 * The authorization matrix: one row per endpoint and kind of resource, one column per kind of caller. A cell is the
 * expected status of a request that is valid in every other respect.
 *
 *   public     no credentials, or bad ones       viewer, manager, owner   administrators bound to the organization
 *   user       an app user                       unbound    an administrator with an account, bound to nothing
 *   linked     a user linked to the person       foreign    the owner of another organization
 *              "ada" of the organization         operator   one of the service's own administrators
 *
 *   own        the resource of the organization that the columns are about
 *   missing    a well-formed id that was never issued
 *
 * The column "foreign" addresses the same organization as the other columns; the caller owns another one.
 */
import { beforeAll, describe, expect, it } from "vitest"
import { DEMO_PASSWORD, DEMO_SERVER } from "../src/demo/people.ts"
import { at, GROUNDS, makeFixtures, NOWHERE, square, unique, want } from "./fixtures.ts"
import { type Bearer, type Sent, sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { call, operator } = fixtures

const COLUMNS = ["public", "user", "linked", "unbound", "viewer", "manager", "owner", "foreign", "operator"] as const

/** The present day, and the next one. */
const TODAY = `step=day&from=${at(0)}&to=${at(86_400)}`

const INTERFACE = `
                                                             public user linked unbound viewer manager owner foreign operator
GET    organization                       own                   401  200    200     403    200     200   200     403      403
GET    organization                       missing               401  404    404     404    404     404   404     404      403
GET    organizations                      -                     401  200    200     403    403     403   403     403      403
POST   organization/requestdeletion       own                   401  403    403     403    403     403   204     403      403
POST   organization/requestdeletion       missing               401  403    403     404    404     404   404     404      403
PUT    organization                       own                   401  403    403     403    403     403   200     403      403
PUT    organization                       missing               401  403    403     404    404     404   404     404      403
PATCH  organization/trackingArea          own                   401  403    403     403    403     200   200     403      403
PATCH  organization/trackingArea          missing               401  403    403     404    404     404   404     404      403

POST   administrator/bind                 own                   401  403    403     403    403     403   201     403      403
POST   administrator/bind                 missing               401  403    403     404    404     404   404     404      403
POST   administrator/bind                 own,nobody-known      401  403    403     403    403     403   404     403      403
POST   administrator/create               own                   401  403    403     403    403     403   201     403      403
POST   administrator/create               missing               401  403    403     404    404     404   404     404      403
GET    administrator/organization         own                   401  403    403     403    403     403   200     403      403
GET    administrator/organization         missing               401  403    403     404    404     404   404     404      403
GET    administrator/permission           theirs                401  403    403     204    200     200   200     200      403
GET    administrator/permission           another's             401  403    403     403    403     403   403     403      403
POST   administrator/unbind               own                   401  403    403     403    403     403   204     403      403
POST   administrator/unbind               own,no-record         401  403    403     403    403     403   404     403      403
POST   administrator/unbind               missing               401  403    403     404    404     404   404     404      403
PATCH  administrator/update               own                   401  403    403     403    403     403   201     403      403
PATCH  administrator/update               own,no-record         401  403    403     403    403     403   404     403      403
PATCH  administrator/update               missing               401  403    403     404    404     404   404     404      403

GET    access/organization/anonymous      own                   401  200    200     403    403     403   403     403      403
GET    access/organization/anonymous      missing               401  204    204     403    403     403   403     403      403
GET    access/place/anonymous             own                   401  200    200     403    403     403   403     403      403
GET    access/place/anonymous             missing               401  204    204     403    403     403   403     403      403
GET    access/organization/authenticated  ada                   401  403    200     403    200     200   200     403      403
GET    access/organization/authenticated  alan                  401  403    403     403    204     204   204     403      403
GET    access/organization/authenticated  ada,alan              401  403    403     403    200     200   200     403      403
GET    access/organization/authenticated  missing               401  403    403     403    403     403   403     403      403
GET    access/place/authenticated         ada                   401  403    200     403    200     200   200     403      403
GET    access/place/authenticated         alan                  401  403    403     403    204     204   204     403      403
GET    access/place/authenticated         missing               401  403    403     403    403     403   403     403      403

POST   place                              own                   401  403    403     403    403     201   201     403      403
POST   place                              missing               401  403    403     403    403     403   403     403      403
DELETE place                              own                   401  403    403     403    403     205   205     403      403
DELETE place                              missing               401  403    403     404    404     404   404     404      403
GET    places                             own                   401  200    200     403    200     200   200     403      403
GET    places                             missing               401  204    204     403    403     403   403     403      403
PUT    place                              own                   401  403    403     403    403     200   200     403      403
PUT    place                              missing               401  403    403     404    404     404   404     404      403

POST   favorite/add                       own                   401  403    201     403    403     403   403     403      403
POST   favorite/add                       anonymous             401  201    201     403    403     403   403     403      403
POST   favorite/add                       missing               401  404    404     403    403     403   403     403      403
GET    favorite                           theirs                401  204    204     403    403     403   403     403      403
GET    favorite                           another's             401  400    400     403    403     403   403     403      403
POST   favorite/remove                    own                   401  404    404     403    403     403   403     403      403
POST   favorite/remove                    missing               401  404    404     403    403     403   403     403      403
POST   favorite/remove                    another's             401  403    403     403    403     403   403     403      403

POST   movement/organization              own                   401  403    201     403    403     403   403     403      403
POST   movement/organization              anonymous             401  201    201     403    403     403   403     403      403
POST   movement/organization              missing               401  400    400     403    403     403   403     403      403
POST   movement/place                     own                   401  403    201     403    403     403   403     403      403
POST   movement/place                     missing               401  400    400     403    403     403   403     403      403

GET    presence/organization              own                   401  403    403     403    200     200   200     403      403
GET    presence/organization              missing               401  403    403     404    404     404   404     404      403
GET    presence/place                     own                   401  403    403     403    200     200   200     403      403
GET    presence/place                     missing               401  403    403     404    404     404   404     404      403

POST   userinformation                    own                   401  403    403     403    200     200   200     403      403
POST   userinformation                    missing               401  403    403     404    404     404   404     404      403
GET    report/place                       own                   401  403    403     403    200     200   200     403      403
GET    report/place                       missing               401  403    403     404    404     404   404     404      403
`

const EXTENSIONS = `
                                                             public user linked unbound viewer manager owner foreign operator
POST   operator/organization              -                     401  403    403     403    403     403   403     403      201
PUT    operator/constraint                own                   401  403    403     403    403     403   403     403      200
PUT    operator/constraint                missing               401  403    403     403    403     403   403     403      404
GET    operator/policy                    own                   401  403    403     403    403     403   403     403      200
GET    operator/policy                    missing               401  403    403     403    403     403   403     403      404
PUT    operator/policy                    own                   401  403    403     403    403     403   403     403      200
PUT    operator/policy                    missing               401  403    403     403    403     403   403     403      404
GET    authentication/administrator       -                     401  403    403     200    200     200   200     200      403
POST   operator/administrator             -                     401  403    403     403    403     403   403     403      201
GET    operator/deletionrequest           -                     401  403    403     403    403     403   403     403      200
POST   operator/deletionrequest/approve   missing               401  403    403     403    403     403   403     403      404
POST   operator/deletionrequest/approve   own                   401  403    403     403    403     403   403     403      204
POST   operator/deletionrequest/reject    missing               401  403    403     403    403     403   403     403      404
POST   operator/deletionrequest/reject    own                   401  403    403     403    403     403   403     403      204
POST   operator/personaldata/export       -                     401  403    403     403    403     403   403     403      200
POST   operator/personaldata/erase        -                     401  403    403     403    403     403   403     403      200
GET    operator/organization/erasure      own                   401  403    403     403    403     403   403     403      204
GET    operator/organization/erasure      missing               401  403    403     403    403     403   403     403      404
GET    capacity/organization              own                   401  403    403     403    200     200   200     403      403
GET    capacity/organization              missing               401  403    403     404    404     404   404     404      403
PUT    capacity/organization              own                   401  403    403     403    403     200   200     403      403
PUT    capacity/organization              missing               401  403    403     404    404     404   404     404      403
GET    capacity/place                     own                   401  403    403     403    200     200   200     403      403
GET    capacity/place                     missing               401  403    403     404    404     404   404     404      403
PUT    capacity/place                     own                   401  403    403     403    403     200   200     403      403
PUT    capacity/place                     missing               401  403    403     404    404     404   404     404      403
POST   link                               own                   401  201    201     403    403     403   403     403      403
POST   link                               missing               401  404    404     403    403     403   403     403      403
DELETE link                               own                   401  404    205     403    403     403   403     403      403
DELETE link                               missing               401  404    404     403    403     403   403     403      403
GET    history/organization               own                   401  403    403     403    200     200   200     403      403
GET    history/organization               missing               401  403    403     404    404     404   404     404      403
GET    history/place                      own                   401  403    403     403    200     200   200     403      403
GET    history/place                      missing               401  403    403     404    404     404   404     404      403
GET    inside/organization                own                   401  403    403     403    204     204   204     403      403
GET    inside/organization                missing               401  403    403     404    404     404   404     404      403
GET    inside/place                       own                   401  403    403     403    204     204   204     403      403
GET    inside/place                       missing               401  403    403     404    404     404   404     404      403
POST   muster/organization                own                   401  403    403     403    403     201   201     403      403
POST   muster/organization                missing               401  403    403     404    404     404   404     404      403
GET    musters                            own                   401  403    403     403    200     200   200     403      403
GET    musters                            missing               401  403    403     404    404     404   404     404      403
GET    muster                             own                   401  403    403     403    200     200   200     403      403
GET    muster                             missing               401  403    403     404    404     404   404     404      403
POST   muster/safe                        own                   401  403    403     403    200     200   200     403      403
POST   muster/safe                        missing               401  403    403     404    404     404   404     404      403
POST   muster/end                         own                   401  403    403     403    403     200   200     403      403
POST   muster/end                         missing               401  403    403     404    404     404   404     404      403
POST   webhook/organization               own                   401  403    403     403    403     403   201     403      403
POST   webhook/organization               missing               401  403    403     404    404     404   404     404      403
GET    webhooks                           own                   401  403    403     403    403     403   200     403      403
GET    webhooks                           missing               401  403    403     404    404     404   404     404      403
DELETE webhook                            own                   401  403    403     403    403     403   204     403      403
DELETE webhook                            missing               401  403    403     404    404     404   404     404      403
POST   webhook/enable                     own                   401  403    403     403    403     403   200     403      403
POST   webhook/enable                     missing               401  403    403     404    404     404   404     404      403
POST   webhook/secret                     own                   401  403    403     403    403     403   200     403      403
POST   webhook/secret                     missing               401  403    403     404    404     404   404     404      403
POST   webhook/replay                     own                   401  403    403     403    403     403   400     403      403
POST   webhook/replay                     missing               401  403    403     404    404     404   404     404      403
POST   webhook/test                       own                   401  403    403     403    403     403   204     403      403
POST   webhook/test                       missing               401  403    403     404    404     404   404     404      403
GET    webhook/attempts                   own                   401  403    403     403    403     403   204     403      403
GET    webhook/attempts                   missing               401  403    403     404    404     404   404     404      403
GET    health/live                        -                     200  200    200     200    200     200   200     200      200
GET    health/ready                       -                     200  200    200     200    200     200   200     200      200
GET    openapi.json                       -                     200  200    200     200    200     200   200     200      200
GET    docs                               -                     200  200    200     200    200     200   200     200      200
GET    metrics                            -                     200  200    200     200    200     200   200     200      200
`

type Column = (typeof COLUMNS)[number]

/** The organization that a cell is about, with all callers. Cells that change something get a new one. */
interface World {
  readonly organization: { readonly id: number }
  readonly anonymous: { readonly id: number }
  readonly place: { readonly id: number }
  /** A place of the anonymous organization. */
  readonly hall: { readonly id: number }
  readonly organizationToken: string
  readonly placeToken: string
  readonly callers: Readonly<Record<Column, Bearer | string | undefined>>
  readonly helper: Bearer
}

const founder = (): Bearer => {
  const id = unique("founder")
  return sojourn.administrator(id, `${id}@example.test`)
}

const makeWorld = async (): Promise<World> => {
  const [owner, foreign, unbound] = [founder(), founder(), founder()]
  const owned = (by: Bearer, over: object = {}) =>
    fixtures.organization({ owner: { administratorId: by.id, mail: by.mail }, ...over })
  const organization = await owned(owner, { trackingMode: "authenticated", authenticationServerURL: DEMO_SERVER })
  const anonymous = await owned(owner)
  await owned(foreign)
  want(await fixtures.get(unbound, `/administrator/permission/${unbound.id}`), 204)

  const bound = async (level: "viewer" | "manager") => {
    const administrator = founder()
    want(await fixtures.get(administrator, `/administrator/permission/${administrator.id}`), 204)
    const binding = { organizationId: organization.id, administratorId: administrator.id, permission: level }
    want(await fixtures.post(owner, "/administrator/bindadministrator", binding), 201)
    return administrator
  }
  const [viewer, manager, helper] = [await bound("viewer"), await bound("manager"), await bound("viewer")]

  const area = { organizationId: organization.id, trackingArea: square(0) }
  const place = want(await fixtures.post(owner, "/place", area), 201).json
  const hall = want(
    await fixtures.post(owner, "/place", { organizationId: anonymous.id, trackingArea: square(0) }),
    201
  ).json
  const linked = await fixtures.linked(organization.id, "ada", sojourn.user(unique("linked")))
  const user = sojourn.user(unique("user"))
  for (const [kind, id] of [
    ["organization", organization.id],
    ["place", place.id]
  ] as const) {
    await fixtures.stay(linked, { kind, id, organizationId: organization.id })
  }
  const stayAt = (kind: "organization" | "place", id: number) =>
    fixtures.stay(user, { kind, id, organizationId: anonymous.id })
  const tokens = {
    organizationToken: await stayAt("organization", anonymous.id),
    placeToken: await stayAt("place", hall.id)
  }
  const callers = { public: undefined, user, linked, unbound, viewer, manager, owner, foreign, operator }
  return { organization, anonymous, place, hall, ...tokens, callers, helper }
}

const idOf = (caller: Bearer | string | undefined) => encodeURIComponent((caller as Bearer | undefined)?.id ?? "nobody")

const requestId = async ({ organization, callers }: World) =>
  (await fixtures.requestDeletion(organization.id, callers.owner as Bearer)).id

/** The open muster of the organization, which is started where there is none. */
const musterOf = async ({ organization: { id }, callers: { owner } }: World, resource: string) => {
  if (resource === "missing") return NOWHERE
  await fixtures.post(owner as Bearer, `/muster/organization/${id}`, { kind: "drill" })
  return want(await fixtures.get(owner as Bearer, `/muster/organization/${id}`), 200).json[0].musterId
}

/** The webhook of the organization, which is created where there is none. */
const webhookOf = async ({ organization: { id }, callers: { owner } }: World, resource: string) => {
  if (resource === "missing") return NOWHERE
  const path = `/webhook/organization/${id}`
  const { status, json } = await fixtures.get(owner as Bearer, path)
  if (status === 200) return json[0].webhookId
  return want(await fixtures.post(owner as Bearer, path, { url: "https://hooks.example.org/" }), 201).json.webhookId
}

type Ask = (
  world: World,
  caller: Bearer | string | undefined,
  resource: string
) => readonly [string, Sent?] | Promise<readonly [string, Sent?]>

const organizationOf = (world: World, resource: string): number =>
  resource === "missing" ? NOWHERE : resource === "anonymous" ? world.anonymous.id : world.organization.id
const placeOf = (world: World, resource: string): number => (resource === "missing" ? NOWHERE : world.place.id)
const peopleOf = (resource: string): string => (resource === "missing" ? "ada" : resource)
const subjectOf = (world: World, resource: string): string =>
  resource.includes(",") ? "nobody-at-all" : world.helper.id

/** The request of each row: the path after the method, and the payload. */
const ASK: Readonly<Record<string, Ask>> = {
  "GET organization": (w, _, r) => [`/organization/${organizationOf(w, r)}`],
  "GET organizations": () => ["/organization"],
  "POST organization/requestdeletion": (w, _, r) => [
    "/organization/requestdeletion",
    { json: { organizationId: organizationOf(w, r) } }
  ],
  "PUT organization": (w, _, r) => [
    "/organization",
    { json: { id: organizationOf(w, r), description: unique("text") } }
  ],
  "PATCH organization/trackingArea": (w, _, r) => [
    `/organization/${organizationOf(w, r)}/trackingArea`,
    { form: { trackingArea: GROUNDS } }
  ],
  "POST administrator/bind": async (w, _, r) => {
    const administratorId = r.includes(",") ? "nobody-at-all" : unique("bound")
    const mail = `${administratorId}@example.test`
    if (!r.includes(",")) want(await fixtures.post(operator, "/operator/administrator", { administratorId, mail }), 201)
    const json = { organizationId: organizationOf(w, r), administratorId, permission: "viewer" }
    return ["/administrator/bindadministrator", { json }]
  },
  "POST administrator/create": (w, _, r) => [
    "/administrator/createadministrator",
    { json: { organizationId: organizationOf(w, r), mail: `${unique("created")}@example.test`, permission: 1 } }
  ],
  "GET administrator/organization": (w, _, r) => [`/administrator/organization/${organizationOf(w, r)}`],
  "GET administrator/permission": (_w, caller, r) => [
    `/administrator/permission/${r === "theirs" ? idOf(caller) : "somebody-else"}`
  ],
  "POST administrator/unbind": (w, _, r) => [
    "/administrator/unbindadministrator",
    { json: { organizationId: organizationOf(w, r), administratorId: subjectOf(w, r), permission: 1 } }
  ],
  "PATCH administrator/update": (w, _, r) => [
    "/administrator/updatepermission",
    { json: { organizationId: organizationOf(w, r), administratorId: subjectOf(w, r), permission: 2 } }
  ],
  "GET access/organization/anonymous": (w, _, r) => [
    `/access/organization/${r === "missing" ? NOWHERE : w.anonymous.id}/anonymous/${w.organizationToken}`
  ],
  "GET access/place/anonymous": (w, _, r) => [
    `/access/place/${r === "missing" ? NOWHERE : w.hall.id}/anonymous/${w.placeToken}`
  ],
  "GET access/organization/authenticated": (w, _, r) => [
    `/access/organization/${organizationOf(w, r)}/authenticated/${peopleOf(r)}`
  ],
  "GET access/place/authenticated": (w, _, r) => [`/access/place/${placeOf(w, r)}/authenticated/${peopleOf(r)}`],
  "POST place": (w, _, r) => ["/place", { json: { organizationId: organizationOf(w, r), trackingArea: square(9) } }],
  "DELETE place": (w, _, r) => [`/place/${placeOf(w, r)}`],
  "GET places": (w, _, r) => [`/place/organization/${organizationOf(w, r)}`],
  "PUT place": (w, _, r) => ["/place", { json: { id: placeOf(w, r), name: unique("place") } }],
  "POST favorite/add": (w, _, r) => ["/favorite/addfavorite", { json: { organizationId: organizationOf(w, r) } }],
  "GET favorite": (_w, caller, r) => [`/favorite/${r === "theirs" ? idOf(caller) : "somebody-else"}`],
  "POST favorite/remove": (w, _, r) => [
    "/favorite/removefavorite",
    { json: { organizationId: organizationOf(w, r), ...(r === "another's" && { userId: "somebody-else" }) } }
  ],
  "POST movement/organization": (w, _, r) => [
    "/movement/track/organization",
    { json: { movementType: 1, organizationId: organizationOf(w, r), timestamp: at(-10) } }
  ],
  "POST movement/place": (w, _, r) => ["/movement/track/place", { json: { movementType: 1, placeId: placeOf(w, r) } }],
  "GET presence/organization": (w, _, r) => [`/presence/organization/${organizationOf(w, r)}/counter`],
  "GET presence/place": (w, _, r) => [`/presence/place/${placeOf(w, r)}/counter`],
  "POST userinformation": (w, _, r) => [
    "/authenticationserver/userinformation",
    {
      json: {
        organizationId: organizationOf(w, r),
        organizationCredentials: { username: "ada", password: DEMO_PASSWORD },
        orgAuthServerIds: ["ada"]
      }
    }
  ],
  "GET report/place": (w, _, r) => [`/report/place/${placeOf(w, r)}`],
  "GET history/organization": (w, _, r) => [`/presence/organization/${organizationOf(w, r)}/history?${TODAY}`],
  "GET history/place": (w, _, r) => [`/presence/place/${placeOf(w, r)}/history?${TODAY}`],
  "POST operator/organization": () => ["/operator/organization", { json: fixtures.draft() }],
  "PUT operator/constraint": (w, _, r) => [
    `/operator/organization/${organizationOf(w, r)}/constraint`,
    { json: { maxArea: null } }
  ],
  "GET operator/policy": (w, _, r) => [`/operator/organization/${organizationOf(w, r)}/policy`],
  "PUT operator/policy": (w, _, r) => [
    `/operator/organization/${organizationOf(w, r)}/policy`,
    { json: { retention: 86_400 } }
  ],
  "POST operator/administrator": () => {
    const administratorId = unique("registered")
    return ["/operator/administrator", { json: { administratorId, mail: `${administratorId}@example.test` } }]
  },
  "GET operator/deletionrequest": async (w) => {
    await requestId(w)
    return ["/operator/deletionrequest"]
  },
  "POST operator/deletionrequest/approve": async (w, _, r) => [
    `/operator/deletionrequest/${r === "missing" ? NOWHERE : await requestId(w)}/approve`
  ],
  "POST operator/deletionrequest/reject": async (w, _, r) => [
    `/operator/deletionrequest/${r === "missing" ? NOWHERE : await requestId(w)}/reject`
  ],
  "POST operator/personaldata/export": (w) => [
    "/operator/personaldata/export",
    { json: { organizationId: w.organization.id, orgAuthServerId: "ada" } }
  ],
  "POST operator/personaldata/erase": (w) => [
    "/operator/personaldata/erase",
    { json: { administratorId: w.helper.id } }
  ],
  "GET operator/organization/erasure": (w, _, r) => [`/operator/organization/${organizationOf(w, r)}/erasure`],
  "GET capacity/organization": (w, _, r) => [`/capacity/organization/${organizationOf(w, r)}`],
  "PUT capacity/organization": (w, _, r) => [
    `/capacity/organization/${organizationOf(w, r)}`,
    { json: { capacity: 250 } }
  ],
  "GET capacity/place": (w, _, r) => [`/capacity/place/${placeOf(w, r)}`],
  "PUT capacity/place": (w, _, r) => [`/capacity/place/${placeOf(w, r)}`, { json: { capacity: 250 } }],
  "POST link": (w, caller, r) => [
    "/authenticationserver/link",
    {
      json: {
        organizationId: organizationOf(w, r),
        username: caller === w.callers.linked ? "ada" : "grace",
        password: DEMO_PASSWORD
      }
    }
  ],
  "DELETE link": (w, _, r) => [`/authenticationserver/link/${organizationOf(w, r)}`],
  "GET inside/organization": (w, _, r) => [`/presence/organization/${organizationOf(w, r)}/inside`],
  "GET inside/place": (w, _, r) => [`/presence/place/${placeOf(w, r)}/inside`],
  "POST muster/organization": (w, _, r) => [
    `/muster/organization/${organizationOf(w, r)}`,
    { json: { kind: "drill" } }
  ],
  "GET musters": async (w, _, r) => {
    await musterOf(w, r)
    return [`/muster/organization/${organizationOf(w, r)}`]
  },
  "GET muster": async (w, _, r) => [`/muster/${await musterOf(w, r)}`],
  "POST muster/safe": async (w, _, r) => [
    `/muster/${await musterOf(w, r)}/safe`,
    { json: { orgAuthServerIds: ["ada"] } }
  ],
  "POST muster/end": async (w, _, r) => [`/muster/${await musterOf(w, r)}/end`],
  "POST webhook/organization": (w, _, r) => [
    `/webhook/organization/${organizationOf(w, r)}`,
    { json: { url: "https://hooks.example.org/" } }
  ],
  "GET webhooks": async (w, _, r) => {
    await webhookOf(w, r)
    return [`/webhook/organization/${organizationOf(w, r)}`]
  },
  "DELETE webhook": async (w, _, r) => [`/webhook/${await webhookOf(w, r)}`],
  "POST webhook/enable": async (w, _, r) => [`/webhook/${await webhookOf(w, r)}/enable`],
  "POST webhook/secret": async (w, _, r) => [`/webhook/${await webhookOf(w, r)}/secret`],
  "POST webhook/replay": async (w, _, r) => [
    `/webhook/${await webhookOf(w, r)}/replay`,
    { json: { fromVersion: 9_999_999 } }
  ],
  "POST webhook/test": async (w, _, r) => [`/webhook/${await webhookOf(w, r)}/test`],
  "GET webhook/attempts": async (w, _, r) => [`/webhook/${await webhookOf(w, r)}/attempts`],
  "GET authentication/administrator": () => ["/authentication/administrator"],
  "GET health/live": () => ["/health/live"],
  "GET health/ready": () => ["/health/ready"],
  "GET openapi.json": () => ["/openapi.json"],
  "GET docs": () => ["/docs"],
  "GET metrics": () => ["/metrics"]
}

interface Row {
  readonly ask: string
  readonly resource: string
  readonly expected: ReadonlyArray<number>
}

const rowsOf = (table: string): ReadonlyArray<Row> =>
  table
    .split("\n")
    .filter((line) => /^[A-Z]+ /.test(line))
    .map((line) => {
      const [method = "", name = "", resource = "", ...cells] = line.split(/\s+/)
      return { ask: `${method} ${name}`, resource, expected: cells.map(Number) }
    })

/** Rows whose requests change nothing for any caller; they share one organization. */
const isRead = ({ ask }: Row): boolean => ask.startsWith("GET ") && !ask.includes("deletionrequest")

const check = async (row: Row, shared: World) => {
  const ask = ASK[row.ask]!
  const verdicts: Array<string> = []
  for (const [i, column] of COLUMNS.entries()) {
    const expected = row.expected[i]!
    // A refused request changes nothing, so the next caller can use the same organization.
    const world = isRead(row) || expected >= 400 ? shared : await makeWorld()
    const caller = world.callers[column]
    const [path, sent] = await ask(world, caller, row.resource)
    const credentials = column === "public" ? [undefined, "Bearer nonsense", "Basic dXNlcjpwYXNz"] : [caller]
    for (const who of expected === 401 || column !== "public" ? credentials : [undefined]) {
      const { status } = await call(who, row.ask.split(" ")[0]!, path, sent)
      if (status !== expected) verdicts.push(`${column}: ${expected} expected, ${status} answered`)
    }
  }
  expect(verdicts).toEqual([])
}

describe.each([
  ["the interface", INTERFACE],
  ["its extensions", EXTENSIONS]
])("authorization: %s", (_, table) => {
  let shared: World
  beforeAll(async () => {
    shared = await makeWorld()
  })
  it.each(rowsOf(table))("$ask ($resource)", (row) => check(row, shared))
})

describe("the table", () => {
  it("has a status in every cell, and a row for every endpoint", () => {
    const rows = [...rowsOf(INTERFACE), ...rowsOf(EXTENSIONS)]
    for (const { ask, expected } of rows) expect(expected, ask).toHaveLength(COLUMNS.length)
    expect(new Set(rows.map(({ ask }) => ask))).toEqual(new Set(Object.keys(ASK)))
    expect(new Set(rowsOf(INTERFACE).map(({ ask }) => ask)).size, "the interface has 28 endpoints").toBe(28)
  })
})
