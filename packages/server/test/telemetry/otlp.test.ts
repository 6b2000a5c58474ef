/** Telemetry by OTLP: a real server, and a receiver that records everything. `identity/silence.test.ts` looks for secrets in it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { want, whole } from "../fixtures.ts"
import { AUDIENCE } from "../identity/OpenIdProvider.ts"
import { startTown, type Town } from "../identity/Town.ts"
import { eventually } from "../faults/eventually.ts"
import { type Receiver, startReceiver } from "./Receiver.ts"

const TRACE = "0af7651916cd43dd8448eb211c80319c"
const PARENT = "b7ad6b7169203331"
const SERVER = 2
const ERROR = 2

const sendingTo = (endpoint: string, ...flags: ReadonlyArray<string>) => ["--otlp-endpoint", endpoint, ...flags]

const traceparent = (flag: "00" | "01", trace = TRACE) => ({ traceparent: `00-${trace}-${PARENT}-${flag}` })

describe("telemetry of a server that traces everything", () => {
  let receiver: Receiver
  let town: Town

  beforeAll(async () => {
    receiver = await startReceiver()
    process.env["OTEL_EXPORTER_OTLP_HEADERS"] = "x-api-key=of%20the%20collector"
    process.env["OTEL_RESOURCE_ATTRIBUTES"] = "deployment.environment=test"
    town = await startTown({
      storage: "embedded",
      flags: sendingTo(receiver.endpoint, "--trace-sample", "1", "--metrics-organizations", "5")
    })
    delete process.env["OTEL_EXPORTER_OTLP_HEADERS"]
    delete process.env["OTEL_RESOURCE_ATTRIBUTES"]

    const [organizationId, user] = [await town.organization(), town.user()]
    const placeId = await town.place(organizationId)
    want(await town.enter(user, whole(organizationId), {}, { headers: traceparent("00") }), 201)
    want(await town.get(user, `/access/place/${placeId}/anonymous/a,b`), 204)
    want(await town.get(user, `/favorite/${user.id}`), 204)
    want(await town.get(town.owner, `/presence/organization/${organizationId}/counter`), 200)
    want(await town.call(user, "LINK", "/organization/1"), 405)
    want(await town.get(undefined, "/nothing"), 404)
    // The remaining telemetry is sent during the shutdown.
    await town.stop()
  })
  afterAll(() => receiver?.stop())

  it("has one span per request, named by method and route, with only known attributes", () => {
    const requests = receiver.spans().filter(({ kind }) => kind === SERVER)
    for (const { name, attributes, events } of requests) {
      expect(name).toMatch(/^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|other) (none|(\/:?[\w.-]+)+)$/)
      expect(Object.keys(attributes).sort()).toEqual(["http.request.method", "http.response.status_code", "http.route"])
      expect(events).toEqual([])
    }
    const names = new Set(requests.map(({ name }) => name))
    for (const name of [
      "POST /movement/track/organization",
      "GET /access/place/:placeId/anonymous/:exitTokens",
      "GET /favorite/:userId",
      "other /organization/:organizationId"
    ]) {
      expect(names).toContain(name)
    }
  })

  it("has child spans for operations of the storage and for batches, without SQL statements", () => {
    const spans = receiver.spans()
    const byId = new Map(spans.map((span) => [span.spanId, span]))
    const inner = spans.filter(({ kind }) => kind !== SERVER)
    const batch = inner.find(({ name }) => name.startsWith("batch: "))!
    expect(byId.get(batch.parentSpanId ?? "")?.name).toMatch(/^(POST \/movement|GET)/)
    expect(Number(batch.attributes["sojourn.batch.size"])).toBeGreaterThan(0)
    for (const { name, attributes, events, parentSpanId } of inner) {
      expect(parentSpanId, name).toBeDefined()
      expect(JSON.stringify(attributes), name).not.toMatch(/select|insert|\$1/i)
      for (const event of events) expect(JSON.stringify(event)).not.toMatch(/select|insert/i)
    }
  })

  it("continues the caller's trace, and the log contains its id", () => {
    const span = receiver.spans().find(({ traceId, kind }) => traceId === TRACE && kind === SERVER)
    expect(span).toMatchObject({ parentSpanId: PARENT, name: "POST /movement/track/organization" })
    const line = town.server
      .said()
      .split("\n")
      .find((text) => text.includes(TRACE))
    expect(JSON.parse(line ?? "")).toMatchObject({ message: "request", status: 201, traceId: TRACE })
  })

  it("has the metrics of /metrics, the service name, and the resource attributes of the environment", () => {
    const metrics = receiver.metrics()
    for (const name of ["sojourn_http_requests_total", "sojourn_store_batch_size", "process_cpu_seconds_total"]) {
      expect(metrics).toContain(name)
    }
    expect(receiver.said()).toContain('"x-api-key":"of the collector"')
    for (const resource of receiver.resources()) {
      expect(resource).toMatchObject({ "service.name": "sojourn", "deployment.environment": "test" })
      expect(resource["service.instance.id"]).toMatch(/^[\da-f-]{36}$/)
    }
  })
})

// At the same moment as those below, which wait for a collector.
describe.concurrent("a trace", () => {
  it("is not recorded when the ratio is 0, whatever the caller's sampling flag is", async () => {
    const receiver = await startReceiver()
    const town = await startTown({ flags: sendingTo(receiver.endpoint, "--trace-sample", "0") })
    want(await town.get(undefined, "/health/live", { headers: traceparent("01") }), 200)
    await town.stop()
    expect(receiver.spans()).toEqual([])
    expect(receiver.metrics()).toContain("sojourn_http_requests_total")
    await receiver.stop()
  })

  it("follows the caller's sampling flag with --trace-callers-decide, and marks a failure without a message", async () => {
    const receiver = await startReceiver()
    const flags = sendingTo(receiver.endpoint, "--trace-sample", "0", "--trace-callers-decide")
    const issuers = [{ issuer: "http://127.0.0.1:1", audience: AUDIENCE, subjectPrefix: "" }]
    const town = await startTown({ flags, issuers })
    const headers = (flag: "00" | "01", trace: string) => ({ headers: traceparent(flag, trace) })
    want(await town.get(undefined, "/health/live", headers("00", "1".repeat(32))), 200)
    want(await town.get(undefined, "/health/live", headers("01", "2".repeat(32))), 200)
    const claims = { iss: "http://127.0.0.1:1", aud: AUDIENCE, sub: "somebody", exp: 4e9, sojourn_kind: "user" }
    const token = [{ alg: "ES256", kid: "1" }, claims, "signature"]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".")
    want(await town.call(`Bearer ${token}`, "GET", "/organization", headers("01", "3".repeat(32))), 503)
    await town.stop()
    const spans = receiver.spans()
    expect(spans.filter(({ kind }) => kind === SERVER).map(({ traceId }) => traceId[0])).toEqual(["2", "3"])
    expect(spans.find(({ name }) => name === "GET /organization")?.status).toEqual({ code: ERROR, message: "" })
    await receiver.stop()
  })
})

describe.concurrent("a collector", () => {
  it("that is not reachable is logged once, and fails no request", async () => {
    const town = await startTown({ flags: sendingTo("http://127.0.0.1:1", "--trace-sample", "1") })
    await eventually("sending failed more than once", async () => {
      const { text } = want(await town.get(undefined, "/metrics"), 200)
      return Number(/exports_total\{outcome="failed"\} (\d+)/.exec(text)?.[1] ?? 0) > 1
    })
    await town.stop()
    expect(town.server.said().match(/telemetry cannot be sent to the collector: \w+/g)).toHaveLength(1)
  })

  it("that does not answer delays neither requests nor the shutdown", async () => {
    const receiver = await startReceiver({ isHung: true })
    const town = await startTown({ flags: sendingTo(receiver.endpoint, "--trace-sample", "1") })
    for (let i = 0; i < 20; i++) want(await town.get(undefined, "/health/live"), 200)
    await eventually("the collector got a request", () => receiver.said() !== "")
    want(await town.get(undefined, "/health/live"), 200)
    await town.stop()
    await receiver.stop()
  })
})
