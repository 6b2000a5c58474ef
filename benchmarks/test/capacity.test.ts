/** The simulation against what was measured, and the page against the simulation. Both are deterministic: no time is judged. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { COSTS, type Costs } from "../capacity/costs.ts"
import { Clock, Machine, Process } from "../capacity/Machine.ts"
import { measure, reportMeasured } from "../capacity/measure.ts"
import { errorsOf, MEASURED, simulated } from "../capacity/servers.ts"
import { simulate } from "../capacity/simulate.ts"
import { TABLES } from "../capacity/tables.ts"

const PAGE = fileURLToPath(new URL("../../docs/capacity.md", import.meta.url))

const farthest = (costs?: Costs) => Math.max(...MEASURED.flatMap((cell) => errorsOf(cell, costs)).map(Math.abs))

describe("the simulation", () => {
  for (const cell of MEASURED) {
    it(`is within 20 % of ${cell.servers} servers and ${cell.connections} connections as measured`, () => {
      for (const [nth, error] of errorsOf(cell).entries()) assert.isBelow(Math.abs(error), 0.2, `figure ${nth}`)
    })
  }

  it("is beyond 20 % where a constant is wrong", () => {
    for (const name of ["request", "batch", "client", "switching", "postgresMovement"] as const) {
      assert.isAbove(farthest({ ...COSTS, [name]: COSTS[name] * 2 }), 0.2, name)
    }
  })

  it("has the same outcome each time", () => {
    assert.deepStrictEqual(simulated(MEASURED[2]!), simulated(MEASURED[2]!))
  })

  it("uses no more processors than the machine has, and answers no more than what is sent", () => {
    for (const [processors, lanes, workers] of [
      [1, 1, 0],
      [2, 4, 0],
      [4, 1, 3],
      [8, 2, 4]
    ] as const) {
      const connections = 100
      const { batch, latency, postgres, rate, server } = simulate({
        processors,
        lanes,
        workers,
        connections,
        clients: "elsewhere",
        costs: COSTS,
        seconds: 0.2
      })
      assert.isAtMost(((server + postgres) * rate) / 1e6, processors * 1.02)
      assert.isAtMost(batch, connections / lanes)
      // A movement takes at least its own work, and one commit.
      assert.isAbove(latency * 1_000, COSTS.request + COSTS.postgresBatch + COSTS.flush / 2)
    }
  })
})

describe("a machine", () => {
  const switching = 10

  /** When each process finished its work of 30 us in three pieces; the third began after the first two. */
  const finished = (processors: number, slice: number) => {
    const clock = new Clock()
    const machine = new Machine(clock, processors, { switching, slice })
    return [0, 0, 1].map((begun) => {
      const process = new Process(machine)
      const at: Array<number> = []
      clock.after(begun, () => {
        for (let piece = 0; piece < 3; piece++) process.post(10, () => void at.push(clock.now))
      })
      return { at, process, clock }
    })
  }

  it("runs as many processes at once as it has processors, and the others after them", () => {
    const all = finished(2, 1_000)
    all[0]!.clock.runUntil(1_000)
    assert.deepStrictEqual(
      all.map(({ at }) => at),
      [
        [20, 30, 40],
        [20, 30, 40],
        [60, 70, 80]
      ]
    )
  })

  it("takes the processor from a process after its slice while others wait, and charges each switch", () => {
    const all = finished(1, 15)
    all[0]!.clock.runUntil(1_000)
    assert.deepStrictEqual(
      all.map(({ at }) => at[0]),
      [20, 40, 60]
    )
    assert.deepStrictEqual(
      all.map(({ process }) => process.used),
      [60, 60, 60]
    )
  })
})

describe("the page", () => {
  it("has the tables that the command prints", { timeout: 120_000 }, async () => {
    const tables = Object.entries(TABLES)
    const expected = tables.reduce(
      (page, [name, table]) => {
        const marker = new RegExp(`(<!-- npm run capacity: ${name} -->\n\n)(\\|.*\n)*\n?`)
        assert.match(page, marker, name)
        return page.replace(marker, (_, before: string) => `${before}${table()}\n\n`)
      },
      readFileSync(PAGE, "utf8")
    )
    await expect(expected).toMatchFileSnapshot(PAGE)
  })
})

describe("measuring", () => {
  it.live(
    "prints WAL, rows and publishing",
    () =>
      Effect.gen(function* () {
        const measured = yield* measure(
          {
            history: 1_000,
            organizations: 4,
            people: 1_200,
            inside: 600,
            movements: 512,
            publications: 1,
            durability: "fast"
          },
          () => {}
        )
        for (const { wal } of measured.batches) assert.isAbove(wal, 0)
        for (const { events, organizations } of measured.published) {
          assert.isAtLeast(events, organizations)
          assert.isAbove(organizations, 0)
        }
        for (const { bytes } of measured.rowBytes) assert.isAbove(bytes, 50)
        assert.include(reportMeasured(measured), "presence_event")
      }),
    120_000
  )
})
