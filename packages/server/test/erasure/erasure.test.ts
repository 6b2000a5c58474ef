/** An erasure leaves no trace of a person: the short form of `npm run erase-people`. */
import { describe, expect, it } from "vitest"
import { isSilent, markOf, marksIn } from "./marks.ts"
import { erasePeople } from "./run.ts"

const PEOPLE = 4

const TABLES = [
  "account_link",
  "administrator_account",
  "audit_entry",
  "deletion_request",
  "entrance_retry",
  "favorite",
  "open_stay",
  "permission",
  "stay",
  // Its partition.
  "stay_first"
]

it("the scan finds a name in plain text, hexadecimal and Base64", () => {
  const mark = markOf(17)
  for (const written of [mark, mark.toUpperCase(), encodeURIComponent(`,${mark}`), `("uid=${mark},ou=x",2026)`]) {
    expect(marksIn(`a line: ${written}, and more`).people).toEqual(new Set([17]))
  }
  for (const hidden of [btoa(mark), btoa(`a${mark}`), btoa(`ab${mark}`), Buffer.from(mark).toString("hex")]) {
    expect(isSilent(marksIn(hidden))).toBe(false)
  }
  expect(isSilent(marksIn("keeper, Town 17"))).toBe(true)
})

describe(`the data about ${PEOPLE} people with every kind of record`, async () => {
  const report = await erasePeople(PEOPLE, () => {})

  it("is found in every table with personal data, in answers to others and in exports, and nowhere else", () => {
    const sources = [...TABLES.map((name) => `table ${name}`), "answers to others", "exports"]
    expect(new Set([...report.before].filter(([, people]) => people > 0).map(([name]) => name))).toEqual(
      new Set(sources)
    )
    for (const name of sources) expect([name, report.before.get(name)]).toEqual([name, PEOPLE])
    for (const name of ["table organization", "statistics of PostgreSQL", "metrics", "the server's log"]) {
      expect(report.before.get(name)).toBe(0)
    }
  })

  it("is found nowhere after the erasure", () => {
    expect(report.traces).toEqual([])
  })

  it("is counted by the answers to the erasures, and the ledgers contain the decrease of the totals", () => {
    expect(report.erased).toEqual({
      accountLinks: PEOPLE,
      favorites: 2 * PEOPLE,
      // One of them is imported.
      accesses: 2 * PEOPLE,
      openStays: PEOPLE,
      retriedEntrances: PEOPLE,
      musterEntries: 0,
      accounts: 2 * PEOPLE,
      permissions: 2 * PEOPLE,
      // As the person of a permission, as nominator, as requester of a deletion, and as its decider; and in nine entries of the audit.
      mentions: 13 * PEOPLE
    })
    expect(report.ledger).toEqual({ people: PEOPLE, accesses: 2 * PEOPLE, openStays: PEOPLE, totalTime: 2400 * PEOPLE })
    expect(report.reportsLost).toBe(report.ledger.totalTime)
    expect(report.inside).toBe(0)
  })
})
