/** The router: which paths match an endpoint, letter by letter, and which do not. */
import { assert, describe, it } from "@effect/vitest"
import { SojournApi } from "@sojourn/adapter-http"
import * as HttpApi from "effect/http-api/HttpApi"
import { makeRoutes } from "../src/pipeline/dispatcher.ts"

const declared: Array<readonly [method: string, path: string, endpoint: string]> = [
  ["GET", "/docs", "page"],
  ["POST", "/docs", "posted"],
  ["GET", "/extra/:name", "extra"]
]
HttpApi.reflect(SojournApi, {
  onGroup: () => {},
  onEndpoint: ({ endpoint: { identifier, method, path } }) => declared.push([method, path, identifier])
})
const find = makeRoutes(declared)
const methods = (path: string) => [...(find(path)?.route.methods.keys() ?? [])].sort().join(" ")
const template = (path: string) => find(path)?.route.template

describe("the routes of the interface", () => {
  it.each([
    ["/organization", "GET HEAD PUT", "/organization"],
    ["/organization/1", "GET HEAD", "/organization/:organizationId"],
    ["/organization/requestdeletion", "POST", "/organization/requestdeletion"],
    ["/organization/1/trackingArea", "PATCH", "/organization/:organizationId/trackingArea"],
    ["/place", "POST PUT", "/place"],
    ["/place/1", "DELETE", "/place/:placeId"],
    ["/favorite/addfavorite", "POST", "/favorite/addfavorite"],
    ["/favorite/somebody", "GET HEAD", "/favorite/:userId"],
    ["/access/place/1/anonymous/a,b%2Cc", "GET HEAD", "/access/place/:placeId/anonymous/:exitTokens"],
    ["/operator/deletionrequest/1/approve", "POST", "/operator/deletionrequest/:id/approve"],
    ["/authenticationserver/link", "POST", "/authenticationserver/link"],
    ["/authenticationserver/link/1", "DELETE", "/authenticationserver/link/:organizationId"]
  ])("%s answers %s", (path, allowed, declared) => {
    assert.strictEqual(methods(path), allowed)
    assert.strictEqual(template(path), declared)
  })

  it("routes of one's own come beside them, and HEAD is answered where GET is", () => {
    assert.strictEqual(methods("/docs"), "GET HEAD POST")
    assert.strictEqual(methods("/extra/x"), "GET HEAD")
  })

  it.each([
    "",
    "/",
    "/organization/",
    "//organization",
    "/Organization",
    "/organization//trackingArea",
    "/docs/",
    "/extra/",
    "/%6frganization",
    "organization",
    "x/organization/1",
    "http://host/organization/1",
    "/a/b/c/d/e/f/g"
  ])("%j is no path", (path) => assert.isUndefined(find(path)))

  it("a segment that varies may hold anything but nothing", () => {
    for (const segment of ["%", "%2F", "a;b", "..", "*", ":organizationId", "x".repeat(70_000)]) {
      assert.strictEqual(template(`/favorite/${segment}`), "/favorite/:userId")
    }
    assert.isUndefined(find("/favorite/"))
  })

  it("no name of JavaScript's own is a path", () => {
    for (const name of ["__proto__", "constructor", "toString", "/__proto__"]) assert.isUndefined(find(name))
  })
})
