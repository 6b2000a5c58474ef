/**
 * A copy of the database, its data files and the server's keys do not reveal the users of anonymous stays: linking stays to
 * rows that are adjacent in time or in transaction order finds no more users than random guesses.
 */
import { OrganizationId, OrgAuthServerId, UserId } from "@sojourn/core"
import { Random } from "@sojourn/testing"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Ground, startGround } from "../erasure/ground.ts"
import { rowVersions } from "./heap.ts"

const USERS = 30
const ENTRANCES = 3
const PERMUTATIONS = 20_000

const random = new Random(20_261_123)

const shuffled = <A>(all: ReadonlyArray<A>): Array<A> => {
  const left = [...all]
  return Array.from({ length: all.length }, () => left.splice(random.below(left.length), 1)[0]!)
}

/** A row that names a user, or a stay whose user the test knows. `at` is a time or a transaction number. */
interface Sighting {
  readonly user: number
  readonly at: number
}

/** A guess: the user that a row names, and the user of the stay next to the row. */
type Guess = readonly [named: number, owner: number]

/** The stay that is linked to a row: the last one before it, the first one after it, or the nearest. */
const DIRECTIONS = {
  before: (distance: number) => (distance <= 0 ? -distance : Infinity),
  after: (distance: number) => (distance >= 0 ? distance : Infinity),
  nearest: Math.abs
}

const guesses = (
  rows: ReadonlyArray<Sighting>,
  stays: ReadonlyArray<Sighting>,
  direction: keyof typeof DIRECTIONS
): ReadonlyArray<Guess> =>
  rows.flatMap(({ user, at }) => {
    const distances = stays.map((stay) => DIRECTIONS[direction](stay.at - at))
    const least = Math.min(...distances)
    return least === Infinity ? [] : [[user, stays[distances.indexOf(least)]!.user] as const]
  })

/** The last row of each user, which is linked to the user's last stay. */
const lastOf = (rows: ReadonlyArray<Sighting>): ReadonlyArray<Sighting> =>
  [...Map.groupBy(rows, ({ user }) => user).values()].map((theirs) =>
    theirs.reduce((last, row) => (row.at >= last.at ? row : last))
  )

interface Outcome {
  readonly right: number
  readonly of: number
  /** The mean number of right guesses for a random assignment of stays to users, and the p-value of `right`. */
  readonly chance: number
  readonly p: number
}

/** Compares the number of right guesses with its distribution under random permutations of the users. */
const outcome = (all: ReadonlyArray<Guess>): Outcome => {
  const right = all.filter(([named, owner]) => named === owner).length
  const users = Array.from({ length: USERS }, (_, user) => user)
  let [sum, asMany] = [0, 0]
  for (let nth = 0; nth < PERMUTATIONS; nth++) {
    for (let i = USERS - 1; i > 0; i--) {
      const j = random.below(i + 1)
      ;[users[i], users[j]] = [users[j]!, users[i]!]
    }
    let hits = 0
    for (const [named, owner] of all) if (users[named] === owner) hits++
    sum += hits
    if (hits >= right) asMany++
  }
  return { right, of: all.length, chance: sum / PERMUTATIONS, p: (asMany + 1) / (PERMUTATIONS + 1) }
}

/** Every attack with the rows of one table that name users. */
const attack = (rows: ReadonlyArray<Sighting>, stays: ReadonlyArray<Sighting>): ReadonlyArray<Outcome> =>
  [rows, lastOf(rows)].flatMap((some) =>
    (["before", "after", "nearest"] as const).map((direction) => outcome(guesses(some, stays, direction)))
  )

/**
 * The significance level. With about 50 outcomes, one of 200 seeds gives an outcome below it by chance alone. The seed
 * determines the order of requests, so a seed without such an outcome keeps passing.
 */
const SIGNIFICANT = 1e-4

/** The tables whose rows identify significantly more users of adjacent stays than by chance, with the numbers. */
const identifying = ({ naming, stays }: Copy): Readonly<Record<string, ReadonlyArray<Outcome>>> =>
  Object.fromEntries(
    [...naming]
      .map(([table, rows]) => [table, attack(rows, stays).filter(({ p }) => p < SIGNIFICANT)] as const)
      .filter(([, outcomes]) => outcomes.length > 0)
  )

const userOf = (nth: number) => `visitor-${String(nth).padStart(2, "0")}`
const personOf = (nth: number) => `person-${String(nth).padStart(2, "0")}`

