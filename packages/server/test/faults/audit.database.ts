/** Audits the rows of the database: nothing that clients were acknowledged is lost, doubled or changed. */
import { type DatabaseAddress, layerClient } from "@sojourn/adapter-postgres"
import { Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { type Ledger, nameOf, type Stay } from "./Ledger.ts"
import type { Premises } from "./town.ts"

interface OpenRow {
  readonly organization_id: bigint
  readonly place_id: bigint
  readonly id: bigint
  readonly person: string | null
  readonly entered_at: Date
}

interface ClosedRow extends OpenRow {
  readonly exited_at: Date
}

/** Runs a statement on the database, and returns its rows. */
export const query = <Row extends object>(address: DatabaseAddress, statement: string): Promise<ReadonlyArray<Row>> =>
  Effect.runPromise(
    SqlClient.SqlClient.use((sql) => sql.unsafe<Row>(statement)).pipe(
      Effect.provide(layerClient(address, { maxConnections: 1 }))
    )
  )

/** Runs statements on the database, one after the other. */
export const execute = async (address: DatabaseAddress, statements: ReadonlyArray<string>): Promise<void> => {
  for (const statement of statements) await query(address, statement)
}

/** The statements of a trigger that spoils what a database keeps, for the rows of a condition. */
export const trigger = (event: string, body: string, condition = "true"): ReadonlyArray<string> => [
  `create function spoil() returns trigger language plpgsql as 'begin ${body} end'`,
  `create trigger spoil before ${event} for each row when (${condition}) execute function spoil()`
]

const isOf = ({ organization_id, place_id }: OpenRow, { kind, id, organizationId }: Premises) =>
  Number(organization_id) === organizationId && Number(place_id) === (kind === "place" ? id : 0)

/** Whether a row equals the acknowledged entrance. */
const isEntrance = (row: OpenRow, stay: Stay) =>
  isOf(row, stay.premises) &&
  (row.person ?? undefined) === stay.person &&
  row.entered_at.toISOString() === stay.entrance

/**
 * Compares the ledger with the rows of the database, while no request is in flight: every acknowledged movement is stored
 * as it was answered, and no other stay of these organizations is stored.
 */
export const auditDatabase = async (
  address: DatabaseAddress,
  ledger: Ledger,
  premises: ReadonlyArray<Premises>
): Promise<void> => {
  const STAY = "organization_id, place_id, id, person, entered_at"
  const openRows = await query<OpenRow>(address, `select ${STAY} from open_stay`)
  const closedRows = await query<ClosedRow>(address, `select ${STAY}, exited_at from stay`)
  const organizations = new Set(premises.map(({ organizationId }) => organizationId))
  const isOfTown = (row: OpenRow) => organizations.has(Number(row.organization_id))
  const [open, closed] = [openRows.filter(isOfTown), closedRows.filter(isOfTown)]
  const openIds = new Map(open.map((row) => [row.id, row]))
  const closedIds = new Map(closed.map((row) => [row.id, row]))
  if (openIds.size < open.length || closedIds.size < closed.length) ledger.fault("doubled", "one stay has two rows")

  for (const [id, stay] of ledger.open) {
    const row = openIds.get(id)
    if (row === undefined) ledger.fault("lost", `the entrance of stay ${id} at ${nameOf(stay.premises)}`)
    else if (!isEntrance(row, stay)) ledger.fault("wrong", `stay ${id} is not open as it was acknowledged`)
  }
  for (const [id, stay] of ledger.closed) {
    const row = closedIds.get(id)
    if (row === undefined) ledger.fault("lost", `the exit of stay ${id} from ${nameOf(stay.premises)}`)
    else if (!isEntrance(row, stay) || row.exited_at.toISOString() !== stay.exit) {
      ledger.fault("wrong", `stay ${id} is not closed as it was acknowledged`)
    }
  }
  for (const id of ledger.attributed.keys())
    if (!openIds.has(id)) ledger.fault("lost", `the open stay ${id} whose token no client has`)

  for (const row of open) {
    if (closedIds.has(row.id)) ledger.fault("doubled", `stay ${row.id} is open and closed`)
    if (ledger.open.has(row.id) || ledger.closed.has(row.id) || ledger.attributed.has(row.id)) continue
    const where = premises.find((one) => isOf(row, one))
    const isExplained = row.person === null && where !== undefined && ledger.explains(row.id, where)
    if (!isExplained) ledger.fault("doubled", `stay ${row.id} is open, and no client entered`)
  }
  for (const { id } of closed) {
    if (!ledger.closed.has(id)) ledger.fault("doubled", `stay ${id} is closed, and no client left`)
  }
  ledger.forgetUnanswered()
}
