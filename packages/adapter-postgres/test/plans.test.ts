/**
 * The stays that statements read. Plans are kept: a plan from an empty table must be right for a full one. Statements read no
 * stays for readers who may not know them.
 */
import { assert, layer as shared } from "@effect/vitest"
import { Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { migrate } from "../src/index.ts"
import { BY_TOKENS } from "../src/devices/devices.sql.ts"
import { SET_POSITIONS } from "../src/organizations/PlaceStore.ts"
import {
  CHANGES,
  COUNT_PEOPLE,
  COUNTS,
  FREEZE_PEOPLE,
  INSIDE,
  PEOPLE,
  SOME_PEOPLE,
  START
} from "../src/musters/musters.sql.ts"
import { ABANDON, FORGET_ACCESSES } from "../src/policies/policies.sql.ts"
import { COUNT_OPEN } from "../src/stays/counters.ts"
import { OTHER_STAYS } from "../src/stays/entrancesEnding.ts"
import { CLOSED_BY_IDS } from "../src/stays/listings.ts"
import { MOVEMENT_STATEMENTS } from "../src/stays/movementStatement.ts"
import { CLOSED_BY_PEOPLE, CLOSED_BY_USER, TIME_PER_PERSON } from "../src/stays/StayReads.ts"
import { CLOSED_IN_WINDOW, CLOSED_IN_WINDOW_BY_PEOPLE, TIME_PER_PERSON_INSIDE } from "../src/stays/windows.sql.ts"
import { insertOrganization, layerPostgres, onEmpty } from "./fixtures.ts"

/** Every statement that looks for stays while others wait for it. */
const STATEMENTS: ReadonlyArray<readonly [name: string, text: string]> = [
  ...Object.entries(MOVEMENT_STATEMENTS),
  ...Object.entries({
    CLOSED_BY_IDS,
    CLOSED_BY_PEOPLE,
    CLOSED_BY_USER,
    COUNT_OPEN,
    OTHER_STAYS,
    TIME_PER_PERSON,
    CLOSED_IN_WINDOW,
    CLOSED_IN_WINDOW_BY_PEOPLE,
    TIME_PER_PERSON_INSIDE
  }),
  ...Object.entries({ ABANDON, FORGET_ACCESSES }),
  ...Object.entries({ INSIDE, START, PEOPLE, SOME_PEOPLE, COUNT_PEOPLE, FREEZE_PEOPLE, CHANGES, COUNTS })
]

/** What the rows of a scan are found by, at least; these read all stays of some premises, and the sweeps those of an organization. */
const WHOLE: { readonly [name: string]: ReadonlyArray<string> } = {
  COUNT_OPEN: ["organization_id", "place_id"],
  TIME_PER_PERSON: ["organization_id", "place_id"],
  CLOSED_IN_WINDOW: ["organization_id", "place_id", "entered_at"],
  TIME_PER_PERSON_INSIDE: ["organization_id", "place_id"],
  ABANDON: ["organization_id"],
  FORGET_ACCESSES: ["organization_id", "place_id"],
  INSIDE: ["organization_id", "place_id"],
  START: ["organization_id"],
  PEOPLE: ["organization_id"],
  SOME_PEOPLE: ["organization_id"],
  COUNT_PEOPLE: ["organization_id"],
  FREEZE_PEOPLE: ["organization_id"],
  CHANGES: ["organization_id"],
  COUNTS: ["organization_id"]
}

/** The indexes that windows are read with, whose costs are those of their answers. */
const INDEXES: { readonly [name: string]: RegExp } = {
  CLOSED_IN_WINDOW: /entered_at_id/,
  CLOSED_IN_WINDOW_BY_PEOPLE: /person_entered_at/,
  TIME_PER_PERSON_INSIDE: /entered_at_id|width_bucket/
}

interface Node {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Index Cond"?: string
  /** On average, each time that it ran. These two are there where the statement was run. */
  readonly "Actual Rows"?: number
  readonly "Actual Loops"?: number
  readonly Plans?: ReadonlyArray<Node>
}

const nodesOf = (node: Node): ReadonlyArray<Node> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** The scans of stays, and of their counts. */
const scansOf = (plan: Node): ReadonlyArray<Node> =>
  nodesOf(plan).filter(
    (node) =>
      /^((open_)?stay|stay_(first|rest|\d+)|presence_totals|pending_change)$/.test(node["Relation Name"] ?? "") &&
      node["Node Type"].endsWith("Scan")
  )

/** What the stays are found by, in each scan of them. */
const conditionsOf = (plan: Node): ReadonlyArray<string> =>
  scansOf(plan).map((scan) =>
    nodesOf(scan)
      .flatMap((node) => node["Index Cond"] ?? [])
      .join(" ")
  )

/** How many stays were found. */
const foundIn = (plan: Node): number =>
  scansOf(plan).reduce((sum, scan) => sum + scan["Actual Rows"]! * scan["Actual Loops"]!, 0)

/** The columns of a condition that are compared. */
const columnsOf = (condition: string): ReadonlyArray<string> =>
  [...condition.matchAll(/\(([a-z_]+) (?:=|>)/g)].map(([, column]) => column!)

/** The plan of a statement on these parameters, as a session keeps it; to be run on one session. */
const explain = Effect.fnUntraced(function* (text: string, parameters: string, option: "analyze" | "costs") {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`prepare asked as ${text}`)
  const [row] = yield* sql.unsafe<{ readonly "QUERY PLAN": ReadonlyArray<{ readonly Plan: Node }> }>(
    `explain (${option}, format json) execute asked(${parameters})`
  )
  yield* sql.unsafe("deallocate asked")
  return row!["QUERY PLAN"][0]!.Plan
})

/** As many nulls as a statement has parameters. */
const nullsFor = (text: string): string => {
  const parameters = Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)))
  return Array.from({ length: parameters }, () => "null").join(", ")
}

