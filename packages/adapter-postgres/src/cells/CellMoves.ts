/**
 * What servers know of the moves of organizations out of a cell: which organizations they hold the requests of, and what left the cell.
 *
 * A server looks at each cell again and again. Who moves an organization writes a row of `moving_organization`, and waits until all servers that
 * looked at the cell lately have acknowledged it: they hold the requests of the organization, and none is being answered. Once the row is
 * gone, `departure` says whether the organization left.
 */
import { CellNumber, OrganizationId, type StoreError } from "@sojourn/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { arrays } from "../database/columns.ts"
import type { Database } from "../database/Database.ts"
import { type Listen, notificationsOf } from "../database/notifications.ts"
import type { Storing } from "../database/Storing.ts"
import { clearLeft } from "./clearing.ts"
import { IDS, MOVED_KINDS, MOVING_HOLDER } from "./moving.sql.ts"

/** What an organization has that requests name by its id. */
export type MovedKind = (typeof MOVED_KINDS)[number]

/** An id of an organization. */
export interface MovedId {
  readonly kind: MovedKind
  readonly id: bigint
}

/** An organization that is about to leave a cell: its requests are to be held. */
export interface MovingOrganization {
  readonly organizationId: OrganizationId
  /** Which attempt to move it this is. */
  readonly attempt: string
}

/**
 * An organization that left a cell. It may be back: then a cell that it left by a move of a higher number leads here.
 */
export interface Departure {
  readonly organizationId: OrganizationId
  readonly cell: CellNumber
  /** The number of the move of the organization, which rises with each. */
  readonly number: bigint
  /** Whether its history in the cell is deleted. */
  readonly isCleared: boolean
}

/** An organization whose move to a cell is not complete. */
export interface Arrival extends Pick<Departure, "organizationId" | "number"> {
  /** Whether the move began more than a day ago: a copy that is still not complete is left over. */
  readonly isOld: boolean
}

/** What a server sees in a cell, as of one moment. */
export interface SeenMoves {
  readonly moving: ReadonlyArray<MovingOrganization>
  readonly departures: ReadonlyArray<Departure>
  /** The organizations whose move to this cell is not complete. */
  readonly arriving: ReadonlyArray<Arrival>
}

/** The moves of organizations out of a cell in PostgreSQL, for servers. */
export class CellMoves extends Context.Service<
  CellMoves,
  {
    /** Says that the server is there, and which attempts it holds requests for with none being answered; then answers what there is. */
    readonly look: (server: string, acknowledged: ReadonlyArray<string>) => Effect.Effect<SeenMoves, StoreError>
    /** Says that the server has ended. */
    readonly leave: (server: string) => Effect.Effect<void, StoreError>
    /** The ids of an organization that is in this cell. */
    readonly idsOf: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<MovedId>, StoreError>
    /** The ids of an organization that left this cell. */
    readonly departedIdsOf: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<MovedId>, StoreError>
    /** Sends the webhooks of an organization whose move to this cell is decided. Until then it may be a copy. */
    readonly complete: (arrival: Pick<Arrival, "organizationId" | "number">) => Effect.Effect<void, StoreError>
    /** Deletes the history of an organization that left this cell, unless it comes back. Any number of servers may, also beside the process that moved it. */
    readonly clear: (organizationId: OrganizationId) => Effect.Effect<void, StoreError>
    /** Emits when the moves change; nothing where nothing is listened to. */
    readonly notifications: Stream.Stream<void, StoreError>
  }
>()("@sojourn/adapter-postgres/CellMoves") {}

/** For how long a server counts that does not look any more, as one that crashed. It is longer than a server goes on without having looked. */
export const SERVER_LIFETIME = "10 seconds"

const CHANNEL = "'sojourn_moves_' || hashtext(current_schema())"

/** Tells all servers that the moves have changed, once the transaction commits. */
export const NOTIFY = `select pg_notify(${CHANNEL}, '')`

