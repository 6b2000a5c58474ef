import {
  admit,
  type ClosedStay,
  ClosedStayOrder,
  type Closing,
  ExitNotMatched,
  type MovementFacts,
  notAhead,
  type Opening,
  type OpenStay,
  type OrganizationId,
  type OrgAuthServerId,
  type Premises,
  PremisesNotFound,
  RETRY_KEY_LIFETIME,
  settle,
  type StayId,
  type StayLog,
  type Timestamp
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { brokenKey, type Database, Overtaken, type Storing } from "./Database.ts"
import { placeIdOf, type PremisesDirectory, type PremisesKey, premisesOf } from "./PremisesDirectory.ts"
import { CLOSE, CLOSED_BY_IDS, CLOSED_BY_PEOPLE, COUNT_OPEN, FORGET, LOOK, OPEN, TIME_PER_PERSON } from "./stays.sql.ts"

interface FactsRow {
  readonly tracking_mode: MovementFacts["mode"]
  readonly linked: OrgAuthServerId | null
}

interface OpenedRow extends FactsRow {
  /** All null where nothing was opened. */
  readonly id: StayId | null
  readonly person: OrgAuthServerId | null
  readonly key_id: number | null
  readonly entered_at: Date | null
}

interface SettledRow extends FactsRow {
  /** Null where nothing was closed. */
  readonly entered_at: Date | null
  readonly person: OrgAuthServerId | null
}

interface SeenRow extends SettledRow {
  /** Null while the stay is open. */
  readonly exited_at: Date | null
}

interface ClosedRow {
  readonly id: StayId
  readonly person: OrgAuthServerId | null
  readonly entered_at: Date
  readonly exited_at: Date
}

const factsOf = ({ tracking_mode, linked }: FactsRow): MovementFacts => ({
  mode: tracking_mode,
  linked: Option.fromNullishOr(linked)
})

const timestampOf = (date: Date): Timestamp => date.getTime() as Timestamp

const at = (timestamp: Timestamp) => PgTypes.timestamptz(timestamp)

const closedStay =
  (key: PremisesKey) =>
  ({ id, person, entered_at, exited_at }: ClosedRow): ClosedStay => ({
    _tag: "ClosedStay",
    id,
    organizationId: key.organizationId,
    premises: premisesOf(key),
    orgAuthServerId: person ?? undefined,
    entrance: timestampOf(entered_at),
    exit: timestampOf(exited_at)
  })

/**
 * A movement is one statement: it finds the facts, writes if the rule allows it on them, and answers both. The answer is
 * then the rule's own, `admit` or `settle` on those facts: SQL only keeps from being written what they would refuse. Where
 * the two disagree somebody else was quicker, and the statement runs again on what is there now.
 */
export const makeStayLog = (db: Database, directory: PremisesDirectory, storing: Storing): StayLog["Service"] => {
  const open = Effect.fnUntraced(function* ({ premises, userId, claim, keyId, retryKey }: Opening) {
    const located = yield* directory.locate(premises)
    if (Option.isNone(located)) return yield* new PremisesNotFound({ premises })
    const { organizationId, placeId } = located.value
    const key = Option.getOrNull(retryKey)
    const expired = at((claim.now - RETRY_KEY_LIFETIME) as Timestamp)
    // Whoever the facts say it is, a time that no rule admits is not written.
    const entrance = admit({ mode: "anonymous", linked: Option.none() }, claim)
    const [row] = yield* db
      .run<OpenedRow>(OPEN, [
        organizationId,
        placeId,
        userId,
        claim.orgAuthServerId ?? null,
        keyId,
        Result.isSuccess(entrance) ? at(entrance.success.entrance) : null,
        at(claim.now),
        key,
        expired
      ])
      .pipe(
        Effect.catchIf(
          (error) => brokenKey(error) === "entrance_retry_key",
          () => Effect.andThen(db.run(FORGET, [organizationId, placeId, key, expired]), Effect.fail(new Overtaken()))
        )
      )
    if (row === undefined) return yield* new PremisesNotFound({ premises })
    yield* Effect.fromResult(admit(factsOf(row), claim))
    if (row.id === null || row.key_id === null || row.entered_at === null) return yield* new Overtaken()
    return {
      id: row.id,
      organizationId,
      premises,
      orgAuthServerId: row.person ?? undefined,
      keyId: row.key_id,
      entrance: timestampOf(row.entered_at)
    }
  })

  /** Why nothing was closed, or what an earlier exit closed. */
  const explain = Effect.fnUntraced(function* ({ premises, stay: locator, userId, claim }: Closing) {
    const located = yield* directory.locate(premises)
    if (Option.isNone(located)) return yield* new PremisesNotFound({ premises })
    const { organizationId, placeId } = located.value
    const [row] = yield* db.run<SeenRow>(LOOK, [organizationId, placeId, locator.stayId, userId])
    if (row === undefined) return yield* new PremisesNotFound({ premises })
    if (row.entered_at === null || organizationId !== locator.organizationId) return yield* new ExitNotMatched()
    const stay = { id: locator.stayId, organizationId, premises, orgAuthServerId: row.person ?? undefined }
    const entrance = timestampOf(row.entered_at)
    if (row.exited_at === null) {
      yield* Effect.fromResult(settle(factsOf(row), { _tag: "OpenStay", ...stay, keyId: 0, entrance }, claim))
      return yield* new Overtaken()
    }
    const closed: ClosedStay = { _tag: "ClosedStay", ...stay, entrance, exit: timestampOf(row.exited_at) }
    return yield* Effect.fromResult(settle(factsOf(row), closed, claim))
  })

  const close = Effect.fnUntraced(function* (closing: Closing) {
    const { premises, stay: locator, userId, claim } = closing
    const { organizationId } = locator
    // Its token says whose the stay is, and thereby whose the place: no need to look it up.
    if (premises._tag === "OrganizationPremises" && premises.organizationId !== organizationId) {
      return yield* explain(closing)
    }
    // An instant that is too far ahead closes nothing.
    const [row] = Result.isFailure(notAhead(claim))
      ? []
      : yield* db.run<SettledRow>(CLOSE, [
          organizationId,
          placeIdOf(premises),
          locator.stayId,
          userId,
          claim.orgAuthServerId ?? null,
          claim.timestamp === undefined ? null : at(claim.timestamp),
          at(claim.now)
        ])
    if (row === undefined || row.entered_at === null) return yield* explain(closing)
    const stay: OpenStay = {
      _tag: "OpenStay",
      id: locator.stayId,
      organizationId,
      premises,
      orgAuthServerId: row.person ?? undefined,
      keyId: 0,
      entrance: timestampOf(row.entered_at)
    }
    // It is written: a rule that refused it now would be another rule than the statement's.
    return yield* Effect.orDie(Effect.fromResult(settle(factsOf(row), stay, claim)))
  })

  const closed = (
    text: string,
    organizationId: OrganizationId,
    premises: Premises,
    asked: ReadonlyArray<StayId> | ReadonlyArray<OrgAuthServerId>
  ) => {
    const key: PremisesKey = { organizationId, placeId: placeIdOf(premises) }
    return Effect.map(db.run<ClosedRow>(text, [key.organizationId, key.placeId, asked]), (rows) =>
      rows.map(closedStay(key)).sort(ClosedStayOrder)
    )
  }

  return {
    open: (opening) => storing("open a stay", open(opening)),
    close: (closing) => storing("close a stay", close(closing)),

    countOpen: (organizationId, premises) =>
      storing(
        "count open stays",
        Effect.map(db.run<{ readonly inside: bigint }>(COUNT_OPEN, [organizationId, placeIdOf(premises)]), ([row]) =>
          Number(row?.inside ?? 0n)
        )
      ),

    closedByIds: (organizationId, premises, ids) =>
      storing("list closed stays by id", closed(CLOSED_BY_IDS, organizationId, premises, ids)),

    closedByPeople: (organizationId, premises, people) =>
      storing("list closed stays by person", closed(CLOSED_BY_PEOPLE, organizationId, premises, people)),

    timePerPerson: (organizationId, placeId) =>
      storing(
        "sum the time per person",
        Effect.map(
          db.run<{ readonly person: OrgAuthServerId; readonly milliseconds: bigint }>(TIME_PER_PERSON, [
            organizationId,
            placeId
          ]),
          (rows) =>
            rows
              .map(({ person, milliseconds }) => ({ orgAuthServerId: person, milliseconds: Number(milliseconds) }))
              // By code units, as JavaScript compares text: no collation of PostgreSQL's does.
              .sort((one, other) => (one.orgAuthServerId < other.orgAuthServerId ? -1 : 1))
        )
      )
  }
}
