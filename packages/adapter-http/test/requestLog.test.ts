/** The entries that the interface gives to the request log: route, refusal, failure and trace, without what was sent. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Answered } from "../src/index.ts"
import { compose } from "./composed.ts"

const entries: Array<Answered> = []
const { call } = await compose({
  isReady: Effect.die(new Error("a bug")),
  requestLog: (answered) => entries.push(answered)
})

/** The entry of the log for one request. */
const entryOf = async (...request: Parameters<typeof call>) => {
  entries.length = 0
  const answer = await call(...request)
  assert.lengthOf(entries, 1)
  const { milliseconds, requestId, failure, ...rest } = entries[0]!
  assert.isAtLeast(milliseconds, 0)
  assert.strictEqual(requestId, answer.headers.get("x-request-id"))
  assert.strictEqual(rest.status, answer.status)
  return { ...rest, failure: failure?.message }
}

const quiet = { failure: undefined, traceId: undefined }
const TRACE = "0af7651916cd43dd8448eb211c80319c"

describe("the request log", () => {
  it.each([
    ["GET", "/health/live", undefined, "/health/live", 200, undefined],
    [
      "GET",
      "/organization/12?secret=1",
      "user:u",
      "/organization/:organizationId",
      404,
      "The organization does not exist."
    ],
    ["GET", "/organization/twelve", "user:u", "/organization/:organizationId", 400, "organizationId: malformed"],
    ["GET", "/favorite/somebody", "user:u", "/favorite/:userId", 400, /./],
    ["DELETE", "/favorite/somebody", "user:u", "/favorite/:userId", 405, "This path answers GET, HEAD."],
    ["POST", "/movement/track/place", "user:u", "/movement/track/place", 400, "The body is missing."],
    [
      "POST",
      "/movement/track/organization?usual",
      "user:u",
      "/movement/track/organization",
      400,
      "The body is missing."
    ],
    ["GET", "/nothing/here", undefined, "none", 404, "There is nothing at this path."]
  ] as const)(
    "has one entry for %s %s, with its route's template and the reason of the refusal",
    async (method, path, token, route, status, why) => {
      const { refusal, ...entry } = await entryOf(token, method, path)
      assert.deepStrictEqual(entry, { ...quiet, method, route, status })
      if (why instanceof RegExp) assert.match(refusal ?? "", why)
      else assert.strictEqual(refusal, why)
    }
  )

  it.each([
    [{ organizationId: 12 }, "movementType: Missing key"],
    [{ movementType: "tim", organizationId: "tim" }, "movementType: malformed"],
    ["tim", "the request: malformed"]
  ])("says of %j which part is wrong once, and not what was sent", async (body, refusal) => {
    const entry = await entryOf("user:u", "POST", "/movement/track/organization", body)
    assert.deepStrictEqual([entry.status, entry.refusal], [400, refusal])
  })

  it.each([
    ["GET", "/health/ready", undefined, 500, "request failed"],
    ["POST", "/movement/track/place", "broken:x", 500, "request failed"],
    ["GET", "/organization", "broken:x", 500, "request failed"],
    ["GET", "/organization", "unavailable:x", 503, "credentials cannot be verified: the keys were never loaded"]
  ] as const)("has the reason why %s %s of %s fails", async (method, route, token, status, failure) => {
    const { refusal, ...entry } = await entryOf(token, method, route)
    assert.deepStrictEqual(entry, { ...quiet, method, route, status, failure })
  })

  it.each([
    [`00-${TRACE}-b7ad6b7169203331-01`, TRACE],
    [`00-${TRACE}-b7ad6b7169203331-00`, TRACE],
    [`00-${TRACE}-b7ad6b7169203331-0`, undefined],
    [`00-${TRACE.toUpperCase()}-b7ad6b7169203331-01`, undefined],
    [`00-${"0".repeat(32)}-b7ad6b7169203331-01`, undefined],
    [`00-${TRACE}-${"0".repeat(16)}-01`, undefined],
    [`ff-${TRACE}-b7ad6b7169203331-01`, undefined],
    [`00-${TRACE}-b7ad6b7169203331-01-${"x".repeat(4000)}`, undefined],
    ['"}{', undefined]
  ])("takes over the trace of traceparent %s as %s", async (traceparent, traceId) => {
    for (const [method, path] of [
      ["GET", "/organization"],
      ["POST", "/movement/track/place"]
    ] as const) {
      const answered = await entryOf("user:u", method, path, method === "POST" ? {} : undefined, { traceparent })
      assert.strictEqual(answered.traceId, traceId)
    }
  })
})
