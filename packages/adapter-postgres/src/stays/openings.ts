/** Entrances as parameters of the statement on movements, and its rows as answers. */
import {
  admit,
  type IdentityNotOwn,
  type MovementFacts,
  type NotLinked,
  type Opened,
  type Opening,
  PremisesNotFound,
  RETRY_KEY_LIFETIME,
  type TimestampInFuture,
  type TimestampTooOld
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Data, Exit, Option, Result } from "effect"
import type { Columns } from "../database/columns.ts"
import { WriteConflict } from "../database/Database.ts"
import { timestampOf } from "../database/rows.ts"
import { factsOf, type MovedRow } from "./facts.ts"
import type { PremisesKey } from "../database/PremisesDirectory.ts"

/** An entrance, with the key of its premises. */
export interface LocatedOpening extends PremisesKey {
  readonly _tag: "Opening"
  readonly opening: Opening
  /** Whether the entrance is part of a transaction that ends other stays. */
  readonly endsOthers?: boolean
}

/** The entrance ends other stays: it was not written, and has to be part of a transaction. */
export class EndsOthers extends Data.TaggedError("EndsOthers") {}

export type OpeningRefusal = PremisesNotFound | NotLinked | IdentityNotOwn | TimestampInFuture | TimestampTooOld

const LIFETIME = PgTypes.interval({ months: 0, days: 0, microseconds: BigInt(RETRY_KEY_LIFETIME) * 1000n })

/** Facts that admit every person: with them `admit` checks the time alone. */
const ANONYMOUS: MovementFacts = { mode: "anonymous", linked: Option.none() }

/** The begin of the stay that an entrance may open; null, if no rule admits the time. */
const entranceOf = ({ claim }: Opening) =>
  Result.match(admit(ANONYMOUS, claim), { onFailure: () => null, onSuccess: ({ entrance }) => entrance })

/** The parameters of entrances for `ENTER_ANONYMOUS`; the other statements have more behind them. */
export const openingParameters = (
  openings: ReadonlyArray<LocatedOpening>,
  { bigints, instants, smallints }: Columns
): ReadonlyArray<unknown> => [
  bigints(openings, ({ organizationId }) => organizationId),
  bigints(openings, ({ placeId }) => placeId),
  smallints(openings, ({ opening }) => opening.keyId),
  instants(openings, ({ opening }) => entranceOf(opening)),
  instants(openings, ({ opening }) => opening.claim.now)
]

/** The parameters of entrances for `MOVE_ANONYMOUS`. */
export const repeatableOpeningParameters = (
  openings: ReadonlyArray<LocatedOpening>,
  columns: Columns
): ReadonlyArray<unknown> => [
  ...openingParameters(openings, columns),
  columns.texts(openings, ({ opening }) => Option.getOrUndefined(opening.retryKey))
]

/** The parameters of entrances for a statement of `identified.sql.ts`. */
export const identifiedOpeningParameters = (
  openings: ReadonlyArray<LocatedOpening>,
  columns: Columns
): ReadonlyArray<unknown> => [
  ...repeatableOpeningParameters(openings, columns),
  columns.texts(openings, ({ opening }) => opening.userId),
  columns.texts(openings, ({ opening }) => opening.claim.orgAuthServerId),
  columns.booleans(openings, ({ endsOthers }) => endsOthers === true),
  LIFETIME
]

/** The outcome of an entrance, from its row. */
export const openingOutcome = (
  { organizationId, opening, endsOthers }: LocatedOpening,
  row: MovedRow | undefined
): Exit.Exit<Opened, OpeningRefusal | EndsOthers | WriteConflict> => {
  const { premises, claim, keyId } = opening
  if (row === undefined) return Exit.fail(new PremisesNotFound({ premises }))
  const admitted = admit(factsOf(row), claim)
  if (Result.isFailure(admitted)) return Exit.fail(admitted.failure)
  if (row.is_exclusive === true && endsOthers !== true && row.is_repeated !== true) return Exit.fail(new EndsOthers())
  const { id = null, person, key_id: earlierKey = null, entered_at: earlierEntrance = null } = row
  const { is_written: isWritten = true } = row
  const isEarlier = earlierKey !== null && earlierEntrance !== null
  if (id === null || (!isEarlier && isWritten !== true)) return Exit.fail(new WriteConflict())
  return Exit.succeed({
    id,
    organizationId,
    premises,
    orgAuthServerId: person ?? undefined,
    keyId: isEarlier ? earlierKey : keyId,
    entrance: isEarlier ? timestampOf(earlierEntrance) : admitted.success.entrance
  })
}