/** A `timestamptz` in a row of PostgreSQL: microseconds since 2000. */
const timestampBytes = (milliseconds: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(BigInt(milliseconds - Date.UTC(2000, 0, 1)) * 1000n)
  return bytes
}

/** Rows that name users, by table and source, and the entrances and exits of anonymous stays. */
interface Copy {
  readonly naming: ReadonlyMap<string, ReadonlyArray<Sighting>>
  readonly stays: ReadonlyArray<Sighting>
}

interface Evidence {
  /** Every version of every row in the data files, by transaction number; users acted in random order. */
  readonly byTransaction: Copy
  /** Every row, by every time that is stored in it; users acted in random order. */
  readonly atRandom: Copy
  /** The same, after each user had added a favorite and entered immediately after it. */
  readonly atOnce: Copy
}

let evidence: Evidence
let ground: Ground | undefined

/** Runs users against a real server with rate limits shared in its database, and reads everything that is stored. */
const collect = async (): Promise<Evidence> => {
  const limits = ["--rate-limit", "100000/1h", "--rate-limit-address", "100000/1h", "--rate-limit-store", "postgres"]
  ground = await startGround("--request-log", "off", ...limits)
  const { call, linkInDatabase, rows, sojourn, dataDirectory, stop } = ground
  const { id: square } = await ground.organization()
  const { id: office } = await ground.authenticated()

  const ask = async (user: number, path: string, json?: object, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await call(sojourn.user(userOf(user)), json === undefined ? "GET" : "POST", path, { json, headers })
    expect(answer.status, `${path} ${answer.text}`).toBeLessThan(300)
    return answer
  }
  // The timestamps of entrances are shuffled; they identify the stays.
  const noon = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 86_400_000
  const entrances = shuffled(Array.from({ length: USERS * ENTRANCES }, (_, nth) => nth)).map((nth) => ({
    user: nth % USERS,
    entered: noon + nth * 1000
  }))
  const enter = async ({ user, entered }: { readonly user: number; readonly entered: number }) => {
    const json = { organizationId: square, movementType: 1, timestamp: new Date(entered).toISOString() }
    const headers = random.chance(0.5) ? { "idempotency-key": randomUUID() } : undefined
    const answer = await ask(user, "/movement/track/organization", json, headers)
    const { exitToken } = answer.json
    leaving.push(() =>
      ask(user, "/movement/track/organization", { organizationId: square, movementType: -1, exitToken })
    )
  }
  const leaving: Array<() => Promise<unknown>> = []
  const allUsers = Array.from({ length: USERS }, (_, user) => user)
  const link = (user: number) =>
    linkInDatabase(UserId.make(userOf(user)), OrganizationId.make(BigInt(office)), OrgAuthServerId.make(personOf(user)))

  // Every kind of write by a user, in random order, so that the writes of different users are independent.
  const first = shuffled([
    ...entrances.slice(0, 45).map((entrance) => () => enter(entrance)),
    ...allUsers.map((user) => () => link(user)),
    ...allUsers.map((user) => () => ask(user, "/favorite/addfavorite", { organizationId: square })),
    ...allUsers.map((user) => () => ask(user, "/organization"))
  ])
  for (const act of first) await act()
  // PostgreSQL soon prunes the rows of ended stays from their pages, so the entrances are read now.
  const inside = await rows(`select xmin::text::int8 as xmin, (extract(epoch from entered_at) * 1000)::float8 as entered
    from open_stay where person is null`)
  const second = shuffled([
    ...entrances.slice(45).map((entrance) => () => enter(entrance)),
    ...shuffled(leaving).slice(0, 30),
    ...allUsers.map(
      (user) => () => ask(user, "/movement/track/organization", { organizationId: office, movementType: 1 })
    ),
    ...allUsers
      .filter((user) => user % 2 === 0)
      .map((user) => () => ask(user, "/favorite/removefavorite", { organizationId: square })),
    ...allUsers.map((user) => () => ask(user, `/favorite/${userOf(user)}`))
  ])
  for (const act of second) await act()
  const ofEntrance = new Map(entrances.map(({ user, entered }) => [entered, user]))

  const names = allUsers.map((user) => [userOf(user), personOf(user)])
  const namedIn = (has: (name: string) => boolean) => allUsers.filter((user) => names[user]!.some(has))

  // The rows as a dump or a backup has them, by their times, read now or later.
  const byClock = async () => {
    const naming = new Map<string, ReadonlyArray<Sighting>>()
    for (const { name, column } of times) {
      const seen: Array<Sighting> = []
      const found = await rows(
        `select t::text as line, (extract(epoch from ${column}) * 1000)::float8 as at from "${name}" t where ${column} is not null`
      )
      for (const { line, at } of found) for (const user of namedIn((it) => line.includes(it))) seen.push({ user, at })
      if (seen.length > 0) naming.set(`${name} by ${column}`, seen)
    }
    const anchors = await rows(`select (extract(epoch from entered_at) * 1000)::float8 as entered,
        (extract(epoch from recorded_at) * 1000)::float8 as at from open_stay where person is null
      union all select (extract(epoch from entered_at) * 1000)::float8, (extract(epoch from exited_at) * 1000)::float8
        from stay where person is null`)
    return { naming, stays: anchors.map(({ entered, at }) => ({ user: ofEntrance.get(entered)!, at })) }
  }

  const tables = await rows(`select tablename as name, pg_relation_filepath(tablename::regclass) as path
    from pg_tables
    where schemaname = 'sojourn' and pg_relation_filepath(tablename::regclass) is not null
    order by 1`)
  const times = await rows(`select table_name as name, column_name as column from information_schema.columns
    where table_schema = 'sojourn' and data_type = 'timestamp with time zone' order by 1, 2`)
  const atRandom = await byClock()
  const [{ until }] = (await rows("select txid_current()::int8 as until")) as [{ readonly until: bigint }]

  // A client that enters right after adding a favorite. The transaction order reveals this; stored times must not.
  for (const [nth, user] of shuffled(allUsers).entries()) {
    await ask(user, "/favorite/addfavorite", { organizationId: office })
    const entrance = { user, entered: noon - 1000 - nth * 1000 }
    ofEntrance.set(entrance.entered, user)
    await enter(entrance)
  }
  const atOnce = await byClock()

  await stop()

  const naming = new Map<string, ReadonlyArray<Sighting>>()
  const staysByTransaction: Array<Sighting> = inside.map(({ xmin, entered }) => ({
    user: ofEntrance.get(entered)!,
    at: Number(xmin)
  }))
  const owners = entrances.map(({ user, entered }) => ({ user, bytes: timestampBytes(entered) }))
  for (const { name, path } of tables) {
    const seen: Array<Sighting> = []
    for (const { xmin, columns } of rowVersions(dataDirectory, path)) {
      if (xmin >= until) continue
      for (const user of namedIn((it) => columns.includes(it))) seen.push({ user, at: xmin })
      // A partitioned table has its rows in files of its partitions.
      if (/^(open_stay|stay_first)$/.test(name)) {
        const owner = owners.find(({ bytes }) => columns.includes(bytes))
        if (owner !== undefined) staysByTransaction.push({ user: owner.user, at: xmin })
      }
    }
    if (seen.length > 0) naming.set(`${name} by transaction`, seen)
  }
  return { byTransaction: { naming, stays: staysByTransaction }, atRandom, atOnce }
}

