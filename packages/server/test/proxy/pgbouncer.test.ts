/** Servers behind PgBouncer, which gives a session to each transaction. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { setTimeout as pause } from "node:timers/promises"
import { query } from "../faults/audit.database.ts"
import { type ServerGroup, serverGroup } from "../faults/ServerGroup.ts"
import { sojourn } from "../faults/SojournProcess.ts"
import { missing, type PgBouncer, startPgBouncer } from "./PgBouncer.ts"

let group: ServerGroup
let pooler: PgBouncer
const serve = (...flags: ReadonlyArray<string>) =>
  sojourn("serve", "--database-url", pooler.url, "--pooled", "--data", group.data, "--port", "0", ...flags)

beforeAll(async () => {
  if (missing !== undefined) return
  group = await serverGroup()
  pooler = await startPgBouncer(group.postgres.url("sojourn"))
})

afterAll(async () => {
  await pooler?.stop()
  await group?.close()
})

describe.skipIf(missing !== undefined)("servers behind PgBouncer in transaction mode", () => {
  it("do not start until the user has the settings of sessions, and say which", async () => {
    const { code, err } = await serve().ended
    expect([code, err.split("\n").length]).toEqual([1, 2])
    expect(err).toMatch(/lack settings \(search_path, .*\): run `sojourn migrate --pooled`/)
    const url = ["--database-url", group.postgres.url("sojourn")]
    expect((await sojourn("migrate", "--pooled", ...url).ended).code).toBe(0)
    // The pooler's sessions of before have none of them.
    await query(
      group.database(),
      "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"
    ).catch(() => undefined)
  })

  it("lose and double nothing, and tell each other what they published", async () => {
    const servers = [serve("--notify-url", group.postgres.url("sojourn")), serve()]
    const baseUrls = await Promise.all(servers.map(({ listening }) => listening))
    let turn = 0
    const baseUrl = () => baseUrls[turn++ % baseUrls.length]
    const scene = await group.makeScene({ baseUrl, crowd: 12, companies: 1, keyed: 0.5, roaming: 1 })
    await scene.during(() => pause(2_000))
    expect(scene.ledger.acknowledged()).toBeGreaterThan(0)
    // Webhooks listen always, and the feed while this server has streams.
    const listening = await query(group.database(), "select 1 from pg_stat_activity where query ilike 'listen%'")
    expect(listening.length).toBeOneOf([1, 2])
    await scene.close()
    for (const server of servers) expect((await server.end()).code).toBe(0)
  })
})
