import { layerStores } from "@sojourn/adapter-postgres"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { makeCrowd } from "./Crowd.ts"
import { operationsOn } from "./operations.ts"
import type { Population, Site } from "./Population.ts"

/** How a statement finds rows of a table. */
export interface Scan {
  /** Such as `Index Only Scan`. */
  readonly kind: string
  readonly table: string
  /** Every index that it reads. */
  readonly indexes: ReadonlyArray<string>
}

/** How an operation's statement finds its rows, when it is planned once for all parameters. */
export interface Plan {
  readonly operation: string
  readonly scans: ReadonlyArray<Scan>
}

interface Node {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly Plans?: ReadonlyArray<Node>
}

const indexesBelow = (node: Node): ReadonlyArray<string> => [
  ...(node["Index Name"] === undefined ? [] : [node["Index Name"]]),
  ...(node.Plans ?? []).flatMap(indexesBelow)
]

const scansOf = (node: Node): ReadonlyArray<Scan> => {
  const kind = node["Node Type"]
  const table = node["Relation Name"]
  return table !== undefined && kind.endsWith("Scan")
    ? [{ kind, table, indexes: indexesBelow(node) }]
    : (node.Plans ?? []).flatMap(scansOf)
}

interface Prepared {
  readonly name: string
  readonly parameters: number
}

/** The statements that the one session of the client has prepared. */
const prepared = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Prepared>`
    select name, cardinality(parameter_types) as parameters from pg_prepared_statements
    where not from_sql and (statement ~ 'stay' or statement ~ 'organization') and statement !~ 'pg_prepared_statements'`
})

const explain = Effect.fnUntraced(function* ({ name, parameters }: Prepared) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`set local plan_cache_mode = force_generic_plan`
  const values = parameters === 0 ? "" : `(${Array.from({ length: parameters }, () => "null").join(", ")})`
  const [row] = yield* sql.unsafe<{ readonly "QUERY PLAN": unknown }>(
    `explain (format json) execute "${name.replaceAll('"', '""')}"${values}`
  )
  const answer = row!["QUERY PLAN"]
  const [plan] = (typeof answer === "string" ? JSON.parse(answer) : answer) as ReadonlyArray<{ readonly Plan: Node }>
  return scansOf(plan!.Plan)
})

/**
 * How the statements behind each operation find their rows now: the very statements that the stores prepare, on the one
 * session of the client. An operation whose statements were all met before is left out.
 */
export const plans = Effect.fnUntraced(
  function* (population: Population, crowded: Site) {
    const sql = yield* SqlClient.SqlClient
    const met = new Set((yield* prepared).map(({ name }) => name))
    const found: Array<Plan> = []
    const crowd = yield* makeCrowd(population)
    for (const { name: operation, once } of yield* operationsOn(population, crowded, crowd, 1)) {
      yield* once
      const fresh = (yield* prepared).filter(({ name }) => !met.has(name))
      for (const statement of fresh) {
        met.add(statement.name)
        found.push({ operation, scans: yield* sql.withTransaction(explain(statement)) })
      }
    }
    return found
  },
  Effect.provide(Layer.fresh(layerStores))
)

/** Operations that read a table of stays from its beginning to its end. */
export const sequentialScans = (found: ReadonlyArray<Plan>): ReadonlyArray<string> =>
  found.flatMap(({ operation, scans }) =>
    scans.flatMap(({ kind, table }) =>
      kind === "Seq Scan" && ["stay", "open_stay"].includes(table) ? [`${operation}: reads all of ${table}`] : []
    )
  )
