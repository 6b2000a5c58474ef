import {
  admit,
  type IdentityNotOwn,
  type MovementFacts,
  type NotLinked,
  type Opened,
  type Opening,
  PremisesNotFound,
  RETRY_KEY_LIFETIME,
  type TimestampInFuture
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Columns } from "../database/columns.ts"
import { Overtaken } from "../database/Database.ts"
import { factsOf, type MovedRow, timestampOf } from "./facts.ts"
import type { Modes } from "./TrackingModeCache.ts"
import type { PremisesKey } from "../database/PremisesDirectory.ts"
import type { Whose } from "./stays.sql.ts"

/** An entrance, and where it is in every table. */
export interface LocatedOpening extends PremisesKey {
  readonly _tag: "Opening"
  readonly opening: Opening
}

export type OpeningRefusal = PremisesNotFound | NotLinked | IdentityNotOwn | TimestampInFuture

const LIFETIME = PgTypes.interval({ months: 0, days: 0, microseconds: BigInt(RETRY_KEY_LIFETIME) * 1000n })

/** For the time alone: whoever the facts say it is, a time that no rule admits is not written. */
const NOBODY: MovementFacts = { mode: "anonymous", linked: Option.none() }

/** When the stay begins that an entrance may open; none, if no rule admits the time. */
const entranceOf = ({ claim }: Opening) =>
  Result.match(admit(NOBODY, claim), { onFailure: () => null, onSuccess: ({ entrance }) => entrance })

/** Is it an entrance of nobody that meets nothing which was there, as far as is known? */
export const isNobodysOpening = ({ organizationId, opening }: LocatedOpening, modes: Modes): boolean =>
  Option.isNone(opening.retryKey) && modes.isAnonymous(organizationId)

/** The parameters of a statement's entrances. */
export const openingParameters = (
  asked: ReadonlyArray<LocatedOpening>,
  whose: Whose,
  { bigints, instants, smallints, texts }: Columns
): ReadonlyArray<unknown> => {
  if (whose === "none") return []
  const organizations = bigints(asked, ({ organizationId }) => organizationId)
  const places = bigints(asked, ({ placeId }) => placeId)
  const keys = smallints(asked, ({ opening }) => opening.keyId)
  const entrances = instants(asked, ({ opening }) => entranceOf(opening))
  const nows = instants(asked, ({ opening }) => opening.claim.now)
  if (whose === "nobody") return [organizations, places, keys, entrances, nows]
  return [
    organizations,
    places,
    texts(asked, ({ opening }) => opening.userId),
    texts(asked, ({ opening }) => opening.claim.orgAuthServerId),
    keys,
    entrances,
    nows,
    texts(asked, ({ opening }) => Option.getOrUndefined(opening.retryKey)),
    LIFETIME
  ]
}

/** What came of an entrance. */
export const openingOutcome = (
  { organizationId, opening }: LocatedOpening,
  row: MovedRow | undefined,
  whose: Whose
): Exit.Exit<Opened, OpeningRefusal | Overtaken> => {
  const { premises, claim, keyId } = opening
  if (row === undefined) return Exit.fail(new PremisesNotFound({ premises }))
  // The organization knows people since then: whether the user is one of them was not asked.
  if (whose === "nobody" && factsOf(row).mode !== "anonymous") return Exit.fail(new Overtaken())
  const admitted = admit(factsOf(row), claim)
  if (Result.isFailure(admitted)) return Exit.fail(admitted.failure)
  const { id = null, person, key_id: earlierKey = null, entered_at: earlierEntrance = null } = row
  const { is_written: isWritten = true } = row
  const isEarlier = earlierKey !== null && earlierEntrance !== null
  if (id === null || (!isEarlier && isWritten !== true)) return Exit.fail(new Overtaken())
  return Exit.succeed({
    id,
    organizationId,
    premises,
    orgAuthServerId: person ?? undefined,
    keyId: isEarlier ? earlierKey : keyId,
    entrance: isEarlier ? timestampOf(earlierEntrance) : admitted.success.entrance
  })
}
