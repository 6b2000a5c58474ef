/** When a growth run fails: on made-up costs, as no test may judge measured ones. */
import { describe, expect, it } from "vitest"
import type { Measured } from "../growth/grow.ts"
import { changes, faults, isJudged } from "../growth/Verdict.ts"

type Promised = Measured["costs"][number]["promise"]

/** A history with which each operation takes PostgreSQL so long. */
const costing = (
  closed: number,
  servers: Readonly<Record<string, readonly [Promised, number | undefined]>>
): Measured => ({
  closed,
  tables: [],
  costs: Object.entries(servers).map(([operation, [promise, server]]) => ({
    operation,
    promise,
    server,
    client: 1,
    wal: 0,
    latency: 1,
    rows: 1
  }))
})

const wrong = (...[small, large]: readonly [Measured, Measured]) => faults(changes([small, large]))

describe("the verdict", () => {
  it("lets a movement cost a fifth more with a long history, and no more", () => {
    expect(wrong(costing(1, { exit: ["flat", 100] }), costing(9, { exit: ["flat", 120] }))).toEqual([])
    expect(wrong(costing(1, { exit: ["flat", 100] }), costing(9, { exit: ["flat", 121] }))).toEqual([
      "exit: PostgreSQL needs 1.21 times the processor time, and 1.20 is allowed"
    ])
  })

  it("lets one cost half more that has to log whole pages then, and no more", () => {
    expect(wrong(costing(1, { exit: ["drawn", 100] }), costing(9, { exit: ["drawn", 150] }))).toEqual([])
    expect(wrong(costing(1, { exit: ["drawn", 100] }), costing(9, { exit: ["drawn", 151] }))).toHaveLength(1)
  })

  it("allows more where the yardstick says that the machine was slower, and never less", () => {
    const small = costing(1, { exit: ["flat", 100], link: ["yardstick", 10] })
    expect(wrong(small, costing(9, { exit: ["flat", 140], link: ["yardstick", 12] }))).toEqual([])
    expect(wrong(small, costing(9, { exit: ["flat", 140], link: ["yardstick", 8] }))).toHaveLength(1)
  })

  it("lets lists and reports cost what they answer", () => {
    expect(wrong(costing(1, { report: ["answer", 100] }), costing(9, { report: ["answer", 900] }))).toEqual([])
  })

  it("says nothing of a server whose processor time it does not know", () => {
    expect(wrong(costing(1, { exit: ["flat", undefined] }), costing(9, { exit: ["flat", undefined] }))).toEqual([])
  })

  it("judges only what it knows: two sizes, and the processor time", () => {
    const [known, unknown] = [100, undefined].map((server) =>
      changes([1, 9].map((closed) => costing(closed, { exit: ["flat", server] })))
    )
    expect([isJudged(known!, 2), isJudged(known!, 1), isJudged(unknown!, 2)]).toEqual([true, false, false])
  })

  it("compares the first size with the last", () => {
    const sizes = [100, 900, 110].map((server, at) => costing(at, { exit: ["flat", server] }))
    expect(changes(sizes)).toMatchObject([{ operation: "exit", server: 1.1 }])
  })
})
