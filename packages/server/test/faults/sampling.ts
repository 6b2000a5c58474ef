/** Compares feeds with open stays in snapshots of a database under load, for the test and `npm run feed-snapshots`. */
import { type DatabaseAddress, layerClient } from "@sojourn/adapter-postgres"
import { Random } from "@sojourn/testing"
import { Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { execute } from "./audit.database.ts"
import { endStays } from "./endings.ts"
import { COUNT_VIOLATIONS } from "./feedViolations.ts"
import type { Fault } from "./Ledger.ts"
import { serverGroup } from "./ServerGroup.ts"

/** How many servers move the same premises. */
const SERVERS = 3

export interface Options {
  readonly snapshots: number
  readonly seed: number
  /** Statements that break what the database guarantees, to prove that a snapshot shows it. */
  readonly sabotage?: ReadonlyArray<string>
  readonly say?: (line: string) => void
}

export interface Report {
  readonly snapshots: number
  /** The snapshots with pending changes, and those that differ from the one before. */
  readonly pending: number
  readonly distinct: number
  /** What each violation was, once for each snapshot and premises. */
  readonly violations: ReadonlyArray<string>
  readonly acknowledged: number
  /** How often stays were ended in each way. */
  readonly endings: Readonly<Record<string, number>>
  readonly events: number
  readonly faults: ReadonlyArray<Fault>
}

interface Violation {
  readonly organization_id: bigint
  readonly place_id: bigint
  readonly open: number
  readonly published: number
  readonly pending: number
}

interface State {
  readonly pending: bigint
  readonly events: bigint
}

const STATE = `
select (select count(*) from pending_change) as pending,
  (select coalesce(sum(version), 0)::bigint from presence_feed) as events`

/** Takes snapshots one after the other, each in a transaction that sees one moment. */
const takeSnapshots = (address: DatabaseAddress, snapshots: number, say: (line: string) => void) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const violations: Array<string> = []
    let pending = 0
    let distinct = 0
    let last: string | undefined
    for (let n = 1; n <= snapshots; n++) {
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`set transaction isolation level repeatable read, read only`
          for (const one of yield* sql.unsafe<Violation>(COUNT_VIOLATIONS)) {
            const where = `organization ${one.organization_id}, place ${one.place_id}`
            violations.push(
              `snapshot ${n}: ${where}: ${one.open} open, ${one.published} published, ${one.pending} pending`
            )
          }
          const [state] = yield* sql.unsafe<State>(STATE)
          if (state!.pending > 0n) pending++
          const text = `${state!.pending} ${state!.events}`
          if (text !== last) distinct++
          last = text
        })
      )
      if (n % 1000 === 0) say(`${n} snapshots, ${violations.length} violations`)
    }
    return { pending, distinct, violations, events: Number(last?.split(" ")[1]) }
  }).pipe(Effect.provide(layerClient(address, { maxConnections: 1 })), Effect.runPromise)

/** Lets a crowd move on several servers of one database, and looks at snapshots of the database meanwhile. */
export const sampleFeeds = async ({ snapshots, seed, sabotage = [], say = () => {} }: Options): Promise<Report> => {
  const random = new Random(seed)
  const group = await serverGroup()
  try {
    const servers = Array.from({ length: SERVERS }, () => group.start("--sweep-interval", "1s"))
    const baseUrls = await Promise.all(servers.map(({ listening }) => listening))
    let turn = 0
    const baseUrl = () => baseUrls[turn++ % baseUrls.length]
    const scene = await group.makeScene({ baseUrl, random, crowd: 40, companies: 3, keyed: 0.3, isManaged: true })
    const { client, crowd, ledger, tolerated } = scene
    // The load is more than a slow machine serves: clients retry, and this is about the feeds.
    tolerated.mayRefuse = true
    const database = group.database()
    await execute(database, sabotage)
    const state = { isOver: false }
    crowd.start()
    const ending = endStays(
      { client, baseUrl, key: await group.key(), random: new Random(random.below(2 ** 32)), database },
      () => state.isOver
    )
    const sampled = await takeSnapshots(database, snapshots, say)
    state.isOver = true
    const endings = await ending
    await crowd.settle()
    if (sabotage.length === 0) await scene.audit(database)
    await scene.close()
    return { snapshots, ...sampled, endings, acknowledged: ledger.acknowledged(), faults: ledger.faults }
  } finally {
    await group.close()
  }
}
