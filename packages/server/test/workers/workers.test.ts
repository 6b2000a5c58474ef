/** A server whose requests several processes answer. */
import { setTimeout as pause } from "node:timers/promises"
import { afterEach, expect, it, onTestFinished } from "vitest"
import { eventually } from "../faults/eventually.ts"
import { familyOf, stillRunning } from "../faults/processes.ts"
import { serverGroup } from "../faults/ServerGroup.ts"
import { sojourn, type SojournProcess } from "../faults/SojournProcess.ts"
import { userToken } from "../faults/town.ts"
import { forThisFile } from "../forThisFile.ts"

const WORKERS = 2

const group = forThisFile(await serverGroup())
let server: SojournProcess
afterEach(() => server?.end())

const start = async (...flags: ReadonlyArray<string>) => {
  server = group.start("--workers", String(WORKERS), ...flags)
  return server.listening
}

/** The processes of the workers. */
const workers = () =>
  familyOf(server.pid)
    .filter(({ parent }) => parent === server.pid)
    .map(({ pid }) => pid)

/** The value of a metric, over all its labels. */
const metric = async (baseUrl: string, name: string) => {
  // A worker that is killed resets the connections that the system has given it.
  const text = await fetch(`${baseUrl}/metrics`).then(
    (answer) => answer.text(),
    () => ""
  )
  const lines = text.split("\n")
  const found = lines.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  return found.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0)
}

it("workers that are killed are replaced, and lose no acknowledged movement", async () => {
  const baseUrl = await start()
  const scene = await group.makeScene({ baseUrl: () => baseUrl, crowd: 24, companies: 2, keyed: 0.5 })
  onTestFinished(scene.close)
  await scene.during(
    async () => {
      for (let nth = 0; nth < 4; nth++) {
        const before = workers()
        expect(before).toHaveLength(WORKERS)
        process.kill(before[nth % WORKERS]!, "SIGKILL")
        await eventually("another worker takes its place", () => {
          const now = workers()
          return now.length === WORKERS && now.some((pid) => !before.includes(pid))
        })
        await scene.crowd.servedSince(performance.now())
        await pause(300)
      }
    },
    { silent: true }
  )
  expect(scene.ledger.acknowledged()).toBeGreaterThan(100)
  // All went through batches of the primary process.
  const batched = await metric(baseUrl, "sojourn_store_batch_size_sum")
  expect(batched).toBeGreaterThan(scene.ledger.acknowledged() / 2)
})

it("a server with workers ends all its processes, and loses no acknowledged movement", async () => {
  let baseUrl = await start("--drain-delay", "300ms")
  const scene = await group.makeScene({ baseUrl: () => baseUrl, crowd: 24, companies: 1, keyed: 0.5 })
  onTestFinished(scene.close)
  await scene.during(
    async () => {
      const family = familyOf(server.pid)
      expect(family).toHaveLength(1 + WORKERS)
      server.kill("SIGTERM")
      expect(await server.ended).toMatchObject({ code: 0, signal: null })
      expect(stillRunning(family)).toEqual([])
      baseUrl = await start()
    },
    { silent: true }
  )
  expect(scene.ledger.acknowledged()).toBeGreaterThan(50)
})

it("workers end with a primary process that is killed, and nothing acknowledged is lost", async () => {
  let baseUrl = await start()
  const scene = await group.makeScene({ baseUrl: () => baseUrl, crowd: 24, companies: 1, keyed: 0.5 })
  onTestFinished(scene.close)
  await scene.during(
    async () => {
      const family = familyOf(server.pid)
      server.kill("SIGKILL")
      await server.ended
      await eventually("its workers have ended", () => stillRunning(family).length === 0)
      baseUrl = await start()
    },
    { silent: true }
  )
})

it("a rate limit is one for all workers, and so are the metrics", async () => {
  const baseUrl = await start("--rate-limit", "11/1h")
  const token = await userToken((await group.keys()).key, "caller")
  const statuses: Array<number> = []
  for (let nth = 0; nth < 30; nth++) {
    // Each request has a connection of its own, which the workers take in turn.
    const { status } = await fetch(`${baseUrl}/organization`, {
      headers: { authorization: `Bearer ${token}`, connection: "close" }
    })
    statuses.push(status)
  }
  expect(statuses.filter((status) => status !== 429)).toHaveLength(11)
  await eventually(
    "the metrics count all requests",
    async () => (await metric(baseUrl, "sojourn_limited_requests_total")) === 19
  )
  const [killed] = workers()
  process.kill(killed!, "SIGKILL")
  await eventually("the worker has ended", () => !workers().includes(killed!))
  const counted = async () => (await metric(baseUrl, "sojourn_limited_requests_total")) === 19
  await eventually("the metrics still have what it counted", counted)
})

it("a port that is taken is said in one line", async () => {
  const { port } = new URL(await start())
  const other = sojourn("serve", ...group.storage, "--workers", String(WORKERS), "--port", port)
  const { code, err } = await other.ended
  expect(code).toBe(1)
  expect(err.trim().split("\n")).toEqual([expect.stringMatching(/^sojourn: cannot listen on 127\.0\.0\.1:\d+: /)])
})
