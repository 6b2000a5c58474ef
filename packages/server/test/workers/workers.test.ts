/** A server whose requests several processes answer. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
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
      for (const victims of [[0], [1], [0, 1]]) {
        const before = workers()
        expect(before).toHaveLength(WORKERS)
        for (const nth of victims) process.kill(before[nth]!, "SIGKILL")
        await eventually("others take their places", () => {
          const now = workers()
          return now.length === WORKERS && victims.every((nth) => !now.includes(before[nth]!))
        })
        await scene.crowd.servedSince(performance.now())
        await pause(300)
      }
    },
    { silent: true }
  )
  expect(scene.ledger.acknowledged()).toBeGreaterThan(100)
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

it("workers share a rate limit in parts, and have one set of metrics", async () => {
  const baseUrl = await start("--rate-limit", "12/1h", "--metrics-port", "0")
  // The log is written later than the standard output.
  let metricsUrl = ""
  await eventually("the log has the port of the metrics", () => {
    metricsUrl = /metrics are answered on (http:[^"\s]+)/.exec(server.said())?.[1] ?? ""
    return metricsUrl !== ""
  })
  const token = await userToken(await group.key(), "caller")
  const statuses: Array<number> = []
  // Each request has a connection of its own: enough for each worker to get its share, however uneven it is.
  const ask = async () => {
    const { status } = await fetch(`${baseUrl}/organization`, {
      headers: { authorization: `Bearer ${token}`, connection: "close" }
    })
    statuses.push(status)
  }
  const granted = () => statuses.filter((status) => status !== 429).length
  await eventually("both workers have granted their part", async () => {
    await Promise.all(Array.from({ length: 20 }, ask))
    return granted() === 12
  })
  await Promise.all(Array.from({ length: 20 }, ask))
  expect(granted()).toBe(12)
  const limited = statuses.length - 12
  const allCounted = async () => (await metric(metricsUrl, "sojourn_limited_requests_total")) === limited
  await eventually("the metrics count all requests", allCounted)
  // What is stored is measured by one process, at intervals of seconds.
  await eventually("the server is ready", async () => (await metric(metricsUrl, "sojourn_ready")) === 1)
  const [killed] = workers()
  process.kill(killed!, "SIGKILL")
  await eventually("the worker has ended", () => !workers().includes(killed!))
  await eventually("the metrics still have what it counted", allCounted)
})

it("a port that is taken is said in one line", async () => {
  const { port } = new URL(await start())
  const other = sojourn("serve", ...group.storage, "--workers", String(WORKERS), "--port", port)
  const { code, err } = await other.ended
  expect(code).toBe(1)
  expect(err.trim().split("\n")).toEqual([expect.stringMatching(/^sojourn: cannot listen on 127\.0\.0\.1:\d+: /)])
})

it("why a worker does not start is said in one line", async () => {
  const certificates = join(group.data, "no-certificates.pem")
  writeFileSync(certificates, "none")
  const { code, err } = await group.start("--workers", String(WORKERS), "--directory-ca", certificates).ended
  expect(code).toBe(1)
  expect(err.trim().split("\n")).toEqual([
    expect.stringMatching(/^sojourn: --directories: .* must be PEM certificates$/)
  ])
})
