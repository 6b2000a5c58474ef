/** Histories of presence over HTTP. */
import { setTimeout as pause } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { at, makeFixtures, NOWHERE, type Premises, want } from "./fixtures.ts"
import { type Bearer, sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { owner, operator, put, get, premises, enter, leave } = fixtures
const phone = sojourn.user("phone")

/** The interval at which rows are read until they are complete, in milliseconds. */
const POLL_INTERVAL_MS = 50

const DAY = 86_400
/** The present day, and those beside it. */
const DAYS = { step: "day", from: at(-DAY), to: at(2 * DAY) }

const history = ({ kind, id }: Pick<Premises, "kind" | "id">, query: object, who?: Bearer) =>
  get(who ?? owner, `/presence/${kind}/${id}/history?${new URLSearchParams({ ...query })}`)

const sum = (rows: ReadonlyArray<any>, member: string): number =>
  rows.reduce((total: number, row) => total + row[member], 0)

/** The rows of the present days, once so many entered and left: events are published a little later. */
const rowsAfter = async (where: Premises, entered: number, left: number): Promise<ReadonlyArray<any>> => {
  const read = async (): Promise<ReadonlyArray<any>> => want(await history(where, DAYS), 200).json
  let rows = await read()
  while (sum(rows, "entered") !== entered || sum(rows, "left") !== left) {
    await pause(POLL_INTERVAL_MS)
    rows = await read()
  }
  return rows
}

describe.each(["organization", "place"] as const)("GET /presence/%s/{id}/history", (kind) => {
  it("200 a row for each step since the start of the feed, also without movements", async () => {
    const where = await premises(kind)
    const rows = want(await history(where, DAYS), 200).json
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) {
      expect(row).toEqual({ from: row.from, entered: 0, left: 0, least: 0, most: 0, average: 0 })
      expect(row.from).toMatch(/T00:00:00\.000Z$/)
    }
  })

  it("200 the movements recorded in each step, and the mean stay by the stays' timestamps", async () => {
    const where = await premises(kind)
    want(await put(operator, `/operator/organization/${where.organizationId}/policy`, { smallestCount: 1 }), 200)
    const { exitToken } = want(await enter(phone, where, { timestamp: at(-900) }), 201).json
    await rowsAfter(where, 1, 0)
    want(await enter(phone, where), 201)
    await rowsAfter(where, 2, 0)
    want(await leave(phone, where, exitToken, { timestamp: at(-300) }), 202)
    const rows = await rowsAfter(where, 2, 1)
    for (const { least, average, most } of rows) {
      expect(least).toBeLessThanOrEqual(average)
      expect(average).toBeLessThanOrEqual(most)
    }
    expect(Math.max(...rows.map(({ most }) => most))).toBe(2)
    expect(rows.flatMap(({ averageStay }) => averageStay ?? [])).toEqual([600])
    for (const step of ["minute", "hour"]) {
      const finer = want(await history(where, { step, from: at(-3600), to: at(3600) }), 200).json
      expect([sum(finer, "entered"), sum(finer, "left")]).toEqual([2, 1])
      expect(finer.flatMap(({ averageStay }: any) => averageStay ?? [])).toEqual([600])
      const length = step === "minute" ? 60_000 : 3_600_000
      finer.forEach(({ from }: any, i: number) => expect(Date.parse(from)).toBe(Date.parse(finer[0].from) + i * length))
    }
  })

  it("200 `from` rounded down, `to` rounded up, and no future step", async () => {
    const where = await premises(kind)
    const now = Date.now()
    const after = (milliseconds: number) => new Date(now + milliseconds).toISOString()
    const here = want(await history(where, { step: "hour", from: after(0), to: after(1) }), 200).json
    const ahead = want(await history(where, { step: "hour", from: after(0), to: after(100 * 3_600_000) }), 200).json
    expect(here.map(({ from }: any) => Date.parse(from))).toEqual([Math.floor(now / 3_600_000) * 3_600_000])
    expect(ahead.length).toBeLessThanOrEqual(2)
    const zone = after(0).replace("Z", "+00:00")
    expect(want(await history(where, { step: "hour", from: zone, to: after(1) }), 200).json).toHaveLength(1)
  })

  it("204 before the start of the feed, and for future steps alone", async () => {
    const where = await premises(kind)
    want(await history(where, { step: "day", from: at(-9 * DAY), to: at(-8 * DAY) }), 204)
    want(await history(where, { step: "day", from: at(8 * DAY), to: at(9 * DAY) }), 204)
    want(await history(where, { step: "day", from: "0000-01-01T00:00:00Z", to: "0000-01-02T00:00:00Z" }), 204)
    want(await history(where, { step: "day", from: "9999-12-31T00:00:00Z", to: "9999-12-31T23:59:59.999Z" }), 204)
  })

  it.each([
    ["nothing", {}],
    ["no from", { step: "day", to: at(0) }],
    ["no to", { step: "day", from: at(0) }],
    ["no step", { from: at(0), to: at(1) }],
    ["an unknown step", { step: "week", from: at(0), to: at(1) }],
    ["a from that is no timestamp", { step: "day", from: "yesterday", to: at(0) }],
    ["a to without a zone", { step: "day", from: at(-1), to: at(0).slice(0, -1) }],
    ["a from that is the to", { step: "day", from: at(0), to: at(0) }],
    ["a from after the to", { step: "day", from: at(1), to: at(0) }],
    ["1,501 minutes", { step: "minute", from: "2026-01-01T00:00:00Z", to: "2026-01-02T01:00:01Z" }],
    ["1,501 hours", { step: "hour", from: "2026-01-01T00:59:00Z", to: "2026-03-04T12:01:00Z" }],
    ["1,501 days", { step: "day", from: "2020-01-01T00:00:00Z", to: "2024-02-10T00:00:00Z" }]
  ])("%s: 400", async (_, query) => {
    const where = await premises(kind)
    want(await history(where, query), 400)
    want(await history({ kind, id: NOWHERE }, query), 400)
    want(await history(where, query, phone), 403)
  })

  it("1,500 steps are not too many, and a parameter that is sent twice is 400", async () => {
    const where = await premises(kind)
    want(await history(where, { step: "minute", from: "2026-01-01T00:00:00Z", to: "2026-01-02T01:00:00Z" }), 204)
    want(await get(owner, `/presence/${kind}/${where.id}/history?step=day&step=hour&from=${at(0)}&to=${at(1)}`), 400)
  })

  it("404 after its deletion", async () => {
    const where = await premises(kind)
    await fixtures.stay(phone, where)
    await rowsAfter(where, 1, 1)
    if (kind === "place") want(await fixtures.remove(owner, `/place/${where.id}`), 205)
    else await fixtures.deleteOrganization(where.id)
    want(await history(where, DAYS), 404)
  })
})
