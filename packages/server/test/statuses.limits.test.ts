/** Rate limits over HTTP: whom they count, and where in the order of checks. */
import { setTimeout as pause } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { makeFixtures, NOWHERE, unique, want } from "./fixtures.ts"
import { type Answer, sojournForThisFile, startSojourn } from "./harness.ts"

const HOUR = 3_600_000
const PROBLEM = { accept: "application/problem+json" }

/** Enough requests for the fixtures: creating an organization takes one of an operator, counting one of an owner. */
const MOST = 5

const sojourn = await sojournForThisFile({ limits: { caller: { most: MOST, window: HOUR }, trustedProxies: 0 } })
const fixtures = makeFixtures(sojourn)
const { get, post } = fixtures
const { raw } = sojourn

const newUser = () => sojourn.user(unique("user"))

/** Sends as many requests as a caller may. */
const exhaust = async (who = newUser()) => {
  for (let nth = 0; nth < MOST; nth++) expect([200, 204]).toContain((await get(who, "/organization")).status)
  return who
}

/** What is left of a limit by the fields of an answer, and its policy. */
const fieldsOf = ({ headers }: Answer) => {
  const [, name, left, ends] = /^"(\w+)";r=(\d+);t=(\d+)$/.exec(String(headers["ratelimit"])) ?? []
  return { name, left: Number(left), ends: Number(ends), policy: headers["ratelimit-policy"] }
}

const expectLimited = (answer: Answer) => {
  want(answer, 429)
  const seconds = Number(answer.headers["retry-after"])
  expect(Number.isInteger(seconds)).toBe(true)
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(HOUR / 1000)
}

describe("a caller whose rate limit is used up", () => {
  it("is refused with 429 and Retry-After, while other callers are served", async () => {
    const who = await exhaust()
    const answer = await get(who, "/organization")
    expectLimited(answer)
    expect(answer.text).toBe("")
    expectLimited(await get(who, `/organization/${NOWHERE}`))
    const problem = await get(who, "/organization", { headers: PROBLEM })
    expectLimited(problem)
    const type = "urn:sojourn:problem:rate-limited"
    expect(problem.json).toMatchObject({ type, status: 429, title: "Too Many Requests" })
    await exhaust()
  })

  it("is refused a movement, and the movement is not tracked", async () => {
    const { id } = await fixtures.organization()
    const here = { kind: "organization", id } as const
    const who = await exhaust()
    expectLimited(await fixtures.enter(who, here))
    want(await fixtures.enter(newUser(), here), 201)
    expect(await fixtures.inside(here)).toBe(1)
  })

  it.each([
    ["of the wrong kind", "/presence/organization/1/counter"],
    ["whose id is malformed", "/organization/x"],
    ["with an escape that stands for nothing", "/organization/%zz"]
  ])("is refused before a request %s", async (_, path) => {
    expectLimited(await get(await exhaust(), path))
  })

  it("is refused after the route is checked and before the body is", async () => {
    const who = await exhaust()
    expectLimited(await post(who, "/favorite/addfavorite", {}, { type: "text/plain" }))
    expectLimited(await post(who, "/movement/track/organization", { movementType: "neither" }))
    want(await get(who, "/nothing"), 404)
    want(await post(who, "/organization/1", {}), 405)
  })

  it("is identified by kind and id: an administrator with a user's id is another caller", async () => {
    const who = await exhaust()
    want(await get(sojourn.administrator(who.id), `/administrator/permission/${who.id}`), 204)
  })
})

describe("the fields RateLimit and RateLimit-Policy", () => {
  it("say on each answer how many requests are left, until the window ends", async () => {
    const who = newUser()
    const policy = `"caller";q=${MOST};w=${HOUR / 1000}`
    for (let nth = 1; nth <= MOST + 1; nth++) {
      const fields = fieldsOf(await get(who, nth === 2 ? "/organization/x" : "/organization"))
      expect(fields).toMatchObject({ name: "caller", left: Math.max(0, MOST - nth), policy })
      expect(fields.ends).toBeGreaterThan(HOUR / 1000 - 300)
      expect(fields.ends).toBeLessThanOrEqual(HOUR / 1000)
    }
  })

  it("are on no answer without a limit", async () => {
    for (const answer of [await get(undefined, "/organization"), await get(undefined, "/health/live")]) {
      expect(answer.headers).not.toHaveProperty("ratelimit")
      expect(answer.headers).not.toHaveProperty("ratelimit-policy")
    }
  })
})

