/** The ratios of a comparison, on made-up turns. */
import { describe, expect, it } from "vitest"
import { standings } from "../compare/ratios.ts"
import type { Heat, Turn } from "../compare/rounds.ts"

const turn = (rate: number, database?: number): Turn => ({
  requests: rate,
  rate,
  p50: 1,
  p99: 2,
  server: rate,
  database,
  load: 1,
  wal: 0
})

const heat = (rates: Readonly<Record<string, ReadonlyArray<number>>>): Heat => ({
  scenario: "pairs",
  connections: 1,
  turns: Object.entries(rates).map(([candidate, all]) => ({ candidate, turns: all.map((rate) => turn(rate)) }))
})

describe("the ratios", () => {
  it("compare the turns of one round, so that a slow moment of the machine falls on both", () => {
    const [sojourn, reference] = standings(heat({ sojourn: [200, 20, 90], "fastify-pg": [100, 10, 30] }))
    expect(sojourn!.ratio).toEqual({ median: 2, least: 2, most: 3 })
    expect(reference!.ratio).toEqual({ median: 1, least: 1, most: 1 })
  })

  it("are to the first candidate where the reference is not measured", () => {
    const [, other] = standings(heat({ sojourn: [50], bare: [100] }))
    expect(other!.ratio.median).toBe(2)
  })

  it("come with the middle of each figure, and none for what is not known", () => {
    const [sojourn] = standings(heat({ sojourn: [10, 30, 20] }))
    expect(sojourn).toMatchObject({ rate: 20, server: 20, database: undefined })
  })

  it("tell by the processor time how much less work a request is, where that of both is known", () => {
    const turns = (database: number | undefined) => [turn(10, database), turn(10, database)]
    const measured = (database: number | undefined): Heat => ({
      scenario: "pairs",
      connections: 1,
      turns: [
        { candidate: "sojourn", turns: turns(10) },
        { candidate: "fastify-pg", turns: turns(database) }
      ]
    })
    expect(standings(measured(30)).map(({ work }) => work)).toEqual([2, 1])
    expect(standings(measured(undefined)).map(({ work }) => work)).toEqual([undefined, undefined])
  })
})