const SEEN = `
insert into cell_server (id, seen_at, acknowledged) values ($1::text, clock_timestamp(), $2::text[])
on conflict (id) do update set seen_at = excluded.seen_at, acknowledged = excluded.acknowledged`

/** Deletes the rows of moves that have ended: one that goes on has locked its row. */
const EXPIRE = `
delete from moving_organization where organization_id = any(array(
  select organization_id from moving_organization where deadline < clock_timestamp() for update skip locked
))`

/** All of it is of one moment: an organization is seen as moving until it is seen as departed. */
const READ = `
select 'moving' as what, organization_id, attempt, cell, null::bigint as number, deadline < clock_timestamp() as is_expired, null as is_cleared
from moving_organization
union all select 'departure', organization_id, null, cell, number, false, is_cleared from departure where kind = 'organization'
union all select 'arriving', organization_id, null, 0, number, announced_at < clock_timestamp() - interval '1 day', null
from arrival where not is_complete`

const DEPARTED_IDS = "select kind, id from departure where organization_id = $1::bigint"

const COMPLETE = `
with complete as (
  update arrival set is_complete = true where organization_id = $1::bigint and number = $2::bigint returning organization_id
)
update webhook w set holder = null, leased_until = null from complete c
where w.organization_id = c.organization_id and holder = '${MOVING_HOLDER}'`

interface MovesRow {
  readonly what: keyof SeenMoves | "departure"
  readonly organization_id: bigint
  readonly attempt: string | null
  readonly cell: number
  readonly number: bigint | null
  readonly is_expired: boolean
  readonly is_cleared: boolean | null
}

const databases = new WeakMap<CellMoves["Service"], Database>()

/** The database of a cell, for who moves organizations between two. */
export const databaseOf = (moves: CellMoves["Service"]): Database => databases.get(moves)!

export const makeCellMoves = (db: Database, storing: Storing, listen: Listen): CellMoves["Service"] => {
  const read = db.run<MovesRow>(READ, [])
  const ids = (name: string, statement: string) => (organizationId: OrganizationId) =>
    storing(name, db.run<MovedId>(statement, [organizationId]))
  const moves: CellMoves["Service"] = {
    look: (server, acknowledged) =>
      storing.gen("look at the moves of a cell", function* () {
        // In this order: who moves an organization writes its row, and then reads the servers.
        yield* db.run(SEEN, [server, arrays.texts(acknowledged, (attempt) => attempt)])
        let rows = yield* read
        if (rows.some(({ what, is_expired }) => what === "moving" && is_expired)) {
          yield* db.run(EXPIRE, [])
          rows = yield* read
        }
        const of = (what: MovesRow["what"]) => rows.filter((row) => row.what === what)
        const organizationOf = (row: MovesRow) => OrganizationId.make(row.organization_id)
        return {
          moving: of("moving").map((row) => ({ organizationId: organizationOf(row), attempt: row.attempt! })),
          departures: of("departure").map((row) => ({
            organizationId: organizationOf(row),
            cell: CellNumber.make(row.cell),
            number: row.number!,
            isCleared: row.is_cleared!
          })),
          arriving: of("arriving").map((row) => ({
            organizationId: organizationOf(row),
            number: row.number!,
            isOld: row.is_expired
          }))
        }
      }),
    leave: (server) =>
      storing("leave a cell", Effect.asVoid(db.run("delete from cell_server where id = $1::text", [server]))),
    idsOf: ids("read the ids of an organization", IDS),
    departedIdsOf: ids("read the ids of an organization that left", DEPARTED_IDS),
    complete: ({ organizationId, number }) =>
      storing("complete a move", Effect.asVoid(db.run(COMPLETE, [organizationId, number]))),
    clear: (organizationId) => storing("clear what a move left", clearLeft(db, organizationId)),
    notifications: Stream.map(notificationsOf(db, storing, listen, { channel: CHANNEL, of: "moves" }), () => undefined)
  }
  databases.set(moves, db)
  return moves
}
