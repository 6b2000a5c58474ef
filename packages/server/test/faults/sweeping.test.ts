/** Sweeps of one database by two servers, configured on the command line. A third server does not sweep. */
import { expect, it } from "vitest"
import { want, whole } from "../fixtures.ts"
import { forThisFile } from "../forThisFile.ts"
import { runHere } from "../runHere.ts"
import { makeClient } from "./client.ts"
import { execute } from "./audit.database.ts"
import { eventually } from "./eventually.ts"
import { serverGroup } from "./ServerGroup.ts"
import { fixturesOn } from "./town.ts"

const group = forThisFile(await serverGroup())
const servers = ["1s", "1s", "0"].map((interval) => group.start("--sweep-interval", interval))
const baseUrls = await Promise.all(servers.map(({ listening }) => listening))
const client = forThisFile(makeClient())
const key = await group.key()
/** Requests to each of the servers. */
const on = baseUrls.map((baseUrl) => fixturesOn(client, () => baseUrl, key))
const where = whole((await on[0]!.organization()).id)
const phone = on[0]!.sojourn.user("phone")

/** Moves all stored times back by a year. */
const aYearPasses = () =>
  execute(group.database(), [
    "update open_stay set recorded_at = recorded_at - interval '1 year'",
    "update stay set entered_at = entered_at - interval '1 year', exited_at = exited_at - interval '1 year'"
  ])

/** The value of a counter in a server's metrics. */
const metricOn = async (name: string, baseUrl: string) => {
  const { text } = await client.ask(baseUrl, { method: "GET", path: "/metrics" })
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1])
}
const metrics = (name: string) => Promise.all(baseUrls.map((baseUrl) => metricOn(name, baseUrl)))
const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((all, one) => all + one, 0)

it("overdue stays and accesses are swept once, by a server that sweeps, which counts and logs them", async () => {
  const enter = async (): Promise<string> => want(await on[2]!.enter(phone, where), 201).json.exitToken
  for (const name of ["sojourn_stays_abandoned_total", "sojourn_accesses_forgotten_total"])
    expect(await metrics(name)).toEqual([0, 0, 0])

  const overdue = await Promise.all(Array.from({ length: 7 }, enter))
  const left = await Promise.all(Array.from({ length: 5 }, enter))
  for (const token of left) want(await on[2]!.leave(phone, where, token), 202)
  await aYearPasses()
  const late = await enter()
  want(await on[2]!.anonymous(phone, where, left.join(",")), 200)
  expect(await on[2]!.inside(where)).toBe(8)

  const policy = ["--longest-stay", "12h", "--retention", "90d"]
  const set = await runHere(["policy", "set", "--organization", String(where.id), ...policy, ...group.storage])
  expect([set.code, set.out]).toEqual([
    0,
    "longest-stay\t12h\nretention\t90d\nevent-grain\tnone\nsmallest-count\tnone\n"
  ])

  await eventually("the stays are abandoned", async () => sum(await metrics("sojourn_stays_abandoned_total")) === 7)
  await eventually("the accesses are gone", async () => sum(await metrics("sojourn_accesses_forgotten_total")) === 5)
  for (const { inside } of on) expect(await inside(where)).toBe(1)
  for (const token of overdue) want(await on[0]!.leave(phone, where, token), 400)
  want(await on[0]!.anonymous(phone, where, left.join(",")), 204)
  want(await on[1]!.leave(phone, where, late), 202)
  // Either of the first two servers may have swept; the third one never sweeps.
  expect(await metricOn("sojourn_stays_abandoned_total", baseUrls[2]!)).toBe(0)
  await eventually("the sweep is logged", () => servers.some((server) => server.said().includes("swept: ")))
  const logged = servers.map(
    (server) => server.said().match(/swept: \d+ stays abandoned, \d+ accesses forgotten/g) ?? []
  )
  expect(logged[2]).toEqual([])
  expect(logged.flat()).toEqual(["swept: 7 stays abandoned, 5 accesses forgotten"])
})

it("a failed sweep is logged, and a later one succeeds", async () => {
  want(await on[0]!.enter(phone, where), 201)
  const before = sum(await metrics("sojourn_stays_abandoned_total"))
  await execute(group.database(), ["alter table stay_policy rename to elsewhere"])
  await aYearPasses()
  await eventually("a sweep fails", () => servers.some((server) => server.said().includes("sweep failed")))
  await execute(group.database(), ["alter table elsewhere rename to stay_policy"])
  await eventually(
    "the stay is abandoned",
    async () => sum(await metrics("sojourn_stays_abandoned_total")) === before + 1
  )
})

it("a server that sweeps exits with 0, and an invalid interval is refused at the start", async () => {
  for (const server of servers) server.kill("SIGTERM")
  for (const { ended } of servers) expect((await ended).code).toBe(0)
  for (const interval of ["1 minute", ""]) {
    const memory = ["--storage", "memory", "--data", group.data]
    const { code, err } = await runHere(["serve", ...memory, `--sweep-interval=${interval}`])
    expect([code, err.split("\n").length], interval).toEqual([1, 2])
    expect(err).toMatch(/^sojourn: --sweep-interval is 0, or a number and s, m, h or d/)
  }
})
