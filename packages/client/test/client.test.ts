/** The client against the whole interface in memory: types, refusals, credentials and repeated calls. */
import { makeClient, outcome, Refused, RequestFailed } from "@sojourn/client"
import { assert, afterAll, describe, it } from "vitest"
import { ENDPOINTS } from "../src/endpoints.ts"
import { IMAGES } from "../../server/test/images.ts"
import { isSwapSeen, noFaults } from "./types.ts"
import { ada, clientOf, exchangeOf, operator, serve, userOf, walk } from "./walk.ts"

const server = await serve()
afterAll(() => server.stop())

const AREA = '{"type":"Polygon","coordinates":[[[11.8,45.3],[11.9,45.3],[11.9,45.4],[11.8,45.3]]]}'
const owner = { administratorId: "ada", mail: "ada@example.org" }
const museum = await clientOf(server, operator).operator.createOrganization({
  body: { name: "Museum", trackingArea: AREA, trackingMode: "anonymous", owner }
})
const organizationId = museum.id
const entrance = { movementType: "entrance", organizationId } as const
const baseUrl = "http://127.0.0.1:8080"

/** A `fetch` that answers or fails as it is told first, and then as the server does, with the requests that it was given. */
const faulty = (...first: ReadonlyArray<() => Response>) => {
  const sent: Array<RequestInit> = []
  const fetch = (url: string, init: RequestInit): Promise<Response> => {
    const answer = first[sent.push(init) - 1]
    return answer === undefined ? server.fetch(url, init) : new Promise((resolve) => resolve(answer()))
  }
  return { fetch, sent }
}
const broken = (): Response => {
  throw new TypeError("fetch failed")
}
const busy = (status: number) => () => new Response(null, { status, headers: { "retry-after": "0" } })

describe("the client", () => {
  it("has the types of the definition", () => {
    assert.isTrue(noFaults)
    assert.isFalse(isSwapSeen)
  })

  it("calls every endpoint with success", async () => {
    const exchanges = await walk()
    assert.deepStrictEqual(
      exchanges.filter(({ status }) => status >= 300),
      []
    )
    const rows = Object.values(ENDPOINTS).flatMap((group): ReadonlyArray<ReadonlyArray<string>> => Object.values(group))
    const uncalled = rows.filter(
      ([method, template, , , accept]) => exchangeOf(exchanges, method!, template!, accept) === undefined
    )
    assert.deepStrictEqual(uncalled, [])
    assert.isAbove(rows.length, 60)
  })

  it("answers an empty list as a list", async () => {
    assert.deepStrictEqual(await clientOf(server, ada).place.list({ organizationId }), [])
  })

  it("sends ids of any characters in paths, and lists of them", async () => {
    const userId = "a/b;c?d#e%f g+h,ü"
    assert.deepStrictEqual(await clientOf(server, userOf(userId)).favorite.list({ userId }), [])
    const input = { organizationId, orgAuthServerIds: ["cn=Ada,ou=people", "x/y"] }
    assert.deepStrictEqual(await clientOf(server, ada).access.organizationAuthenticated(input), [])
  })

  it("sends and reads the plan of a floor as a blob", async () => {
    const { floorplan } = clientOf(server, ada)
    const sent = { organizationId, level: -1, west: 11.8, south: 45.3, east: 11.9, north: 45.4, rotation: 0.5 }
    const body = new Blob([IMAGES["image/webp"]], { type: "image/webp" })
    const kept = { ...sent, type: "image/webp", bytes: body.size } as const
    assert.deepStrictEqual(await floorplan.put({ ...sent, body }), kept)
    assert.deepStrictEqual(await floorplan.list({ organizationId }), [kept])
    const read = await floorplan.get({ organizationId, level: -1 })
    assert.strictEqual(read.type, "image/webp")
    assert.deepStrictEqual(new Uint8Array(await read.arrayBuffer()), new Uint8Array(IMAGES["image/webp"]))
    const untyped = await outcome(floorplan.put({ ...sent, body: new Blob(["%PDF-"], { type: "application/pdf" }) }))
    assert.isTrue(!untyped.ok && untyped.refusal.status === 415)
    assert.isUndefined(await floorplan.remove({ organizationId, level: -1 }))
    const gone = await outcome(floorplan.get({ organizationId, level: -1 }))
    assert.isTrue(!gone.ok && gone.refusal.status === 404)
  })

  it("refuses by its name what no request can hold", async () => {
    const tim = clientOf(server, userOf("tim"))
    const wrong: ReadonlyArray<readonly [string, () => PromiseLike<unknown>]> = [
      ["timestamp", () => tim.movement.trackOrganization({ body: { ...entrance, timestamp: new Date("x") as never } })],
      ["organizationId", () => tim.movement.trackOrganization({ body: { ...entrance, organizationId: 5n as never } })],
      ["organizationId", () => tim.movement.trackOrganization({ body: { ...entrance, organizationId: NaN } })],
      ["organizationId", () => tim.organization.get({ organisationId: organizationId } as never)]
    ]
    for (const [name, call] of wrong) {
      const error = await Promise.resolve(call()).catch((error: unknown) => error)
      assert.instanceOf(error, TypeError)
      assert.match(error.message, new RegExp(`^${name}\\b`))
    }
  })

  it("sends the tracking area as a form", async () => {
    const trackingArea = AREA.replaceAll(",", " , ")
    const changed = await clientOf(server, ada).organization.editTrackingArea({
      organizationId,
      body: { trackingArea }
    })
    assert.strictEqual(changed.trackingArea, trackingArea)
  })
})

