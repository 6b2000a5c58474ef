/**
 * The partitions of closed stays: made ahead, and dropped once no organization needs an access in them, which takes milliseconds and frees
 * the disk. Deleting as many accesses one by one takes minutes, and frees nothing.
 *
 * A partition holds a range of ids, since a token names its stay by its id. So a list finds each access in one partition, and the partition
 * of a stay is known from its entrance on, however late its exit is reported. The exits decide what is dropped; nothing relies on the order
 * of ids. To start the next partition, the sequence of ids jumps to its first id: no partition has to change at the right moment. Ids are
 * computed with in this module alone ({@link reachOf}, {@link boundsFrom}); everything else compares them.
 */
import { cellOfId, type Timestamp } from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Context, Data, Effect, Option, Schedule } from "effect"
import * as SqlError from "effect/sql/SqlError"
import { type Database, isLockTimeout, isOfSchema } from "../database/Database.ts"
import { liftStatementTimeout, readStopped } from "../database/locks.ts"
import type { LocatedClosing } from "./movementStatement.ts"
import * as sql from "./partitions.sql.ts"

/**
 * How many accesses a partition holds at least: 10,000,000 unless another number is provided. Each
 * partition costs lists of people and reports some microseconds, so that small databases have one.
 */
export const PartitionRows = Context.Reference("@sojourn/adapter-postgres/PartitionRows", {
  defaultValue: () => 10_000_000
})

/** A partition holds at least this part of all accesses, so that there are few, however many accesses are kept. */
const PART_OF_ALL = 1 / 10

/**
 * How many ids a partition has room for: more than it gets before it is full, as long as there are less than 40,000,000,000 accesses. The
 * range of a cell has 8,192 times as many.
 */
export const PARTITION_IDS = 2n ** 32n

/** The seed of the key of the advisory lock: an arbitrary number. */
const PARTITIONS_LOCK = 4_733_160_212n

/** A partition with more stays that are open is not dropped: each of them is looked for while movements wait. */
const MAX_OPEN = 10_000n

/** How long changes of partitions wait for a lock, behind which movements queue. */
const LOCK_TIMEOUT_MS = 100

/** How often a change is tried again that was not granted a lock, and the first pause before that. */
const LOCK_RETRIES = 4
const FIRST_LOCK_PAUSE = "200 millis"

/** How long before a partition is read an import may have noted its time and not be committed, and how far apart clocks may be; in milliseconds. */
const IMPORT_MS = 600_000

/** How long a partition is not read again that turned out to be needed after its accesses were read, in milliseconds. */
const PAUSE_MS = 600_000

/** A partition. The first has no lower bound; the default one has no bounds. */
export interface Partition {
  readonly name: string
  /** How many accesses it holds, as PostgreSQL last counted. */
  readonly rows: number
  readonly isDefault: boolean
  readonly from: bigint | undefined
  readonly to: bigint | undefined
}

/** The state of the partitions. */
export interface Partitions {
  readonly all: ReadonlyArray<Partition>
  /** The last issued id. */
  readonly last: bigint
  /** Whether accesses of any organization are ever forgotten. */
  readonly hasRetention: boolean
}

/** The next change: make a partition for the ids from `from`, or continue the sequence with these ids. */
export type NextStep = { readonly _tag: "Make" | "GoOn"; readonly from: bigint }

/** The first id that is surely not issued while a partition is made: no partition that is still to be made begins before it. */
const reachOf = (last: bigint) => last + PARTITION_IDS / 2n

/** The bounds of the partition that begins with this id. */
const boundsFrom = (from: bigint): sql.IdBounds => ({ from, to: from + PARTITION_IDS })

/** The first multiple of {@link PARTITION_IDS} after {@link reachOf}; undefined at the end of the cell's range. */
const firstAhead = (last: bigint): bigint | undefined => {
  const { to: from } = boundsFrom((reachOf(last) / PARTITION_IDS) * PARTITION_IDS)
  const cellOf = (id: bigint) => Option.getOrUndefined(cellOfId(id))
  return cellOf(boundsFrom(from).to - 1n) === cellOf(last) ? from : undefined
}

/**
 * The next step, if any is due: the next partition is made when the present one is half full, and ids go on with it when that is full.
 * Where nothing is ever forgotten, more partitions would only cost.
 */
export const nextStep = ({ all, last, hasRetention }: Partitions, partitionRows: number): NextStep | undefined => {
  const isIn = ({ from = 0n, to }: Partition) => to !== undefined && from <= last && last < to
  const present = all.find(isIn) ?? all.find(({ isDefault }) => isDefault)
  if (present === undefined || !hasRetention) return undefined
  const full = Math.max(partitionRows, PART_OF_ALL * all.reduce((sum, { rows }) => sum + rows, 0))
  const ahead = all.find(({ from }) => from !== undefined && from > last)
  if (ahead?.from !== undefined) return present.rows >= full ? { _tag: "GoOn", from: ahead.from } : undefined
  const from = firstAhead(last)
  return from !== undefined && present.rows >= full / 2 ? { _tag: "Make", from } : undefined
}

