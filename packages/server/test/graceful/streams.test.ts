/** Presence streams beside other requests: what a server bounds, and how it ends. */
import { Duration } from "effect"
import { describe, expect, it } from "vitest"
import { makeEventStreams } from "../eventStream.ts"
import { makeFixtures, unique, want } from "../fixtures.ts"
import { startSojourn } from "../harness.ts"

const lively = async (sojourn: Awaited<ReturnType<typeof startSojourn>>) => {
  const fixtures = makeFixtures(sojourn)
  const { id } = await fixtures.organization()
  want(await fixtures.put(fixtures.operator, `/operator/organization/${id}/policy`, { eventGrain: 0 }), 200)
  const enter = async () => want(await fixtures.enter(sojourn.user(unique("user")), { kind: "organization", id }), 201)
  return { ...fixtures, id, query: `?organizations=${id}`, enter }
}

const gauge = (metrics: string, name: string) => new RegExp(`^${name} (\\d+)$`, "m").exec(metrics)?.[1]

describe("presence streams", () => {
  it("do not count as requests in flight, and have a limit of their own", async () => {
    const sojourn = await startSojourn({
      bounds: { maxInFlight: 4 },
      streams: { maxSubscribers: 8, maxSubscribersPerCaller: 20, streamLifetime: Duration.hours(1) }
    })
    const { owner, query, enter, get } = await lively(sojourn)
    const open = makeEventStreams(sojourn.port)
    const streams = []
    for (let i = 0; i < 8; i++) streams.push(await open(owner, query))
    for (const stream of streams) await stream.want("snapshot")
    await enter()
    for (const stream of streams) expect((await stream.want("presence.changed")).data.inside).toBe(1)
    const metrics = (await get(undefined, "/metrics")).text
    expect(gauge(metrics, "sojourn_http_requests_in_flight")).toBe("1")
    expect(gauge(metrics, "sojourn_presence_streams")).toBe("8")
    const refused = await open(owner, query)
    expect(refused.status).toBe(503)
    expect(refused.headers["retry-after"]).toBe("1")
    streams[0]!.close()
    await streams[0]!.closed
    await expect.poll(async () => (await open(owner, query)).status).toBe(200)
    await sojourn.stop()
  })

  it("keep their connections while others are refused at the bound of connections", async () => {
    const sojourn = await startSojourn({ bounds: { maxConnections: 3 } })
    const { owner, query, enter } = await lively(sojourn)
    const stream = await makeEventStreams(sojourn.port)(owner, query)
    await stream.want("snapshot")
    const idle = () => sojourn.raw("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n", 200)
    const exchanges = await Promise.allSettled(Array.from({ length: 6 }, idle))
    // A connection above the bound is closed, or reset, before its request was answered.
    expect(exchanges.some((one) => one.status === "rejected" || one.value.closed)).toBe(true)
    await enter()
    await stream.want("presence.changed")
    await sojourn.stop()
  })

  it("end with the server, and go on at another one of the same storage without loss", async () => {
    const sojourn = await startSojourn()
    const { owner, query, enter } = await lively(sojourn)
    const going = await sojourn.startBeside({ bounds: { drainTimeout: "5 seconds" } })
    const [openHere, openThere] = [makeEventStreams(sojourn.port), makeEventStreams(going.port)]
    const streams = []
    for (let i = 0; i < 20; i++) streams.push(await openThere(owner, query))
    for (const stream of streams) await stream.want("snapshot")
    await enter()
    for (const stream of streams) await stream.want("presence.changed")
    const stopped = going.stop()
    for (const stream of streams) {
      expect((await stream.want("end")).data).toEqual({ reason: "shutdown" })
      await stream.closed
    }
    await stopped
    await enter()
    for (const stream of streams) {
      const resumed = await openHere(owner, query, { "last-event-id": stream.lastId() })
      expect((await resumed.want("presence.changed")).data).toMatchObject({ version: 2, inside: 2 })
    }
    await sojourn.stop()
  })
})