describe("anonymous stays in a copy of the database, its files and the keys", () => {
  beforeAll(async () => {
    evidence = await collect()
  })
  afterAll(() => ground?.remove())

  it("exist, beside rows that name users", () => {
    const { byTransaction, atRandom, atOnce } = evidence
    expect(atRandom.stays.length).toBe(USERS * ENTRANCES)
    expect(atOnce.stays.length).toBe(USERS * (ENTRANCES + 1))
    // Every entrance, some with two row versions, and every exit.
    expect(byTransaction.stays.length).toBeGreaterThanOrEqual(USERS * ENTRANCES + 30)
    const users = ({ naming }: Copy, table: string) => new Set(naming.get(table)?.map(({ user }) => user)).size
    for (const table of ["favorite", "account_link", "open_stay"]) {
      expect(users(byTransaction, `${table} by transaction`), table).toBe(USERS)
    }
    expect(users(atRandom, "open_stay by recorded_at")).toBe(USERS)
    expect(users(atOnce, "favorite by creation_date")).toBe(USERS)
  })

  it("are attributed to their users when a row that names the user is written next to each (control)", () => {
    const { stays } = evidence.byTransaction
    const beside = stays.map(({ user, at }) => ({ user, at: at + 1 }))
    expect(identifying({ naming: new Map([["beside", beside]]), stays })).toHaveProperty("beside")
  })

  it.each(["byTransaction", "atRandom", "atOnce"] as const)(
    "are attributed to no more users by adjacent rows than by chance: %s",
    (copy) => expect(identifying(evidence[copy])).toEqual({})
  )
})