/** Another server changes the partitions, or has changed them, or a partition is needed after all. */
class NotNow extends Data.TaggedError("NotNow") {}

interface StateRow {
  readonly last: bigint
  readonly has_retention: boolean
  readonly partitions: ReadonlyArray<
    Pick<Partition, "name" | "rows" | "isDefault"> & { readonly from: string | null; readonly to: string | null }
  >
}

interface FirstEndRow {
  readonly has_first: boolean
  readonly last: bigint
  readonly first_end: bigint | null
}

interface OpenRow {
  readonly organizations: string | null
  readonly places: string | null
  readonly ids: string | null
  readonly count: number
}

interface SurveyRow {
  readonly organizations: string | null
  readonly lasts: string | null
  readonly count: bigint
}

/**
 * Makes the function that runs statements that close stays. Stays that are surely in the first partition are written straight into it: a
 * small database pays nothing for partitions.
 */
export const makeFirstPartition = (db: Database) => {
  /** The id before which stays are in the first partition, which may not end before `last + DISTANCE`; undefined until it is read. */
  let firstEnd: bigint | undefined
  const readFirstEnd = Effect.map(db.run<FirstEndRow>(sql.FIRST_END, []), ([row]) => {
    const { has_first: hasFirst, first_end: end, last } = row!
    firstEnd = hasFirst ? (end ?? reachOf(last)) : 0n
  })
  return <Row extends object>(
    text: string,
    parameters: ReadonlyArray<unknown>,
    closings: ReadonlyArray<LocatedClosing>
  ): Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError> => {
    const inAll = db.run<Row>(text, parameters)
    if (firstEnd === undefined) return Effect.andThen(readFirstEnd, inAll)
    const end = firstEnd
    if (closings.some(({ closing }) => closing.stay.stayId >= end)) return inAll
    return Effect.catchIf(db.run<Row>(sql.intoFirst(text), parameters), isOfSchema, () => {
      // It was dropped, or the user has no right to it.
      firstEnd = 0n
      return inAll
    })
  }
}

const idOf = (text: string | null) => (text === null ? undefined : BigInt(text))

