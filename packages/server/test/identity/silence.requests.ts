/** The requests of the search for canaries: every endpoint that takes secret or personal data. */
import { connect } from "node:net"
import type { Sent } from "../httpClient.ts"
import type { Canaries } from "./canaries.ts"

/** The values in the requests. */
export interface Values extends ReturnType<typeof canaryValues> {
  readonly organizationId: number
  readonly placeId: number
}

/** Canaries in all values but the ids. */
export const canaryValues = (next: Canaries["next"]) => ({
  user: next("user"),
  administrator: next("administrator"),
  mail: `${next("mail")}@example.test`,
  password: next("password"),
  person: next("person"),
  exitToken: next("exit token"),
  key: next("key")
})

/** A request. */
type CanaryRequest = Sent & { readonly method: string; readonly path: string }

const FORM = "application/x-www-form-urlencoded"
const AREA = '{"type":"Polygon","coordinates":[[[11,45],[12,45],[12,46],[11,46],[11,45]]]}'

/** Well-formed requests; their statuses depend on the caller and the values. */
export const wellFormed = (values: Values): ReadonlyArray<CanaryRequest> => {
  const { user, administrator, mail, password, person, exitToken, organizationId, placeId } = values
  const post = (path: string, json: unknown): CanaryRequest => ({ method: "POST", path, json })
  const get = (path: string): CanaryRequest => ({ method: "GET", path })
  const premises = [
    ["organization", { organizationId }, organizationId],
    ["place", { placeId }, placeId]
  ] as const
  const binding = { organizationId, permission: 1, orgAuthServerId: person }
  const credentials = [
    { username: person, password },
    { username: `uid=${person},dc=example,dc=org`, password }
  ]
  return [
    ...premises.flatMap(([kind, where, id]) => [
      post(`/movement/track/${kind}`, { ...where, movementType: 1, orgAuthServerId: person }),
      post(`/movement/track/${kind}`, { ...where, movementType: -1, exitToken, orgAuthServerId: person }),
      post(`/movement/track/${kind}`, { ...where, movementType: -1, exitToken: `${exitToken}x` }),
      post(`/movement/track/${kind}`, { ...where, movementType: -1, exitToken: [exitToken] }),
      get(`/access/${kind}/${id}/anonymous/${exitToken},${exitToken}x`),
      get(`/access/${kind}/${id}/authenticated/${person}`),
      get(`/access/${kind}/${id}/authenticated/${person},${encodeURIComponent(`${person},${user}`)},`)
    ]),
    get(`/favorite/${user}`),
    post("/favorite/addfavorite", { userId: user, organizationId, orgAuthServerId: person }),
    post("/favorite/removefavorite", { userId: user, organizationId }),
    get(`/administrator/permission/${administrator}`),
    post("/administrator/createadministrator", { ...binding, administratorId: administrator, mail, password }),
    post("/administrator/createadministrator", {
      ...binding,
      administratorId: administrator,
      mail: `@${mail}`,
      password
    }),
    post("/administrator/bindadministrator", { ...binding, administratorId: administrator, mail }),
    { method: "PATCH", path: "/administrator/updatepermission", json: { ...binding, administratorId: administrator } },
    post("/administrator/unbindadministrator", { ...binding, administratorId: administrator }),
    post("/organization/requestdeletion", { organizationId, requestReason: person, administratorId: administrator }),
    post("/operator/administrator", { administratorId: administrator, mail }),
    {
      method: "PUT",
      path: "/organization",
      json: { id: organizationId, authenticationServerURL: `ldap://${person}.example.org/${password}` }
    },
    {
      method: "PUT",
      path: "/organization",
      json: { id: organizationId, trackingArea: AREA.replace('"Polygon"', `"${person}"`) }
    },
    post("/webhook/organization/" + organizationId, { url: `https://${person}@example.org/${password}` }),
    post("/muster/organization/" + organizationId, { kind: "drill", note: person }),
    post("/muster/organization/" + organizationId, { kind: "drill", note: person }),
    post("/operator/organization", {
      name: `of ${person}`,
      trackingArea: AREA,
      trackingMode: "anonymous",
      owner: { administratorId: administrator, mail }
    }),
    ...credentials.flatMap((one) => [
      post("/authenticationserver/link", { organizationId, ...one }),
      post("/authenticationserver/userinformation", {
        organizationId,
        organizationCredentials: one,
        orgAuthServerIds: [person, `${person}2`]
      })
    ]),
    ...[mail, administrator].map((username) => ({
      method: "POST",
      path: "/authentication/token",
      form: { grant_type: "password", username, password }
    })),
    { method: "DELETE", path: `/authenticationserver/link/${organizationId}` }
  ]
}

/** Malformed requests: wrong methods, wrong paths, wrong bodies. */
export const malformed = (values: Values): ReadonlyArray<CanaryRequest> => {
  const { user, password, person, exitToken } = values
  const bodies = [
    `{"password":"${password}"`,
    `"${password}"`,
    JSON.stringify({ username: person, password: [password] })
  ]
  return [
    { method: "DELETE", path: `/favorite/${user}` },
    { method: "GET", path: `/nowhere/${user}/${exitToken}` },
    { method: "GET", path: `/access/place/${exitToken}/anonymous/${person}` },
    { method: "GET", path: `/favorite/%zz${user}` },
    { method: "GET", path: `/favorite/${user}%00` },
    { method: "GET", path: `/organization?access_token=${exitToken}` },
    { method: "LINK", path: `/organization/${user}` },
    { method: "PATCH", path: "/organization/1/trackingArea", body: `${user}=1&${user}=2`, type: FORM },
    { method: "PATCH", path: "/organization/1/trackingArea", body: `trackingArea=${person}`, type: FORM },
    ...["/organization", "/place", "/operator/organization", "/capacity/place/1", "/muster/organization/1"].flatMap(
      (path) =>
        ["POST", "PUT"].map((method) => ({
          method,
          path,
          body: JSON.stringify({
            id: person,
            [person]: person,
            name: [person],
            trackingMode: user,
            capacity: user,
            kind: user
          }),
          type: "application/json"
        }))
    ),
    {
      method: "POST",
      path: "/webhook/organization/1",
      body: JSON.stringify({ url: `http://${person}.example.org/${password}`, types: [user] }),
      type: "application/json"
    },
    ...["/authenticationserver/link", "/authenticationserver/userinformation", "/authentication/token"].flatMap(
      (path) => [
        ...bodies.map((body) => ({ method: "POST", path, body, type: "application/json" })),
        { method: "POST", path, body: password, type: `text/${person}` },
        {
          method: "POST",
          path,
          body: `password=${password}&password=${password}`,
          type: FORM
        },
        { method: "POST", path, body: JSON.stringify(password.repeat(60_000)), type: "application/json" }
      ]
    )
  ]
}

/** Writes bytes to a new connection and waits for its end, or closes it early. */
export const raw = (baseUrl: string, bytes: string, leave?: Promise<void>) =>
  new Promise<void>((resolve) => {
    const { hostname, port } = new URL(baseUrl)
    const socket = connect(Number(port), hostname, () =>
      leave === undefined ? socket.end(bytes) : socket.write(bytes)
    )
    void leave?.then(() => socket.destroy())
    socket
      .on("error", () => {})
      .resume()
      .once("close", () => resolve())
  })
