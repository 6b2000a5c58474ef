/** Plans are made once and kept: they are right for a crowd also when they were made while nobody was there. */
import { assert, layer as shared } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { migrate } from "../src/index.ts"
import { ABANDON, FORGET_ACCESSES } from "../src/policies.sql.ts"
import {
  CLOSED_BY_IDS,
  CLOSED_BY_PEOPLE,
  CLOSED_BY_USER,
  COUNT_OPEN,
  COUNT_OPEN_FOR_ONE,
  TIME_PER_PERSON
} from "../src/reads.sql.ts"
import { ALONE, togetherOf } from "../src/stays.sql.ts"
import { emptyDatabase, layerPostgres, on } from "./given.ts"

const WHOSE = ["none", "nobody", "anybody"] as const

/** Every statement that looks for stays while others wait for it. */
const STATEMENTS: ReadonlyArray<readonly [name: string, text: string]> = [
  ...WHOSE.flatMap((opening) =>
    WHOSE.filter((closing) => opening !== "none" || closing !== "none").map(
      (closing) => [`${opening}, ${closing}`, togetherOf(opening, closing)] as const
    )
  ),
  ...Object.entries(ALONE).flatMap(([kind, texts]) =>
    Object.entries(texts).map(([whose, text]) => [`${kind} of ${whose} alone`, text] as const)
  ),
  ...Object.entries({
    CLOSED_BY_IDS,
    CLOSED_BY_PEOPLE,
    CLOSED_BY_USER,
    COUNT_OPEN,
    COUNT_OPEN_FOR_ONE,
    TIME_PER_PERSON
  }),
  ...Object.entries({ ABANDON, FORGET_ACCESSES })
]

/** What the rows of a scan are found by, at least; these read all stays of some premises, and the sweeps those of an organization. */
const WHOLE: { readonly [name: string]: ReadonlyArray<string> } = {
  COUNT_OPEN: ["organization_id", "place_id"],
  COUNT_OPEN_FOR_ONE: ["organization_id", "place_id"],
  TIME_PER_PERSON: ["organization_id", "place_id"],
  ABANDON: ["organization_id"],
  FORGET_ACCESSES: ["organization_id", "place_id"]
}

interface Node {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Cond"?: string
  readonly Plans?: ReadonlyArray<Node>
}

const nodesOf = (node: Node): ReadonlyArray<Node> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** What the stays are found by, in each scan of them. */
const conditionsOf = (plan: Node): ReadonlyArray<string> =>
  nodesOf(plan)
    .filter((node) => /^(open_)?stay$/.test(node["Relation Name"] ?? "") && node["Node Type"].endsWith("Scan"))
    .map((scan) =>
      nodesOf(scan)
        .flatMap((node) => node["Index Cond"] ?? [])
        .join(" ")
    )

/** The columns of a condition that are compared. */
const columnsOf = (condition: string): ReadonlyArray<string> =>
  [...condition.matchAll(/\(([a-z_]+) (?:=|>)/g)].map(([, column]) => column!)

const explain = Effect.fnUntraced(function* (text: string) {
  const sql = yield* SqlClient.SqlClient
  const parameters = Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)))
  yield* sql.unsafe(`prepare asked as ${text}`)
  const nulls = Array.from({ length: parameters }, () => "null").join(", ")
  const [row] = yield* sql.unsafe<{ readonly "QUERY PLAN": ReadonlyArray<{ readonly Plan: Node }> }>(
    `explain (format json) execute asked(${nulls})`
  )
  yield* sql.unsafe("deallocate asked")
  return row!["QUERY PLAN"][0]!.Plan
})

const checkAll = Effect.fnUntraced(function* (when: string) {
  const sql = yield* SqlClient.SqlClient
  const checked = yield* sql.withTransaction(
    Effect.forEach(STATEMENTS, ([name, text]) =>
      Effect.map(explain(text), (plan) => {
        const conditions = conditionsOf(plan)
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

shared(layerPostgres, { timeout: "2 minutes", excludeTestServices: true })((it) => {
  it.effect("finds stays by their keys, whatever the tables held when the plan was made", () =>
    Effect.gen(function* () {
      yield* migrate
      yield* checkAll("new")
      const sql = yield* SqlClient.SqlClient
      yield* sql.unsafe("vacuum analyze")
      yield* checkAll("empty")
      for (const count of [1, 3, 100]) {
        yield* sql.unsafe("truncate stay, open_stay")
        const person = "case n % 2 when 0 then 'person ' || n end"
        yield* sql.unsafe(
          `insert into stay select 1, 0, n, ${person}, now(), now() from generate_series(1, ${count}) n`
        )
        yield* sql.unsafe(
          `insert into open_stay select 1, 0, n, ${person}, 0, now(), now() from generate_series(1, ${count}) n`
        )
        yield* checkAll(`${count}, not looked at`)
        yield* sql.unsafe("vacuum analyze")
        yield* checkAll(`${count}`)
      }
    }).pipe((test) => Effect.flatMap(emptyDatabase, (address) => on(address)(test)))
  )
})
