/** The kinds of problems over HTTP: the type distinguishes refusals of one status. */
import { PROBLEM_URIS, type ProblemKind, PROBLEMS } from "@sojourn/adapter-http/api"
import { expect, it } from "vitest"
import { at, makeFixtures, NOWHERE, square, want } from "./fixtures.ts"
import { type Bearer, type Sent, sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const { owner, operator, call, organization, place, requestDeletion, enter } = makeFixtures(sojourn)

const user = sojourn.user("the-user")
const stranger = sojourn.administrator("the-stranger")
const { id, name } = await organization()
await place(id)
want(await call(user, "POST", "/favorite/addfavorite", { json: { organizationId: id } }), 201)
want(await call(owner, "POST", `/muster/organization/${id}`, { json: { kind: "drill" } }), 201)
const { exitToken } = want(await enter(user, { kind: "organization", id }, { timestamp: at(-60) }), 201).json
const request = await requestDeletion((await organization()).id)
want(await call(operator, "POST", `/operator/deletionrequest/${request.id}/reject`), 204)

const movement = { organizationId: id, movementType: "exit", exitToken }
const PLACE = { organizationId: id, trackingArea: square(0) }

const LINK = { organizationId: id, username: "a", password: "b" }

const REFUSED: ReadonlyArray<readonly [ProblemKind, number, Bearer | undefined, string, string, Sent?]> = [
  ["NotAuthenticated", 401, undefined, "GET", "/organization"],
  ["CallerOfAnotherKind", 403, owner, "GET", "/organization"],
  ["PermissionsOfAnother", 403, owner, "GET", "/administrator/permission/somebody"],
  ["PermissionTooLow", 403, stranger, "GET", `/organization/${id}`],
  ["PathNotFound", 404, user, "GET", "/nothing"],
  ["MethodNotAllowed", 405, user, "DELETE", "/organization"],
  ["PayloadTooLarge", 413, owner, "POST", "/place", { json: { ...PLACE, name: "x".repeat(2 ** 20) } }],
  ["UnsupportedMediaType", 415, owner, "POST", "/place", { json: PLACE, type: "text/plain" }],
  ["MalformedRequest", 400, owner, "GET", "/organization/x"],
  ["MalformedRequest", 400, user, "POST", "/favorite/addfavorite", { json: "{" }],
  ["OrganizationNotFound", 404, user, "GET", `/organization/${NOWHERE}`],
  ["OrganizationNotFound", 403, owner, "POST", "/place", { json: { ...PLACE, organizationId: NOWHERE } }],
  ["OrganizationNameTaken", 400, owner, "PUT", "/organization", { json: { id: request.organizationId, name } }],
  ["PlaceNotFound", 404, owner, "DELETE", `/place/${NOWHERE}`],
  ["PlacesOverlap", 400, owner, "POST", "/place", { json: PLACE }],
  ["TrackingAreaMalformed", 400, owner, "POST", "/place", { json: { ...PLACE, trackingArea: "{}" } }],
  ["FavoriteExists", 400, user, "POST", "/favorite/addfavorite", { json: { organizationId: id } }],
  ["FavoriteNotFound", 404, user, "POST", "/favorite/removefavorite", { json: { organizationId: NOWHERE } }],
  ["ExitNotMatched", 400, user, "POST", "/movement/track/organization", { json: { ...movement, exitToken: "x" } }],
  [
    "ExitBeforeEntrance",
    400,
    user,
    "POST",
    "/movement/track/organization",
    { json: { ...movement, timestamp: at(-120) } }
  ],
  [
    "TimestampInFuture",
    400,
    user,
    "POST",
    "/movement/track/organization",
    { json: { ...movement, timestamp: at(9_000) } }
  ],
  [
    "TimestampTooOld",
    400,
    user,
    "POST",
    "/movement/track/organization",
    { json: { ...movement, timestamp: "1995-06-01T12:00:00Z" } }
  ],
  ["MusterNotFound", 404, owner, "GET", `/muster/${NOWHERE}`],
  ["MusterOpen", 409, owner, "POST", `/muster/organization/${id}`, { json: { kind: "drill" } }],
  ["PeopleNotTracked", 400, owner, "GET", `/presence/organization/${id}/inside`],
  ["PositionUnknown", 400, owner, "GET", `/record/organization/${id}/access?from=${at(-1)}&to=${at(0)}&after=x`],
  ["TimeWindowInvalid", 400, owner, "GET", `/record/organization/${id}/report?from=${at(0)}&to=${at(-1)}`],
  ["WebhookNotFound", 404, owner, "DELETE", `/webhook/${NOWHERE}`],
  ["WebhookUrlRefused", 400, owner, "POST", `/webhook/organization/${id}`, { json: { url: "http://x.example/" } }],
  ["DeletionRequestNotFound", 404, operator, "POST", `/operator/deletionrequest/${NOWHERE}/approve`],
  ["DeletionRequestDecided", 409, operator, "POST", `/operator/deletionrequest/${request.id}/approve`],
  ["AuthenticationServerMissing", 400, user, "POST", "/authenticationserver/link", { json: LINK }]
]

const rows = REFUSED.map(([kind, status, who, method, path, sent = {}]) => ({ kind, status, who, method, path, sent }))

it.each(rows)("$kind: $status at $method $path", async ({ kind, status, who, method, path, sent }) => {
  expect(want(await call(who, method, path, sent), status).text).toBe("")
  const answer = await call(who, method, path, { ...sent, headers: { accept: "application/problem+json" } })
  expect(want(answer, status).json).toMatchObject({ type: PROBLEM_URIS[kind], status })
  // Another status than the usual one is the exception of an endpoint.
  if (status !== PROBLEMS[kind][0]) expect([kind, path]).toEqual(["OrganizationNotFound", "/place"])
})
