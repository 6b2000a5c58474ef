/** Servers on a PostgreSQL that Patroni fails over: with both hosts, and through HAProxy. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { keysIn, makeScene, type Scene } from "../faults/scene.ts"
import { sojourn, type SojournProcess } from "../faults/SojournProcess.ts"
import { missing, type Patroni, type PatroniFailover, startPatroni } from "./Patroni.ts"

const data = mkdtempSync(join(tmpdir(), "sojourn-patroni-data-"))
let patroni: Patroni
const servers: Array<SojournProcess> = []

beforeAll(async () => {
  if (missing === undefined) patroni = await startPatroni()
})

afterAll(async () => {
  await Promise.all(servers.map((server) => server.end()))
  await patroni?.close()
  rmSync(data, { recursive: true, force: true })
})

const makeTown = async (url: string): Promise<Scene> => {
  const server = sojourn("serve", "--database-url", url, "--data", data, "--port", "0")
  servers.push(server)
  const baseUrl = await server.listening
  const on = {
    ...(await keysIn(data, await patroni.primary())),
    baseUrl: () => baseUrl,
    database: () => patroni.primary()
  }
  return makeScene({ ...on, crowd: 16, companies: 1, keyed: 1 })
}

const failOver = ({ crowd, during }: Scene, how: PatroniFailover) =>
  during(async () => {
    await patroni.failOver(how)
    await crowd.servedSince(performance.now())
    await patroni.rejoin()
  })

/** A host that is killed is replaced after 20 seconds: once is enough. */
const FAILOVERS = [
  ["both hosts", ["switched over", "its host killed"]],
  ["HAProxy", ["its PostgreSQL killed"]]
] as const

describe.skipIf(missing !== undefined)("a PostgreSQL that Patroni fails over", () => {
  it.each(FAILOVERS)("loses and doubles nothing acknowledged: %s", async (through, failovers) => {
    const scene = await makeTown(through === "HAProxy" ? patroni.proxyUrl : patroni.url)
    try {
      for (const how of failovers) await failOver(scene, how)
      expect(scene.ledger.acknowledged()).toBeGreaterThan(0)
    } finally {
      await scene.close()
      await servers.at(-1)!.end()
    }
  })
})
