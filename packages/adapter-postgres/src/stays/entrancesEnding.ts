/** Entrances that end other stays: those of exit tokens that are sent along, and the person's own where places are exclusive. */
import {
  endOfLeftBehind,
  ExitNotMatched,
  isLeftBehind,
  type Opening,
  type OpenStay,
  type OrgAuthServerId,
  type PlaceId,
  settle,
  type StayId,
  type Timestamp
} from "@sojourn/core"
import { Effect } from "effect"
import { arrays } from "../database/columns.ts"
import type { Database } from "../database/Database.ts"
import { type PremisesKey, premisesOf } from "../database/PremisesDirectory.ts"
import { timestampOf } from "../database/rows.ts"
import { byStay, factsOf, type MovedRow, openingOutcome } from "./movements.ts"
import { enterEnding, type LocatedClosing, type LocatedOpening, movementStatement } from "./movementStatement.ts"

/** Locks the link of the user $2, so that the entrances of one person that end others follow each other. */
const LOCK_LINK = `
select from account_link where organization_id = $1::bigint and user_id = $2::text for no key update`

/**
 * The open stays of the organization $1 with the ids $2, and those of the person $3; with the ancestors of the entered place $4. A person is
 * sorted by, so that the plan is by their key: one that was made on an empty table could scan all stays of the place.
 */
export const OTHER_STAYS = `
with premises as materialized (
  select 0::bigint as place_id
  union all
  select id from place where organization_id = $1::bigint
)
select s.place_id, s.id, s.person, s.key_id, s.entered_at, (
  select ancestors from place where organization_id = $1::bigint and id = $4::bigint
) as ancestors
from premises
cross join lateral (
  select * from open_stay where organization_id = $1::bigint and place_id = premises.place_id and id = any($2::bigint[])
  union
  (
    select * from open_stay
    where organization_id = $1::bigint and place_id = premises.place_id and person between $3::text and $3::text
    order by person
    limit 1
  )
) s`

interface OtherRow {
  readonly place_id: bigint
  readonly id: StayId
  readonly person: OrgAuthServerId | null
  readonly key_id: number
  readonly entered_at: Date
  /** Null for the organization as a whole. */
  readonly ancestors: ReadonlyArray<PlaceId> | null
}

/** The closing of an open stay at a time. */
const closingAt = (stay: OpenStay, exit: Timestamp, { userId, claim: { now } }: Opening): LocatedClosing => ({
  _tag: "Closing",
  closing: {
    premises: stay.premises,
    stay: { organizationId: stay.organizationId, stayId: stay.id },
    userId,
    claim: { timestamp: exit, orgAuthServerId: undefined, now }
  },
  isLookedUp: true
})

/** Makes the operation of such an entrance, which is part of a transaction: it fails with whatever one of the stays fails with. */
export const makeOpenEnding = (db: Database) => {
  /** The open stays of these ids, and of a person. */
  const readOthers = Effect.fnUntraced(function* (
    { organizationId, placeId }: PremisesKey,
    ids: ReadonlyArray<StayId>,
    person: OrgAuthServerId | undefined
  ) {
    const parameters = [organizationId, arrays.bigints(ids, (id) => id), person ?? null, placeId]
    const rows = yield* db.run<OtherRow>(OTHER_STAYS, parameters)
    const others = rows.map((row): OpenStay => ({
      _tag: "OpenStay",
      id: row.id,
      organizationId,
      premises: premisesOf({ organizationId, placeId: row.place_id }),
      orgAuthServerId: row.person ?? undefined,
      keyId: row.key_id,
      entrance: timestampOf(row.entered_at)
    }))
    return { others, ancestors: rows[0]?.ancestors ?? [] }
  })

  /** Closes stays in one statement, and answers which: one that a concurrent exit closed is left out. */
  const close = Effect.fnUntraced(function* (closings: ReadonlyArray<LocatedClosing>) {
    const sorted = closings.toSorted(byStay)
    const rows = closings.length === 0 ? [] : yield* db.run<MovedRow>(...movementStatement([], sorted, false))
    return new Set(rows.map(({ n }) => sorted[-n - 1]))
  })

  return Effect.fnUntraced(function* (located: LocatedOpening) {
    const { organizationId, opening } = located
    const { premises, leaves = [], claim } = opening
    yield* db.run(LOCK_LINK, [organizationId, opening.userId])
    const [row] = yield* db.run<MovedRow>(...enterEnding(located))
    const opened = yield* openingOutcome(located, row)
    const { is_repeated: isRepeated, is_exclusive: isExclusive } = row!
    // Another entrance with the retry key was committed, with what it ended. One that is not yet has this one wait for it, and run again.
    if (isRepeated === true) return opened
    const person = isExclusive === true ? opened.orgAuthServerId : undefined
    if (leaves.length === 0 && person === undefined) return opened
    const ids = leaves.map(({ stay }) => stay.stayId)
    const { others, ancestors } = yield* readOthers(located, ids, person)
    const entrance = claim.timestamp ?? claim.now
    const asked: Array<LocatedClosing> = []
    for (const { stay, isOf } of leaves) {
      const open = others.find(({ id }) => id === stay.stayId && id !== opened.id)
      if (open === undefined || open.organizationId !== stay.organizationId || !isOf(open.premises)) {
        return yield* new ExitNotMatched()
      }
      const closing = closingAt(open, entrance, opening)
      yield* Effect.fromResult(settle(factsOf(row!), open, closing.closing.claim))
      asked.push(closing)
    }
    const behind = others
      .filter((stay) => person !== undefined && stay.orgAuthServerId === person && !ids.includes(stay.id))
      .filter((stay) => isLeftBehind(stay, premises, ancestors))
      .map((stay) => closingAt(stay, endOfLeftBehind(stay, entrance), opening))
    const closed = yield* close([...asked, ...behind])
    if (!asked.every((closing) => closed.has(closing))) return yield* new ExitNotMatched()
    return opened
  })
}
