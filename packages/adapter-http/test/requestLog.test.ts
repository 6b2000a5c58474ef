import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Answered } from "../src/index.ts"
import { compose } from "./composed.ts"

const told: Array<Answered> = []
const { call } = await compose({
  isReady: Effect.die(new Error("a bug")),
  requestLog: (answered) => told.push(answered)
})

/** What the log was told of one request. */
const toldOf = async (...asked: Parameters<typeof call>) => {
  told.length = 0
  const answer = await call(...asked)
  assert.lengthOf(told, 1)
  const { milliseconds, requestId, ...rest } = told[0]!
  assert.isAtLeast(milliseconds, 0)
  assert.strictEqual(requestId, answer.headers.get("x-request-id"))
  assert.strictEqual(rest.status, answer.status)
  return rest
}

describe("the request log", () => {
  it.each([
    ["GET", "/health/live", undefined, "/health/live", 200],
    ["GET", "/organization/12?secret=1", "user:u", "/organization/:organizationId", 404],
    ["GET", "/favorite/somebody", "user:u", "/favorite/:userId", 400],
    ["DELETE", "/favorite/somebody", "user:u", "/favorite/:userId", 405],
    ["POST", "/movement/track/place", "user:u", "/movement/track/place", 400],
    ["POST", "/movement/track/organization?usual", "user:u", "/movement/track/organization", 400],
    ["GET", "/nothing/here", undefined, "none", 404]
  ] as const)("is told of %s %s by its route's template, once", async (method, path, token, route, status) => {
    assert.deepStrictEqual(await toldOf(token, method, path), { method, route, status })
  })

  it("is told of a failure as well", async () => {
    const expected = { method: "GET", route: "/health/ready", status: 500 }
    assert.deepStrictEqual(await toldOf(undefined, "GET", "/health/ready"), expected)
  })
})
