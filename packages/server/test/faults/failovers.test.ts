/** A primary that fails over; `npm run failovers` does 50. SOJOURN_SEED changes the moments. */
import { describe, expect, it } from "vitest"
import { want, whole } from "../fixtures.ts"
import { makeClient } from "./client.ts"
import { runFailovers, startReplicated } from "./failovers.ts"
import { missing } from "./ReplicaSet.ts"
import { keyIn } from "./scene.ts"
import { sojourn } from "./SojournProcess.ts"
import { fixturesOn } from "./town.ts"

const seed = Number(process.env.SOJOURN_SEED ?? "20260301")

describe.skipIf(missing !== undefined)("a primary with a synchronous standby", () => {
  it("that is frozen, or left alone, loses nothing acknowledged to the standby that is promoted", async () => {
    // `proxy/patroni.test.ts` has those that are killed or stopped under load.
    const ways = ["frozen", "left alone"] as const
    const { acknowledged, faults, recoveries } = await runFailovers({ count: ways.length, seed, ways })
    expect(faults, `seed ${seed}`).toEqual([])
    expect(acknowledged).toBeGreaterThan(0)
    expect([...recoveries.keys()]).toEqual(ways)
  })

  it("acknowledges nothing that the standby does not have, and a server that starts on the standby waits until it is promoted", async () => {
    await using server = await startReplicated()
    const { replicas, baseUrl, data } = server
    const client = makeClient()
    const key = await keyIn(data)
    const { sojourn: callers, organization, enter, leave, get, owner } = fixturesOn(client, () => baseUrl, key)
    const where = whole((await organization()).id)
    const phone = callers.user("phone")
    const keyed = () => enter(phone, where, {}, { headers: { "idempotency-key": "once" } })

    await replicas.stopStandby()
    want(await keyed(), 503)
    want(await keyed(), 503, "the same again")
    await replicas.restartPrimary()
    want(await keyed(), 503, "the same after a restart of the primary, which shows the entrance")
    await replicas.startStandby()
    const { json } = want(await keyed(), 201)

    const waiting = sojourn("serve", "--database-url", replicas.standbyUrl(), "--data", data, "--port", "0")
    try {
      const waitingUrl = await waiting.listening
      const ready = async () => (await fetch(`${waitingUrl}/health/ready`)).status
      await expect.poll(waiting.said, { timeout: 20_000 }).toContain("is away (it is a standby)")
      expect(await ready()).toBe(503)
      await replicas.failOver("killed")
      await expect.poll(ready, { timeout: 20_000 }).toBe(200)
    } finally {
      await waiting.end()
    }
    await expect
      .poll(() => get(owner, `/presence/organization/${where.id}/counter`), { timeout: 20_000 })
      .toMatchObject({
        status: 200,
        json: { counter: 1 }
      })
    want(await leave(phone, where, json.exitToken), 202)
    client.close()
  })
})