describe("requests without a rate limit", () => {
  it("are those for health, metrics and documentation", async () => {
    for (const path of ["/health/live", "/health/ready", "/metrics", "/openapi.json"]) {
      for (let nth = 0; nth < MOST + 2; nth++) want(await get(undefined, path), 200)
    }
  })

  it("are those without valid credentials, unless a limit per network address is configured", async () => {
    for (let nth = 0; nth < MOST + 2; nth++) want(await get(undefined, "/organization"), 401)
  })
})

describe("after the time in Retry-After", () => {
  it("the caller is served again", async () => {
    const quick = await startSojourn({ limits: { caller: { most: 1, window: 1_000 }, trustedProxies: 0 } })
    try {
      const who = quick.user("somebody")
      let answer = await quick.call(who, "GET", "/organization")
      for (let tries = 0; answer.status !== 429 && tries < 100; tries++) {
        answer = await quick.call(who, "GET", "/organization")
      }
      want(answer, 429)
      await pause(Number(answer.headers["retry-after"]) * 1_000)
      want(await quick.call(who, "GET", "/organization"), 204)
    } finally {
      await quick.stop()
    }
  })
})

describe("requests without valid credentials, from one network address", () => {
  const limits = { network: { most: 3, window: HOUR } }

  it("are refused with 429 instead of 401, while authenticated callers at this address are served", async () => {
    const here = await startSojourn({ limits: { ...limits, trustedProxies: 0 } })
    try {
      const { call } = here
      const ask = (who: string | undefined, path = "/organization") => call(who, "GET", path)
      expect(fieldsOf(want(await ask(undefined), 401))).toMatchObject({ name: "address", left: 2 })
      want(await ask("Bearer nonsense"), 401)
      want(await call(undefined, "POST", "/movement/track/organization", { json: {} }), 401)
      expectLimited(await ask(undefined))
      expectLimited(await ask("Bearer nonsense"))
      expectLimited(await call("Bearer x", "POST", "/movement/track/place", { json: {} }))
      const form = { grant_type: "password", username: "x", password: "yyyyyyyy" }
      expectLimited(await call(undefined, "POST", "/authentication/token", { form }))
      // X-Forwarded-For is ignored when no proxy is trusted.
      expectLimited(await call(undefined, "GET", "/organization", { headers: { "x-forwarded-for": "192.0.2.7" } }))
      want(await call(here.user("somebody"), "GET", "/organization"), 204)
      want(await ask(undefined, "/health/ready"), 200)
    } finally {
      await here.stop()
    }
  })

  it("are counted by the address that the last trusted proxy reports", async () => {
    const here = await startSojourn({ limits: { ...limits, trustedProxies: 1 } })
    try {
      const { call } = here
      const from = (forwarded: string) =>
        call(undefined, "GET", "/organization", { headers: { "x-forwarded-for": forwarded } })
      for (let nth = 0; nth < 3; nth++) want(await from("192.0.2.7"), 401)
      expectLimited(await from("192.0.2.7"))
      expectLimited(await from("198.51.100.1, 192.0.2.7"))
      want(await from("192.0.2.8"), 401)
      for (let nth = 0; nth < 3; nth++) want(await from(`2001:db8:0:1::${nth}`), 401)
      expectLimited(await from("2001:db8:0:1:ffff::1"))
      want(await from("2001:db8:0:2::1"), 401)
    } finally {
      await here.stop()
    }
  })
})

it("a 429 has the same wire format as other refusals", async () => {
  const who = await exhaust()
  const text = `GET /organization HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${await who.token}\r\n\r\n`
  const answer = await raw(text)
  expect(answer.text).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\n/)
  expect(answer.text).toMatch(/\r\nx-request-id: /i)
  expect(answer.text).toMatch(/\r\nretry-after: \d+\r\n/i)
  expect(answer.text).toMatch(/\r\n\r\n$/)
})
