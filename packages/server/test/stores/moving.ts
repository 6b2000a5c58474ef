/** Cells in PostgreSQL that organizations move between, and servers on them, for tests. */
import {
  type DatabaseAddress,
  type DatabaseOptions,
  layer as layerPostgres,
  type MoveStep
} from "@sojourn/adapter-postgres"
import {
  AdministratorId,
  type CellNumber,
  HistoryStore,
  Mail,
  type OrganizationId,
  OrganizationPremises,
  OrganizationStore,
  parseTrackingArea,
  PermissionStore,
  PresenceFeed,
  type RetryKey,
  type StayId,
  StayLog,
  type Stores,
  Timestamp,
  type TrackingMode,
  UserId,
  vouchedAccount
} from "@sojourn/core"
import { type Cell, storesOverMovingCells } from "@sojourn/service"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as SqlClient from "effect/sql/SqlClient"
import { NUMBERS } from "./cells.ts"
import { aDatabase } from "./database.ts"

/** Where a cell of a test is. */
export interface CellPlace extends DatabaseOptions {
  readonly number: CellNumber
  readonly address: DatabaseAddress
}

/** Three cells: schemas of one database, or two of them, and a database of its own. */
export const places = Effect.fnUntraced(function* (databases: "one database" | "two databases") {
  const first = yield* aDatabase
  const second = databases === "one database" ? first : yield* aDatabase
  return NUMBERS.map((number, n): CellPlace => ({
    number,
    address: n === 1 ? second : first,
    schema: n === 0 ? undefined : `cell_${number}`
  }))
})

/** A cell with the client of its database. */
export type OpenCell = Cell & { readonly sql: SqlClient.SqlClient }

/** The stores of all cells, on connections of their own, until the scope ends. New organizations go to the home cell. */
export const open = Effect.fnUntraced(function* (found: ReadonlyArray<CellPlace>, maxConnections = 5) {
  const cells = yield* Effect.forEach(found, ({ number, address, ...options }) =>
    Effect.map(
      Layer.build(Layer.fresh(layerPostgres(address, { ...options, cell: number, maxConnections }))),
      (stores): OpenCell => ({
        number,
        weight: number === 0 ? 1 : 0,
        stores,
        sql: Context.get(stores, SqlClient.SqlClient)
      })
    )
  )
  const [home, ...others] = cells
  return [home!, ...others] as const
})

/** A server: the stores over its own connections to all cells. */
export const aServer = (found: ReadonlyArray<CellPlace>) => Effect.flatMap(open(found), storesOverMovingCells)

export const OWNER = { administratorId: AdministratorId.make("owner"), mail: Mail.make("owner@example.org") }

export const AREA = Result.getOrThrow(
  parseTrackingArea('{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1],[0,0]]]}')
)

export const create = (name: string, trackingMode: TrackingMode = "anonymous") =>
  OrganizationStore.use((store) =>
    store.create({
      organization: { name, trackingArea: AREA, trackingMode },
      owner: OWNER,
      now: Timestamp(Date.UTC(2026, 2, 1)),
      decide: (accounts) => vouchedAccount(OWNER, accounts)
    })
  )

/** The steps of a move. */
export const MOVE_STEPS: ReadonlyArray<MoveStep> = [
  "announced",
  "copied",
  "held",
  "captured",
  "arrived",
  "left",
  "completed",
  "cleared"
]

/** Cuts a move off at a step. */
export const cutOffAt = (last: MoveStep) => (step: MoveStep) => (step === last ? Effect.die("cut off") : Effect.void)

/** The tables in which a cell has rows of an organization, with their number. */
export const rowsIn = Effect.fnUntraced(function* ({ sql }: OpenCell, organizationId: bigint) {
  const tables = yield* sql<{ readonly name: string; readonly column: string }>`
    select c.relname::text as name, a.attname::text as column
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = quote_ident(current_schema())::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and (a.attname = 'organization_id' or (c.relname = 'organization' and a.attname = 'id'))
      and c.relname not in ('departure', 'arrival')
    order by 1`
  const found: Record<string, number> = {}
  for (const { name, column } of tables) {
    const [row] = yield* sql<{ readonly n: bigint }>`
      select count(*) as n from ${sql(name)} where ${sql(column)} = ${organizationId}`
    if (row!.n > 0n) found[name] = Number(row!.n)
  }
  return found
})

/** Use of an organization by a server. */
export const visitorsOf = (server: Context.Context<Stores>, organizationId: OrganizationId) => {
  const premises = OrganizationPremises(organizationId)
  const userId = UserId.make("somebody")
  const claim = { timestamp: undefined, orgAuthServerId: undefined, now: Timestamp(Date.now()) }
  const on = <A, E>(effect: Effect.Effect<A, E, Stores>) => Effect.provide(effect, server)
  return {
    enter: (key?: string) => {
      const retryKey = Option.fromUndefinedOr(key as RetryKey | undefined)
      return on(StayLog.use((log) => log.open({ premises, userId, claim, keyId: 1, retryKey })))
    },
    leave: (id: bigint) =>
      on(StayLog.use((log) => log.close({ premises, stay: { organizationId, stayId: id as StayId }, userId, claim }))),
    publish: on(PresenceFeed.use((feed) => feed.publish(Timestamp(Date.now())))),
    snapshot: on(PresenceFeed.use((feed) => feed.snapshots([organizationId]))),
    eventsAfter: (version: number) =>
      on(PresenceFeed.use((feed) => feed.eventsAfter([{ organizationId, version }], 500))),
    count: on(StayLog.use((log) => log.countOpen(OWNER.administratorId, premises))),
    named: (name: string) => on(OrganizationStore.use((store) => store.findByName(name))),
    listed: on(OrganizationStore.use((store) => Effect.map(store.list(), ({ items }) => items.length))),
    owned: on(PermissionStore.use((store) => store.listByAdministrator(OWNER.administratorId)))
  }
}

/** Publishes the events of cells, and adds them to the history, as servers do. */
export const publishing = (cells: ReadonlyArray<Cell>) =>
  Effect.forEach(
    cells,
    ({ stores }) =>
      Effect.forever(
        Effect.gen(function* () {
          yield* Effect.ignore(Context.get(stores, PresenceFeed).publish(Timestamp(Date.now())))
          yield* Effect.ignore(Context.get(stores, HistoryStore).rollUp(500))
          yield* Effect.sleep("20 millis")
        })
      ),
    { concurrency: "unbounded", discard: true }
  )