/** Makes the upkeep of the partitions. */
export const makeStayPartitions = (db: Database, partitionRows: number) => {
  /** The times, by partition, until which they are not read again. */
  const pausedUntil = new Map<string, number>()

  const read = Effect.map(db.run<StateRow>(sql.READ, []), ([row]): Partitions => ({
    last: row!.last,
    hasRetention: row!.has_retention,
    all: row!.partitions.map(({ from, to, ...partition }) => ({ ...partition, from: idOf(from), to: idOf(to) }))
  }))

  const runAll = (statements: ReadonlyArray<string>) =>
    Effect.forEach(statements, (statement) => db.run(statement, []), { discard: true })

  /** Changes partitions in a transaction, on one server at a time. It holds movements up for {@link LOCK_TIMEOUT_MS} at most. */
  const changing = <A, E>(change: Effect.Effect<A, E | SqlError.SqlError>) =>
    db
      .transaction(
        Effect.gen(function* () {
          const [lock] = yield* db.run<{ readonly is_locked: boolean }>(sql.TRY_LOCK, [PARTITIONS_LOCK])
          if (lock?.is_locked !== true) return yield* new NotNow()
          yield* db.run(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`, [])
          return yield* change
        })
      )
      .pipe(
        Effect.retry({
          while: (error) => SqlError.isSqlError(error) && isLockTimeout(error),
          times: LOCK_RETRIES,
          schedule: Schedule.exponential(FIRST_LOCK_PAUSE)
        })
      )

  const isDue = ({ _tag, from }: NextStep) =>
    Effect.filterOrFail(
      read,
      (state) => {
        const step = nextStep(state, partitionRows)
        return step?._tag === _tag && step.from === from
      },
      () => new NotNow()
    )

  /** Makes a partition. The default one is read first, while movements go on. After an interruption it starts again. */
  const make = Effect.fnUntraced(function* (step: NextStep, { name }: Partition) {
    const bounds = boundsFrom(step.from)
    yield* changing(Effect.andThen(isDue(step), db.run(sql.refuseAhead(name, bounds), [])))
    yield* db.transaction(Effect.andThen(liftStatementTimeout(db), db.run(sql.validateAhead(name), [])))
    yield* changing(
      Effect.gen(function* () {
        const { all } = yield* isDue(step)
        const isSame = all.some((partition) => partition.isDefault && partition.name === name)
        if (!isSame || (yield* db.run(sql.IS_VALID, [name])).length === 0) return yield* new NotNow()
        yield* runAll(sql.makePartition(name, bounds))
      })
    )
  })

  const goOn = (step: NextStep) =>
    Effect.asVoid(changing(Effect.andThen(isDue(step), db.run(sql.GO_ON_AFTER, [step.from]))))

  const isNeeded = (statement: string, parameters: ReadonlyArray<unknown>) =>
    Effect.map(db.run(statement, parameters), (rows) => rows.length > 0)

  /** Fails where a statement answers that accesses are needed. */
  const refuse = (statement: string, parameters: ReadonlyArray<unknown>) =>
    Effect.flatMap(isNeeded(statement, parameters), (needed) => (needed ? Effect.fail(new NotNow()) : Effect.void))

  /**
   * Drops a partition whose ids were all issued, and returns how many accesses it held. No stay is opened in it any more: an access that is
   * added after the open stays were read is of one of these, or of an import, which notes its time. So the survey holds for all other accesses, and is compared with the policies,
   * which are locked; the stays that were open are looked up once none can be added.
   */
  const drop = Effect.fnUntraced(function* (
    { name, from = 0n, to }: Partition & { readonly to: bigint },
    now: Timestamp
  ) {
    const at = PgTypes.timestamptz(now)
    // Entrances with the last ids of the partition are committed.
    const [row] = yield* readStopped(db, db.run<{ readonly last: bigint }>(sql.LAST, []))
    if (row!.last < to) return yield* new NotNow()
    const [open] = yield* db.run<OpenRow>(sql.OPEN_IN, [from, to, MAX_OPEN + 1n])
    if (open!.count > MAX_OPEN) return yield* new NotNow()
    const [found] = yield* db.transaction(
      Effect.andThen(
        runAll(["set local statement_timeout = 0", "set local enable_seqscan = on"]),
        db.run<SurveyRow>(sql.survey(name), [])
      )
    )
    const { organizations, lasts, count } = found!
    yield* changing(
      Effect.gen(function* () {
        yield* db.run(sql.HOLD_POLICIES, [organizations])
        yield* refuse(sql.IS_NEEDED, [organizations, lasts, at])
        yield* runAll([sql.LOCK_TABLE, sql.lockPartition(name)])
        yield* refuse(sql.isNeededSince(name), [open!.organizations, open!.places, open!.ids, at])
        yield* refuse(sql.IS_IMPORTED_SINCE, [PgTypes.timestamptz(now - IMPORT_MS)])
        yield* runAll([sql.drop(name)])
      })
    )
    return Number(count)
  })

  /** Drops a partition if no organization needs it. One that turns out to be needed is not read again for {@link PAUSE_MS}. */
  const tryToDrop = Effect.fnUntraced(function* (
    partition: Partition,
    { last, now }: { readonly last: bigint; readonly now: Timestamp }
  ) {
    const { name, to } = partition
    if (to === undefined || to > last || now < (pausedUntil.get(name) ?? 0)) return 0
    if (yield* isNeeded(sql.isSurelyNeeded(name), [PgTypes.timestamptz(now)])) return 0
    pausedUntil.set(name, now + PAUSE_MS)
    return yield* drop({ ...partition, to }, now)
  })

  return {
    /**
     * Drops the partitions whose accesses are all past retention, and makes the next one or continues with it where that is due. Returns how
     * many accesses were dropped. A step that another server takes, or that a lock prevents, is left to the next call.
     */
    keep: Effect.fnUntraced(function* (now: Timestamp) {
      const { all, last, hasRetention } = yield* read
      if (!hasRetention) return 0
      let dropped = 0
      for (const partition of all) dropped += yield* orLater(tryToDrop(partition, { last, now }), 0)
      const state = yield* read
      const step = nextStep(state, partitionRows)
      const present = state.all.find(({ isDefault }) => isDefault)
      if (step !== undefined && present !== undefined) {
        yield* orLater(step._tag === "Make" ? make(step, present) : goOn(step), undefined)
      }
      return dropped
    })
  }
}

/**
 * Returns `otherwise` where a step is left to a later call or another server: another server took it, the partition is gone, a lock was not
 * granted in time, or the user may not change tables.
 */
const orLater = <A, E>(effect: Effect.Effect<A, E>, otherwise: A): Effect.Effect<A, Exclude<E, NotNow>> =>
  Effect.catchIf(
    effect,
    (error) => error instanceof NotNow || (SqlError.isSqlError(error) && (isLockTimeout(error) || isOfSchema(error))),
    () => Effect.succeed(otherwise)
  ) as Effect.Effect<A, Exclude<E, NotNow>>
