/** Entrances that end other stays: those of exit tokens that are sent along, and the person's own where places are exclusive. */
import {
  endOfLeftBehind,
  ExitNotMatched,
  isLeftBehind,
  type Leaving,
  type Opened,
  type OpenStay,
  type OrganizationId,
  type OrgAuthServerId,
  type PlaceId,
  RETRY_KEY_LIFETIME,
  type StayId,
  type Timestamp
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect, Option } from "effect"
import { arrays } from "../database/columns.ts"
import type { Database } from "../database/Database.ts"
import { timestampOf } from "../database/rows.ts"
import { explain } from "./closings.ts"
import { type PremisesDirectory, premisesOf } from "../database/PremisesDirectory.ts"
import type { movements } from "./movements.ts"
import type { LocatedOpening } from "./openings.ts"
import { EXCLUSIVE_PLACE, IS_REPEATED, LOCK_LINK, LOCK_RETRY_KEY, OTHER_STAYS } from "./stays.sql.ts"

interface OtherRow {
  readonly place_id: bigint
  readonly id: StayId
  readonly person: OrgAuthServerId | null
  readonly key_id: number
  readonly entered_at: Date
}

/** An open stay that ends, and when. */
interface Ending {
  readonly stay: OpenStay
  readonly exit: Timestamp
}

/** Makes the operation of such an entrance (`endsOthers`), which is part of a transaction: it fails with whatever one of the stays fails with. */
export const makeOpenEnding = (db: Database, directory: PremisesDirectory, statement: ReturnType<typeof movements>) => {
  const isRepeated = ({ organizationId, placeId, opening: { retryKey, claim } }: LocatedOpening) =>
    Option.match(retryKey, {
      onNone: () => Effect.succeed(false),
      onSome: (key) =>
        Effect.map(
          Effect.andThen(
            db.run(LOCK_RETRY_KEY, [organizationId, key]),
            db.run(IS_REPEATED, [organizationId, placeId, key, PgTypes.timestamptz(claim.now - RETRY_KEY_LIFETIME)])
          ),
          (rows) => rows.length > 0
        )
    })

  /** The open stays of these ids, and of a person. */
  const readOthers = Effect.fnUntraced(function* (
    organizationId: OrganizationId,
    ids: ReadonlyArray<StayId>,
    person: OrgAuthServerId | undefined
  ) {
    const rows = yield* db.run<OtherRow>(OTHER_STAYS, [organizationId, arrays.bigints(ids, (id) => id), person ?? null])
    return rows.map((row): OpenStay => ({
      _tag: "OpenStay",
      id: row.id,
      organizationId,
      premises: premisesOf({ organizationId, placeId: row.place_id }),
      orgAuthServerId: row.person ?? undefined,
      keyId: row.key_id,
      entrance: timestampOf(row.entered_at)
    }))
  })

  /** The stay of a token; fails where it is of no stay that may end. */
  const stayOf = ({ stay, isOf }: Leaving, others: ReadonlyArray<OpenStay>, opened: Opened) => {
    const found = others.find(({ id }) => id === stay.stayId)
    const isRight =
      found !== undefined &&
      found.id !== opened.id &&
      stay.organizationId === found.organizationId &&
      isOf(found.premises)
    return isRight ? Effect.succeed(found) : Effect.fail(new ExitNotMatched())
  }

  /** Closes stays in one statement; those that a concurrent exit closed are left out. */
  const closeAll = Effect.fnUntraced(function* (
    { opening: { userId, claim } }: LocatedOpening,
    endings: ReadonlyArray<Ending>
  ) {
    const closings = endings.map(({ stay: { premises, organizationId, id }, exit }) => ({
      premises,
      stay: { organizationId, stayId: id },
      userId,
      claim: { timestamp: exit, orgAuthServerId: undefined, now: claim.now }
    }))
    const outcomes = yield* statement.run(
      closings.map((closing) => ({ _tag: "Closing", closing, isLookedUp: true }) as const)
    )
    return yield* Effect.forEach(outcomes, (outcome, i) =>
      Effect.map(outcome, (closed) => ({
        closing: closings[i]!,
        isClosed: Option.isSome(closed as Option.Option<unknown>)
      }))
    )
  })

  return Effect.fnUntraced(function* (located: LocatedOpening) {
    const { organizationId, placeId, opening } = located
    const { premises, leaves = [], claim } = opening
    yield* db.run(LOCK_LINK, [organizationId, opening.userId])
    const wasRepeated = yield* isRepeated(located)
    const [outcome] = yield* statement.run([located])
    const opened = (yield* outcome!) as Opened
    if (wasRepeated) return opened
    const [exclusive] = yield* db.run<{ readonly ancestors: ReadonlyArray<PlaceId> }>(EXCLUSIVE_PLACE, [
      organizationId,
      placeId
    ])
    const person = exclusive === undefined ? undefined : opened.orgAuthServerId
    const entrance = claim.timestamp ?? claim.now
    const others = yield* readOthers(
      organizationId,
      leaves.map(({ stay }) => stay.stayId),
      person
    )
    const asked = yield* Effect.forEach(leaves, (leaving) =>
      Effect.map(stayOf(leaving, others, opened), (stay) => ({ stay, exit: entrance }))
    )
    const askedIds = new Set(asked.map(({ stay }) => stay.id))
    const behind = others.flatMap((stay): ReadonlyArray<Ending> => {
      const isBehind =
        exclusive !== undefined &&
        person !== undefined &&
        stay.orgAuthServerId === person &&
        !askedIds.has(stay.id) &&
        isLeftBehind(stay, premises, exclusive.ancestors)
      return isBehind ? [{ stay, exit: endOfLeftBehind(stay, entrance) }] : []
    })
    const closed = yield* closeAll(located, [...asked, ...behind])
    for (const { closing, isClosed } of closed.slice(0, asked.length)) {
      // Why it did not end: another person's, before its entrance, or ended meanwhile.
      if (!isClosed) return yield* Effect.andThen(explain(db, directory, closing), Effect.fail(new ExitNotMatched()))
    }
    return opened
  })
}