const checkAll = Effect.fnUntraced(function* (when: string) {
  const sql = yield* SqlClient.SqlClient
  const checked = yield* sql.withTransaction(
    Effect.forEach(STATEMENTS, ([name, text]) =>
      Effect.map(explain(text, nullsFor(text), "costs"), (plan) => {
        const conditions = conditionsOf(plan)
        for (const { "Index Name": index } of scansOf(plan)) {
          assert.match(index ?? "", INDEXES[name] ?? /.*/, `${when}: ${name}`)
        }
        for (const condition of conditions) {
          const columns = columnsOf(condition)
          const isOne =
            columns.includes("organization_id") &&
            columns.includes("place_id") &&
            (columns.includes("id") || columns.includes("person"))
          const isWhole = WHOLE[name]?.every((column) => columns.includes(column)) === true
          assert.isTrue(isOne || isWhole, `${when}: ${name} finds stays by ${condition || "nothing"}`)
        }
        return conditions.length
      })
    )
  )
  assert.isAbove(checked.filter((count) => count > 0).length, STATEMENTS.length / 2)
})

/** The number of open stays, and of closed ones, at the premises of the readings below. Every second has a person. */
const CROWD = 100

/** So many stays that are open, and as many that are closed. */
const come = (count: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const person = "case n % 2 when 0 then 'person ' || n end"
    yield* sql.unsafe(`insert into stay select 1, 0, n, ${person}, now(), now() from generate_series(1, ${count}) n`)
    yield* sql.unsafe(
      `insert into open_stay select 1, 0, n, ${person}, 0, now(), now() from generate_series(1, ${count}) n`
    )
    yield* sql`insert into pending_change (organization_id, place_id, entered, at) values (1, 0, ${count}::int, now())`
  })

/**
 * Readings, and how many stays or counts each reads for a reader who may know them. A counter reads what is recorded of the whole
 * crowd. Two readings of one counter count once.
 */
const READINGS: ReadonlyArray<
  readonly [name: string, text: string, parameters: (who: string) => string, found: number]
> = [
  ["COUNT_OPEN", COUNT_OPEN, (who) => `array[1, 1], array[0, 0], array['nobody', '${who}'], array[null, null]`, 1],
  [
    "COUNT_OPEN, both",
    COUNT_OPEN,
    (who) => `array[1, 1], array[0, 0], array['${who}', '${who}'], array[null, null]`,
    1
  ],
  ["COUNT_OPEN, one", COUNT_OPEN, (who) => `array[1], array[0], array['${who}'], array[null]`, 1],
  [
    "COUNT_OPEN, a display",
    COUNT_OPEN,
    // The level of a display of the organization, or of none.
    (who) => `array[1], array[0], array[null], array[${who === "reader" ? "'viewer'" : "null"}]`,
    1
  ],
  ["TIME_PER_PERSON", TIME_PER_PERSON, (who) => `1, 0, '${who}'`, CROWD / 2],
  ["CLOSED_BY_PEOPLE", CLOSED_BY_PEOPLE, (who) => `1, 0, '${who}', array['person 2', 'person 4']`, 2],
  ["CLOSED_BY_USER", CLOSED_BY_USER, (who) => `1, 0, '${who}', 'person 2'`, 1],
  ["CLOSED_IN_WINDOW", CLOSED_IN_WINDOW, (who) => `1, 0, '${who}', false, '2020-01-01', 0, '9999-01-01', 10, 100`, 10],
  [
    "CLOSED_IN_WINDOW, none",
    CLOSED_IN_WINDOW,
    (who) => `1, 0, '${who}', true, '9999-01-01', 0, '9999-01-02', 10, 100`,
    0
  ],
  [
    "CLOSED_IN_WINDOW_BY_PEOPLE",
    CLOSED_IN_WINDOW_BY_PEOPLE,
    (who) => `1, 0, '${who}', true, '2020-01-01', 0, '9999-01-01', 10, 100, array['person 2', 'person 4']`,
    2
  ],
  ["TIME_PER_PERSON_INSIDE", TIME_PER_PERSON_INSIDE, (who) => `1, 0, '${who}', '2020-01-01', '9999-01-01'`, CROWD / 2]
]

