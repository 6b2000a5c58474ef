/** The stays as rows of SQLite, through the driver that Node brings along. Everything here is synchronous. */
import type {
  ClosedStay,
  OpenStay,
  OrganizationId,
  OrgAuthServerId,
  PlaceId,
  Premises,
  RetryKey,
  StayId,
  TimeWindow
} from "@sojourn/core"
import { OrganizationPremises, PlacePremises, Timestamp } from "@sojourn/core"
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite"

const SCHEMA = `
  pragma journal_mode = wal;
  pragma synchronous = full; -- what is answered is on the disk
  create table if not exists stay (
    id integer primary key autoincrement, -- rises, and is never used again
    organization integer not null,
    place integer not null, -- 0: the organization as a whole
    person text,
    key_id integer not null,
    entrance integer not null,
    exit integer
  ) strict;
  create index if not exists stay_open on stay (organization, place) where exit is null;
  create unique index if not exists stay_open_person on stay (organization, place, person) where exit is null;
  create index if not exists stay_closed_person on stay (organization, place, person) where exit is not null;
  create table if not exists retry (
    organization integer not null,
    place integer not null,
    key text not null,
    stay integer not null,
    used_at integer not null,
    primary key (organization, place, key)
  ) strict, without rowid;`

type Row = Record<string, SQLOutputValue>

/** The table in a file, which is made when there is none. `:memory:` is a file that is gone when it is closed. */
export const openStayTable = (file: string) => {
  const db = new DatabaseSync(file, { readBigInts: true })
  db.exec(SCHEMA)

  /** The rows of a statement, with a parameter for each value. Each statement is prepared once. */
  const prepared = new Map<TemplateStringsArray, StatementSync>()
  const sql = (text: TemplateStringsArray, ...values: ReadonlyArray<SQLInputValue>): ReadonlyArray<Row> => {
    const statement = prepared.get(text) ?? db.prepare(text.join("?"))
    prepared.set(text, statement)
    return statement.all(...values)
  }

  /** All that `body` writes, or nothing of it. */
  const transaction = <A>(body: () => A): A => {
    db.exec("begin immediate")
    try {
      const answer = body()
      db.exec("commit")
      return answer
    } catch (error) {
      if (db.isTransaction) db.exec("rollback")
      throw error
    }
  }

  /** The stays of some premises. */
  const at = (organizationId: OrganizationId, premises: Premises) => {
    const place = premises._tag === "PlacePremises" ? premises.placeId : 0n
    const whole = (row: Row) => ({
      id: row["id"] as StayId,
      organizationId,
      premises,
      orgAuthServerId: (row["person"] ?? undefined) as OrgAuthServerId | undefined,
      entrance: Timestamp(Number(row["entrance"]))
    })
    const opened = (row: Row): OpenStay => ({ _tag: "OpenStay", ...whole(row), keyId: Number(row["key_id"]) })
    const closed = (row: Row): ClosedStay => ({
      _tag: "ClosedStay",
      ...whole(row),
      exit: Timestamp(Number(row["exit"]))
    })
    const first = <A>([row]: ReadonlyArray<Row>, as: (row: Row) => A) => (row === undefined ? undefined : as(row))

    return {
      find: (id: StayId) =>
        first(
          sql`select * from stay where organization = ${organizationId} and place = ${place} and id = ${id}`,
          (row) => (row["exit"] === null ? opened(row) : closed(row))
        ),
      openOf: (person: OrgAuthServerId) =>
        first(
          sql`select * from stay
            where organization = ${organizationId} and place = ${place} and person = ${person} and exit is null`,
          opened
        ),
      open: (person: OrgAuthServerId | undefined, keyId: number, entrance: Timestamp) =>
        sql`insert into stay (organization, place, person, key_id, entrance)
          values (${organizationId}, ${place}, ${person ?? null}, ${keyId}, ${entrance}) returning *`.map(opened)[0]!,
      close: (stay: ClosedStay) => sql`update stay set exit = ${stay.exit} where id = ${stay.id}`,

      countOpen: () =>
        sql`select id from stay where organization = ${organizationId} and place = ${place} and exit is null`.length,
      closedByIds: (ids: ReadonlyArray<StayId>) =>
        sql`select * from stay
          where organization = ${organizationId} and place = ${place} and exit is not null and person is null
            and id in (select value from json_each(${`[${ids.join()}]`}))
          order by entrance, id`.map(closed),
      closedByPeople: (people: ReadonlyArray<OrgAuthServerId>) =>
        sql`select * from stay
          where organization = ${organizationId} and place = ${place} and exit is not null
            and person in (select value from json_each(${JSON.stringify(people)}))
          order by entrance, id`.map(closed),
      timePerPerson: () =>
        sql`select person, sum(exit - entrance) as milliseconds from stay
          where organization = ${organizationId} and place = ${place} and exit is not null and person is not null
          group by person order by person`.map((row) => ({
          orgAuthServerId: row["person"] as OrgAuthServerId,
          milliseconds: Number(row["milliseconds"])
        })),

      timePerPersonInside: ({ from, to }: TimeWindow) =>
        sql`select person, sum(min(exit, ${to}) - max(entrance, ${from})) as milliseconds from stay
          where organization = ${organizationId} and place = ${place} and exit > ${from} and entrance < ${to}
            and person is not null
          group by person having milliseconds > 0 order by person`.map((row) => ({
          orgAuthServerId: row["person"] as OrgAuthServerId,
          milliseconds: Number(row["milliseconds"])
        })),
      closed: () =>
        sql`select * from stay
          where organization = ${organizationId} and place = ${place} and exit is not null and person is not null
          order by entrance, id`.map(closed),

      /** The stay that a retry key stands for, if it was first used after `since`. */
      retried: (key: RetryKey, since: number) =>
        first(
          sql`select stay.* from retry join stay on stay.id = retry.stay
            where retry.organization = ${organizationId} and retry.place = ${place}
              and retry.key = ${key} and retry.used_at > ${since}`,
          opened
        ),
      remember: (key: RetryKey, stay: OpenStay, usedAt: Timestamp) =>
        sql`insert or replace into retry values (${organizationId}, ${place}, ${key}, ${stay.id}, ${usedAt})`
    }
  }

  /** The closed stays of people in an organization and its places. */
  const closedAnywhere = (organizationId: OrganizationId): ReadonlyArray<ClosedStay> => {
    const places = sql`select distinct place from stay where organization = ${organizationId}`
    return places
      .flatMap(({ place }) =>
        at(
          organizationId,
          place === 0n ? OrganizationPremises(organizationId) : PlacePremises(place as PlaceId)
        ).closed()
      )
      .sort((one, other) => one.entrance - other.entrance || Number(one.id - other.id))
  }
  return { transaction, at, closedAnywhere, close: () => db.close() }
}