describe("a call", () => {
  /** A `fetch` whose answer, or its body, does not come, and knows of its signal. */
  const silent = (answer?: (body: ReadableStream) => Response) => (_: string, init: RequestInit) =>
    new Promise<Response>((resolve, reject) => {
      const end = (fail: (reason: unknown) => void) =>
        init.signal!.addEventListener("abort", () => fail(init.signal!.reason))
      if (answer === undefined) end(reject)
      else resolve(answer(new ReadableStream({ start: (controller) => end((reason) => controller.error(reason)) })))
    })

  it("fails where its answer, or the rest of it, does not come in time", async () => {
    for (const fetch of [silent(), silent((body) => new Response(body))]) {
      const client = makeClient({ baseUrl, fetch, timeout: 10 })
      const failed = await client.organization.get({ organizationId }).catch((error: unknown) => error)
      assert.instanceOf(failed, RequestFailed)
      assert.isUndefined(failed.status)
      const stopped = new AbortController()
      const ended = client.organization
        .get({ organizationId }, { timeout: 60_000, signal: stopped.signal })
        .catch((error: unknown) => error)
      stopped.abort(new Error("enough"))
      assert.strictEqual(((await ended) as Error).message, "enough")
    }
  })

  it("is repeated where its answer breaks off, and not where it is no JSON", async () => {
    const brokenOff = () =>
      new Response(new ReadableStream({ start: (controller) => controller.error(new TypeError()) }))
    const { fetch, sent } = faulty(brokenOff)
    const token = () => server.tokenOf(ada)
    const client = makeClient({ baseUrl, fetch, token, retries: 1 })
    assert.strictEqual((await client.organization.get({ organizationId })).id, organizationId)
    assert.lengthOf(sent, 2)
    const wrong = faulty(() => new Response("{", { headers: { "content-type": "application/json" } }))
    const failed = await makeClient({ baseUrl, fetch: wrong.fetch, token, retries: 1 })
      .organization.get({ organizationId })
      .catch((error: unknown) => error)
    assert.isTrue(failed instanceof RequestFailed && failed.status === 200)
  })
})