shared(layerPostgres, { excludeTestServices: true })((it) => {
  it.effect("finds stays by their keys, whatever the tables held when the plan was made", () =>
    onEmpty(
      Effect.gen(function* () {
        yield* migrate
        yield* checkAll("new")
        const sql = yield* SqlClient.SqlClient
        yield* sql.unsafe("vacuum analyze")
        yield* checkAll("empty")
        for (const count of [1, 3, 100]) {
          yield* sql.unsafe("truncate stay, open_stay")
          yield* come(count)
          yield* checkAll(`${count}, not looked at`)
          yield* sql.unsafe("vacuum analyze")
          yield* checkAll(`${count}`)
        }
        for (const partition of ["a", "b"]) {
          const from = partition === "a" ? 1_000_000 : 2_000_000
          yield* sql.unsafe(`create table stay_${from} partition of stay for values from (${from}) to (${from + 1000})`)
          yield* checkAll(`${partition}, not looked at`)
          yield* sql.unsafe("vacuum analyze")
          yield* checkAll(`partition ${partition}`)
        }
      })
    )
  )

  it.effect("prepares no partition for a list that asks for nothing in it", () =>
    onEmpty(
      Effect.gen(function* () {
        yield* migrate
        const sql = yield* SqlClient.SqlClient
        for (const from of [1000, 2000, 3000]) {
          yield* sql.unsafe(`create table stay_${from} partition of stay for values from (${from}) to (${from + 1000})`)
        }
        const partitionsOf = (...ids: ReadonlyArray<number>) => {
          const parameters = `array[1], array[0], array[${ids}], array[${ids.map(() => 1)}], ${Math.min(...ids)}, ${Math.max(...ids)}`
          return Effect.map(
            sql.withTransaction(explain(CLOSED_BY_IDS, parameters, "costs")),
            (plan) => new Set(scansOf(plan).map((scan) => scan["Relation Name"]))
          )
        }
        assert.deepStrictEqual(yield* partitionsOf(3100, 3002), new Set(["stay_3000"]))
        assert.deepStrictEqual(yield* partitionsOf(1999, 2000), new Set(["stay_1000", "stay_2000"]))
        assert.deepStrictEqual(yield* partitionsOf(12), new Set(["stay_first"]))
      })
    )
  )

  it.effect("finds the parts of a moved place by their keys, also in a table that was not looked at", () =>
    onEmpty(
      Effect.gen(function* () {
        yield* migrate
        const sql = yield* SqlClient.SqlClient
        yield* insertOrganization(1)
        yield* sql`insert into place (organization_id, tracking_area, west, east, south, north, area_points)
          select 1, '{}', 0, 0, 0, 0, 5 from generate_series(1, 2000)`
        const plan = yield* sql.withTransaction(explain(SET_POSITIONS, nullsFor(SET_POSITIONS), "costs"))
        const conditions = nodesOf(plan).flatMap((node) => node["Index Cond"] ?? [])
        assert.isTrue(conditions.length === 1 && columnsOf(conditions[0]!).includes("id"), conditions.join())
      })
    )
  )

  it.effect("finds devices by the hashes of their tokens, also of former ones", () =>
    onEmpty(
      Effect.gen(function* () {
        yield* migrate
        const sql = yield* SqlClient.SqlClient
        const plan = yield* sql.withTransaction(explain(BY_TOKENS, nullsFor(BY_TOKENS), "costs"))
        const conditions = nodesOf(plan).flatMap((node) => node["Index Cond"] ?? [])
        assert.deepStrictEqual(conditions.flatMap(columnsOf), ["token_hash", "former_hash"])
      })
    )
  )

  it.effect("reads no stay for a reader who may not know it", () =>
    onEmpty(
      Effect.gen(function* () {
        yield* migrate
        const sql = yield* SqlClient.SqlClient
        yield* insertOrganization(1, "authenticated")
        yield* sql`insert into administrator_account (administrator_id) values ('reader')`
        yield* sql`insert into permission (organization_id, administrator_id, level, nominated_by)
        values (1, 'reader', 'viewer', 'reader')`
        yield* sql`insert into account_link values (1, 'reader', 'person 2'), (1, 'another', 'person 4')`
        yield* come(CROWD)
        yield* sql.unsafe("vacuum analyze")
        for (const [name, text, parameters, found] of READINGS) {
          const findFor = (who: string) =>
            sql.withTransaction(Effect.map(explain(text, parameters(who), "analyze"), foundIn))
          assert.strictEqual(yield* findFor("reader"), found, `${name}, by a reader`)
          for (const who of ["stranger", "another"]) assert.strictEqual(yield* findFor(who), 0, `${name}, by ${who}`)
        }
      })
    )
  )
})
