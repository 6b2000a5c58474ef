/** Responses when the server cannot do its work: 503 and 504 for dependencies, 429 beyond bounds, 500 for defects. */
import { assert, describe, it, vi } from "@effect/vitest"
import type { Answered } from "@sojourn/adapter-http"
import {
  DirectoryTimeout,
  ExitTokens,
  layerSecretKeysEphemeral,
  OrganizationDirectory,
  OrgAuthServerId
} from "@sojourn/core"
import { Effect, Layer, Option } from "effect"
import { AREA, compose, DIRECTORY } from "./composed.ts"

/** A person whose directory entry has a name that no response can encode. */
const ODD = OrgAuthServerId.make("odd")

let ready = true
const silent = Layer.succeed(OrganizationDirectory, {
  authenticate: () => Effect.fail(new DirectoryTimeout()),
  information: (_server, _credentials, people) =>
    people.includes(ODD)
      ? Effect.succeed([{ orgAuthServerId: ODD, name: { canary: "value-of-somebody" } as never, surname: "" }])
      : Effect.die(new Error("a secret that is a bug"))
})
const { call } = await compose({ directory: silent, isReady: Effect.sync(() => ready) })
const owner = { administratorId: "owner", mail: "owner@example.test" }
const draft = {
  name: "Works",
  trackingArea: AREA,
  trackingMode: "authenticated",
  authenticationServerURL: DIRECTORY,
  owner
}
const organization = call("operator:op", "POST", "/operator/organization", draft)
const problems = { accept: "application/problem+json" }

describe("when the server cannot do its work", () => {
  it("readiness is 503 with Retry-After, liveness stays 200", async () => {
    assert.strictEqual((await call(undefined, "GET", "/health/ready")).status, 200)
    ready = false
    const answer = await call(undefined, "GET", "/health/ready")
    ready = true
    assert.strictEqual(answer.status, 503)
    assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/)
    assert.strictEqual(answer.text, "")
    assert.strictEqual((await call(undefined, "GET", "/health/live")).status, 200)
  })

  it("no caller can be authenticated: 503 with Retry-After, and not 401", async () => {
    const answer = await call("unavailable:x", "GET", "/organization")
    assert.strictEqual(answer.status, 503)
    assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/)
    assert.isNull(answer.headers.get("www-authenticate"))
    assert.strictEqual(answer.text, "")
    const problem = await call("unavailable:x", "GET", "/organization", undefined, problems)
    assert.deepInclude(problem.json, { status: 503, title: "Service Unavailable" })
    assert.notInclude(problem.text, "the keys were never loaded")
  })

  it("the organization's server does not answer in time: 504", async () => {
    const organizationId = (await organization).json.id
    const link = { organizationId, username: "ada", password: "secret" }
    const answer = await call("user:u", "POST", "/authenticationserver/link", link)
    assert.strictEqual(answer.status, 504)
    assert.strictEqual(answer.text, "")
    const problem = await call("user:u", "POST", "/authenticationserver/link", link, problems)
    assert.deepInclude(problem.json, { status: 504, title: "Gateway Timeout" })
  })

  it("a caller has 8 questions to authentication servers underway and an organization 32: 429 and 503 beyond", async () => {
    let open = () => {}
    const opened = new Promise<OrgAuthServerId>((resolve) => (open = () => resolve(ODD)))
    const hanging = Layer.succeed(OrganizationDirectory, {
      authenticate: () => Effect.promise(() => opened),
      information: () => Effect.succeed([])
    })
    const { call } = await compose({ directory: hanging })
    const { json } = await call("operator:op", "POST", "/operator/organization", draft)
    const link = (user: string) =>
      call(`user:${user}`, "POST", "/authenticationserver/link", {
        organizationId: json.id,
        username: "ada",
        password: "secret"
      })
    const own = Array.from({ length: 9 }, () => link("u"))
    const exceeding = await Promise.race(own)
    assert.deepStrictEqual([exceeding.status, exceeding.headers.get("retry-after")], [429, "1"])
    const others = Array.from({ length: 25 }, (_, i) => link(`u${i}`))
    const busy = await Promise.race([...others, ...own.toReversed().slice(1)])
    assert.deepStrictEqual([busy.status, busy.headers.get("retry-after")], [503, "1"])
    open()
    const statuses = await Promise.all([...own, ...others].map(async (answer) => (await answer).status))
    assert.strictEqual(statuses.filter((status) => status === 429).length, 1)
    assert.strictEqual(statuses.filter((status) => status === 503).length, 1)
    // All are the same person: the first who is linked keeps the link.
    assert.isTrue(statuses.every((status) => [201, 403, 429, 503].includes(status)))
  })

  it("a bug is 500 with a request id, and never says why to the client", async () => {
    const organizationId = (await organization).json.id
    const json = {
      organizationId,
      organizationCredentials: { username: "ada", password: "secret" },
      orgAuthServerIds: ["ada"]
    }
    for (const headers of [{}, problems]) {
      const answer = await call("administrator:owner", "POST", "/authenticationserver/userinformation", json, headers)
      assert.strictEqual(answer.status, 500)
      assert.isNotNull(answer.headers.get("x-request-id"))
      assert.notInclude(answer.text, "a secret that is a bug")
      assert.strictEqual(answer.text === "", !("accept" in headers))
    }
  })

  it("a movement that cannot be encoded is 500", async () => {
    const odd = {
      signingKeyId: 1,
      derive: () => Option.some(Symbol("no text")),
      recognize: Option.none,
      retryKey: () => ""
    }
    const entries: Array<Answered> = []
    const { call } = await compose({
      keys: Layer.merge(layerSecretKeysEphemeral, Layer.succeed(ExitTokens, Effect.succeed(odd as never))),
      requestLog: (answered) => entries.push(answered)
    })
    const { json } = await call("operator:op", "POST", "/operator/organization", {
      ...draft,
      trackingMode: "anonymous"
    })
    const movement = { movementType: 1, organizationId: json.id }
    const answer = await call("user:u", "POST", "/movement/track/organization", movement)
    assert.strictEqual(answer.status, 500)
    assert.strictEqual(answer.text, "")
    assert.deepInclude(entries.at(-1), { status: 500, route: "/movement/track/organization" })
    assert.isDefined(entries.at(-1)?.failure)
  })

  it("what the service cannot encode is 500, and in the log without the value", async () => {
    const json = {
      organizationId: (await organization).json.id,
      organizationCredentials: { username: "ada", password: "secret" },
      orgAuthServerIds: [ODD]
    }
    const log = vi.spyOn(console, "log")
    const answer = await call("administrator:owner", "POST", "/authenticationserver/userinformation", json)
    const lines = JSON.stringify(log.mock.calls)
    log.mockRestore()
    assert.strictEqual(answer.status, 500)
    assert.include(lines, "POST /authenticationserver/userinformation: an answer cannot be encoded at [].name")
    assert.notInclude(lines, "value-of-somebody")
  })
})
