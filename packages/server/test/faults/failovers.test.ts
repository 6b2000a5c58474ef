/** A primary that fails over; `npm run failovers` does 50. SOJOURN_SEED changes the moments. */
import { describe, expect, it } from "vitest"
import { want, whole } from "../fixtures.ts"
import { makeClient } from "./client.ts"
import { runFailovers, startReplicated } from "./failovers.ts"
import { FAILOVERS, programs } from "./ReplicaSet.ts"
import { keysIn } from "./scene.ts"
import { fixturesOn } from "./town.ts"

const seed = Number(process.env.SOJOURN_SEED ?? "20260301")
const isMissing = programs() === undefined
if (isMissing) console.error("PostgreSQL's programs are not installed: failovers are not tested")

describe.skipIf(isMissing && process.env.CI === undefined)("a primary with a synchronous standby", () => {
  it("that is killed, frozen, stopped or left alone loses nothing acknowledged to the standby that is promoted", async () => {
    const { acknowledged, faults, recoveries } = await runFailovers({ count: FAILOVERS.length, seed })
    expect(faults, `seed ${seed}`).toEqual([])
    expect(acknowledged).toBeGreaterThan(0)
    expect([...recoveries.keys()]).toEqual(FAILOVERS)
  })

  it("acknowledges nothing that the standby does not have, repeated or after a restart", async () => {
    await using server = await startReplicated()
    const { replicas, baseUrl, data } = server
    const client = makeClient()
    const { key } = await keysIn(data)
    const { sojourn, organization, enter, leave, get, owner } = fixturesOn(client, () => baseUrl, key)
    const where = whole((await organization()).id)
    const phone = sojourn.user("phone")
    const keyed = () => enter(phone, where, {}, { headers: { "idempotency-key": "once" } })

    await replicas.stopStandby()
    want(await keyed(), 503)
    want(await keyed(), 503, "the same again")
    await replicas.restartPrimary()
    want(await keyed(), 503, "the same after a restart of the primary, which shows the entrance")
    await replicas.startStandby()
    const { json } = want(await keyed(), 201)
    await replicas.failOver("killed")
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