describe("a refusal", () => {
  it("rejects with its status and what to do about it", async () => {
    const error = await clientOf(server, userOf("tim"))
      .organization.get({ organizationId: 9_007_199_254_740_000 })
      .catch((error: unknown) => error)
    assert.instanceOf(error, Refused)
    assert.strictEqual(error.status, 404)
    assert.strictEqual(error.type, "urn:sojourn:problem:organization-not-found")
    assert.strictEqual(error.detail, "The organization does not exist.")
    assert.isString(error.requestId)
  })

  it("has what is wrong with an area", async () => {
    const trackingArea =
      '{"type":"Polygon","coordinates":[[[11.8,45.3],[11.9,45.4],[11.9,45.3],[11.8,45.4],[11.8,45.3]]]}'
    const changed = clientOf(server, ada).organization.editTrackingArea({ organizationId, body: { trackingArea } })
    const refused = await outcome(changed)
    assert.isFalse(refused.ok)
    if (!refused.ok) assert.isNotEmpty(refused.refusal.areaFault!.marks)
  })

  it("is a value with the statuses of its endpoint in the type", async () => {
    const refused = await outcome(clientOf(server, userOf("tim")).presence.organizationCounter({ organizationId }))
    assert.isFalse(refused.ok)
    // @ts-expect-error The endpoint declares no 409.
    if (!refused.ok) assert.notStrictEqual(refused.refusal.status, 409 satisfies typeof refused.refusal.status)
    if (!refused.ok) assert.strictEqual(refused.refusal.status, 403)
    const counted = await outcome(clientOf(server, ada).presence.organizationCounter({ organizationId }))
    assert.isTrue(counted.ok && counted.value.counter === 0)
  })

  it("is none of the endpoint's, where its status is not declared or there is no answer", async () => {
    for (const answer of [
      busy(500),
      broken,
      () => new Response("{", { headers: { "content-type": "application/json" } })
    ]) {
      const failed = await makeClient({ baseUrl, fetch: faulty(answer).fetch })
        .health.live()
        .catch((error: unknown) => error)
      assert.instanceOf(failed, RequestFailed)
    }
  })
})

describe("credentials", () => {
  it("are asked for at each request, and left out where there are none", async () => {
    const tokens = [await server.tokenOf(ada), undefined]
    const { fetch, sent } = faulty()
    const client = makeClient({ baseUrl, fetch, token: async () => tokens.shift() })
    await client.organization.get({ organizationId })
    const refused = await outcome(client.organization.get({ organizationId }))
    assert.isTrue(!refused.ok && refused.refusal.status === 401)
    assert.isDefined((sent[0]!.headers as Record<string, string>)["authorization"])
    assert.isUndefined((sent[1]!.headers as Record<string, string>)["authorization"])
  })
})

describe("a call is repeated", () => {
  const clientWith = (fetch: typeof server.fetch, retries?: number) =>
    makeClient({ baseUrl, fetch, retries, token: () => server.tokenOf(userOf("phone")) })

  it("never, unless that is asked for", async () => {
    const { fetch, sent } = faulty(busy(503))
    const refused = await outcome(clientWith(fetch).organization.get({ organizationId }))
    assert.isTrue(!refused.ok && refused.refusal.status === 503 && refused.refusal.retryAfter === 0)
    assert.lengthOf(sent, 1)
  })

  it("while there is no answer, or the server is overloaded, as often as is asked for", async () => {
    const { fetch, sent } = faulty(busy(503), broken, busy(429))
    assert.strictEqual((await clientWith(fetch, 3).organization.get({ organizationId })).id, organizationId)
    assert.lengthOf(sent, 4)
    const short = faulty(busy(503), busy(503))
    assert.isFalse((await outcome(clientWith(short.fetch).organization.get({ organizationId }, { retries: 1 }))).ok)
    assert.lengthOf(short.sent, 2)
  })

  it("when it is an entrance with an Idempotency-Key or an exit, and never when it is another entrance", async () => {
    const alone = faulty(broken)
    const failed = await clientWith(alone.fetch, 3)
      .movement.trackOrganization({ body: entrance })
      .catch((e: unknown) => e)
    assert.instanceOf(failed, RequestFailed)
    const keyed = faulty(broken)
    const input = { body: entrance, idempotencyKey: "one" }
    const { exitToken } = await clientWith(keyed.fetch, 1).movement.trackOrganization(input)
    const exit = faulty(broken)
    const exited = { body: { movementType: "exit", organizationId, exitToken } } as const
    assert.strictEqual((await clientWith(exit.fetch, 1).movement.trackOrganization(exited)).movementType, -1)
  })

  it("after a 429, whatever it is: nothing was done", async () => {
    const { fetch } = faulty(busy(429))
    assert.strictEqual((await clientWith(fetch, 1).movement.trackOrganization({ body: entrance })).movementType, 1)
  })

  it("not after its signal", async () => {
    const { fetch } = faulty(busy(503))
    const signal = AbortSignal.abort(new Error("enough"))
    const failed = await clientWith(fetch, 3)
      .organization.get({ organizationId }, { signal })
      .catch((e: unknown) => e)
    assert.strictEqual((failed as Error).message, "enough")
  })
})
