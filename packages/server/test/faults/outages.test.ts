/** PostgreSQL stops and starts again, while the server keeps running. */
import { setTimeout as pause } from "node:timers/promises"
import { afterAll, describe, expect, it } from "vitest"
import { makeEventStreams, type Message } from "../eventStream.ts"
import { forThisFile } from "../forThisFile.ts"
import { type Answer, type ClientRequest, makeClient } from "./client.ts"
import { query } from "./audit.database.ts"
import { eventually } from "./eventually.ts"
import { tracking } from "./movements.ts"
import { OUTAGE } from "./phone.ts"
import type { Scene } from "./scene.ts"
import { serverGroup } from "./ServerGroup.ts"
import { ownerToken, userToken } from "./town.ts"

const group = forThisFile(await serverGroup())
await group.postgres.stop()
const key = await group.key()
const server = group.start()
const baseUrl = await server.listening
const client = forThisFile(makeClient())
let scene: Scene
afterAll(() => scene?.close())

const get = (path: string, token?: string): Promise<Answer> =>
  client.ask(baseUrl, { method: "GET", path, ...(token !== undefined && { token }) })

const isReady = async () => (await get("/health/ready")).status === 200

/** Expects 503 of every request that needs the database: no other refusal and no empty list. */
const expectRefusals = async () => {
  const user = await userToken(key, "passer-by")
  const owner = await ownerToken(key)
  const where = { kind: "organization", id: 1, organizationId: 1 } as const
  const requests: ReadonlyArray<ClientRequest> = [
    tracking(user, where, { movementType: 1 }),
    tracking(user, where, { movementType: 1 }, "a-key"),
    ...["/organization", "/organization/1", "/place/organization/1", "/favorite/passer-by"].map(
      (path): ClientRequest => ({
        method: "GET",
        path,
        token: user
      })
    ),
    ...["/presence/organization/1/counter", "/administrator/permission/the-owner", "/report/place/1"].map(
      (path): ClientRequest => ({ method: "GET", path, token: owner })
    )
  ]
  for (const one of requests) {
    const { status, headers, text } = await client.ask(baseUrl, one)
    expect({ path: one.path, status, text }).toEqual({ path: one.path, status: 503, text: "" })
    expect(headers["retry-after"]).toMatch(/^\d+$/)
  }
  expect((await get("/health/live")).status).toBe(200)
  expect((await get("/health/ready")).status).toBe(503)
}

describe("a database that is not reachable", () => {
  it("at the start: the server listens and answers 503, and migrates and serves once the database is up", async () => {
    await expectRefusals()
    await group.postgres.start()
    await eventually("the server is ready", isReady)
    scene = await group.makeScene({ baseUrl: () => baseUrl, crowd: 8, companies: 1, keyed: 1 })
    await scene.during(async () => {})
  })

  it("because it was stopped under load: 503, no movement lost or doubled, and the server recovers", async () => {
    await scene.during(async () => {
      await group.postgres.stop()
      await expectRefusals()
      await pause(OUTAGE)
      await group.postgres.start()
    })
  })

  it("a presence stream stays open, sends `stale`, and continues without a gap after the database restarts", async () => {
    const organizationId = scene.town.anonymous[0]!.organizationId
    const open = makeEventStreams(Number(new URL(baseUrl).port))
    const stream = await open(`Bearer ${await ownerToken(key)}`, `?organizations=${organizationId}`)
    let version: number = (await stream.want("snapshot")).data.organizations[0].version
    /** Expects no gap before a message. Returns whether it is an event, and not a message about the stream. */
    const follows = ({ event, data }: Message): boolean => {
      // The database answered again before anything else happened.
      if (event === "snapshot") expect([data.reason, data.organizations[0].version]).toEqual(["behind", version])
      else if (event !== "stale") expect(data.version).toBe(++version)
      return event.includes(".")
    }
    await scene.during(async () => {
      await group.postgres.stop()
      await stream.until((message) => !follows(message))
      await pause(OUTAGE)
      expect((await get("/metrics")).text).toMatch(/^sojourn_presence_streams [1-9]/m)
      await group.postgres.start()
    })
    await scene.during(async () => void (await stream.until(follows)))

    // In an outage in which nothing happens, no event shows that the counts are current again.
    await eventually("every pending change is published", async () => {
      const pending = await query(group.database(), "select 1 from pending_change limit 1")
      return pending.length === 0
    })
    const quiet = await open(`Bearer ${await ownerToken(key)}`, `?organizations=${organizationId}`)
    const { id, data } = await quiet.want("snapshot")
    await group.postgres.stop()
    expect((await quiet.want("stale")).id).toBe(id)
    await group.postgres.start()
    expect(await quiet.want("snapshot")).toEqual({ event: "snapshot", id, data: { ...data, reason: "behind" } })
    await eventually("the server is ready", isReady)
  })

  it("behind a proxy that accepts and resets connections: 503, and the server recovers", async () => {
    await scene.during(async () => {
      await group.postgres.stop()
      await group.postgres.wire.listen()
      await expectRefusals()
      await group.postgres.wire.refuse()
      await group.postgres.start()
    })
  })

  it.skipIf(process.platform === "win32")(
    "because it is suspended (SIGSTOP): requests end with 503 after a timeout, and the server recovers (SIGCONT)",
    async () => {
      await scene.during(async () => {
        await group.postgres.pause()
        const before = scene.ledger.ambiguous()
        expect((await get("/health/ready")).status).toBe(503)
        expect((await get("/health/live")).status).toBe(200)
        await eventually("movements are refused", () => scene.ledger.ambiguous() > before)
        await pause(OUTAGE)
        await group.postgres.resume()
      })
    }
  )
})
