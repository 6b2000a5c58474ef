/** Attacks on presence streams: a caller, or many callers of one organization, who take all places and read nothing. */
import { Duration } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { makeFixtures, square, unique, want } from "../fixtures.ts"
import { sojournForThisFile } from "../harness.ts"
import { openReader, type Reader } from "./streamReader.ts"

const PLACES = 40

const sojourn = await sojournForThisFile({
  streams: { maxSubscribers: PLACES, maxSubscribersPerCaller: 20, streamLifetime: Duration.hours(1) }
})
const { bind, get, organization, owner, place } = makeFixtures(sojourn)
const readers: Array<Reader> = []
afterAll(() => readers.forEach(({ close }) => close()))

const viewer = (organizationId: number) =>
  bind(organizationId, sojourn.administrator(unique("viewer")), "viewer").then(({ token }) => token)
const open = (token: string, id: number, isSilent = false) => {
  const reader = openReader({ baseUrl: sojourn.baseUrl, token, organizationIds: [id], isSilent })
  readers.push(reader)
  return reader
}
/** Metrics are up to a second old. */
const LATEST = { timeout: 60_000 }
const openStreams = async () =>
  Number(/^sojourn_presence_streams (\d+)$/m.exec((await get(undefined, "/metrics")).text)![1])

const { id: attacked } = await organization()
for (let nth = 0; nth < 4; nth++) await place(attacked, square(nth))
const { id: other } = await organization()
const honest = await viewer(other)

describe("the streams of other callers", () => {
  it("are not occupied by a caller who keeps opening streams and reads nothing", async () => {
    const attacker = await viewer(attacked)
    for (let burst = 0; burst < 4; burst++) {
      const statuses = Array.from({ length: PLACES }, () => open(attacker, attacked, true).status)
      expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]))
      const stream = open(honest, other)
      expect(await stream.status).toBe(200)
      expect(await stream.first).toBeDefined()
      stream.close()
    }
    await expect.poll(openStreams, LATEST).toBeLessThanOrEqual(20)
    want(await get(owner, `/presence/organization/${other}/counter`), 200)
  })

  it("are reclaimed from an organization whose callers occupy all of them and read nothing", async () => {
    for (const { close } of readers.splice(0)) close()
    const attackers = await Promise.all([viewer(attacked), viewer(attacked), viewer(attacked)])
    await expect.poll(openStreams, LATEST).toBe(0)
    for (let nth = 0; nth < PLACES; nth++) {
      expect(await open(attackers[nth % 3]!, attacked, true).status).toBe(200)
    }
    expect(await open(attackers[0]!, attacked, true).status).toBe(503)
    // As long as the attackers ask for their streams again, too.
    const streams: Array<Reader> = []
    for (let nth = 0; nth < 4; nth++) {
      streams.push(open(honest, other))
      expect(await streams[nth]!.status).toBe(200)
      expect(await streams[nth]!.first).toBeDefined()
      const again = await Promise.all(attackers.map((token) => open(token, attacked, true).status))
      expect(new Set(again)).toEqual(new Set([503]))
    }
    for (const stream of streams) stream.close()
    for (const stream of streams) expect(await stream.ended).toBeUndefined()
  })
})
