/** The readings of the port `StayLog` in PostgreSQL. */
import {
  AccessesOfAnother,
  type ClosedStay,
  ClosedStayOrder,
  type OrgAuthServerId,
  ownAccesses,
  type PermissionLevel,
  PlacePremises,
  type Premises,
  PremisesNotFound,
  requireLevel,
  type StayId,
  type StayLog
} from "@sojourn/core"
import { Effect, Option } from "effect"
import type { Database } from "../database/Database.ts"
import type { Storing } from "../database/Storing.ts"
import { timestampOf } from "../database/rows.ts"
import { placeIdOf, type PremisesDirectory, type PremisesKey, premisesOf } from "../database/PremisesDirectory.ts"
import { CLOSED_BY_PEOPLE, CLOSED_BY_USER, TIME_PER_PERSON } from "./reads.sql.ts"
import type { StayOperations } from "./StayStatements.ts"

interface ClosedRow {
  readonly id: StayId
  readonly person: OrgAuthServerId | null
  readonly entered_at: Date
  readonly exited_at: Date
}

interface ReaderRow {
  readonly level: PermissionLevel | null
}

/** A row whose columns are null where nothing was found, or where the reader may not read. */
type Perhaps<Row> = { readonly [Column in keyof Row]: Row[Column] | null }

const closedStays = (key: PremisesKey, rows: ReadonlyArray<Perhaps<ClosedRow>>): ReadonlyArray<ClosedStay> => {
  const { organizationId } = key
  const premises = premisesOf(key)
  const stays: Array<ClosedStay> = []
  for (const { id, person, entered_at: entered, exited_at: exited } of rows) {
    if (id === null || entered === null || exited === null) continue
    const entrance = timestampOf(entered)
    const exit = timestampOf(exited)
    stays.push({
      _tag: "ClosedStay",
      id,
      organizationId,
      premises,
      orgAuthServerId: person ?? undefined,
      entrance,
      exit
    })
  }
  return stays.sort(ClosedStayOrder)
}

/** Makes the readings of the stay log. Each is one statement. */
export const makeStayReads = (
  db: Database,
  directory: PremisesDirectory,
  storing: Storing,
  { count, list }: StayOperations
) => {
  /** The rows of an administrator's reading, if they may read. */
  const admitted = Effect.fnUntraced(function* <Row extends ReaderRow>(premises: Premises, rows: ReadonlyArray<Row>) {
    const [first] = rows
    if (first === undefined) return yield* new PremisesNotFound({ premises })
    yield* Effect.fromResult(requireLevel(Option.fromNullishOr(first.level), "viewer"))
    return rows
  })

  return {
    countOpen: (administratorId, premises) => {
      const known = directory.known(premises)
      if (known !== undefined) return count({ ...known, administratorId, premises })
      return Effect.flatMap(storing("find a place", directory.require(premises)), (key) =>
        count({ ...key, administratorId, premises })
      )
    },

    closedByIds: (organizationId, premises, ids) => list({ organizationId, placeId: placeIdOf(premises), ids }),

    closedByPeople: (administratorId, premises, people) =>
      storing.gen("list closed stays by person", function* () {
        const key = yield* directory.require(premises)
        const parameters = [key.organizationId, key.placeId, administratorId, people]
        const rows = yield* db.run<ReaderRow & Perhaps<ClosedRow>>(CLOSED_BY_PEOPLE, parameters)
        return closedStays(key, yield* admitted(premises, rows))
      }),

    closedByUser: (userId, premises, people) =>
      storing.gen("list a user's closed stays", function* () {
        const located = yield* directory.locate(premises)
        if (Option.isNone(located)) return yield* new AccessesOfAnother()
        const key = located.value
        const rows = yield* db.run<{ readonly linked: OrgAuthServerId } & Perhaps<ClosedRow>>(CLOSED_BY_USER, [
          key.organizationId,
          key.placeId,
          userId,
          people.length === 1 ? people[0] : null
        ])
        yield* Effect.fromResult(ownAccesses(people, Option.fromUndefinedOr(rows[0]?.linked)))
        return closedStays(key, rows)
      }),

    timePerPerson: (administratorId, placeId) =>
      storing.gen("sum the time per person", function* () {
        const premises = PlacePremises(placeId)
        const key = yield* directory.require(premises)
        const rows = yield* db.run<
          ReaderRow & { readonly person: OrgAuthServerId | null; readonly milliseconds: bigint }
        >(TIME_PER_PERSON, [key.organizationId, key.placeId, administratorId])
        return (
          (yield* admitted(premises, rows))
            .flatMap(({ person, milliseconds }) =>
              person === null ? [] : [{ orgAuthServerId: person, milliseconds: Number(milliseconds) }]
            )
            // By code units, as JavaScript compares text: no collation of PostgreSQL's does.
            .sort((one, other) => (one.orgAuthServerId < other.orgAuthServerId ? -1 : 1))
        )
      })
  } satisfies Omit<StayLog["Service"], "open" | "close">
}
