/** `Stays` by pg, each movement one prepared statement: the reference of all ratios. */
import { Pool, types } from "pg"
import { hashOf, newSecret, parseToken, parseTokens, tokenOf } from "./ExitToken.ts"
import { SESSION } from "./schema.ts"

/** A closed stay as it is listed. */
export interface Access {
  readonly id: number
  readonly organizationId: number
  readonly entranceTimestamp: string
  readonly exitTimestamp: string
  readonly exitToken: string
}

/** What is counted for an administrator. */
export interface Counted {
  /** Nothing where the administrator is not bound to the organization. */
  readonly level: string | null
  readonly counter: number
}

/** What a peer does with its database. Instants are RFC 3339. */
export interface Stays {
  /** The token of a new stay; nothing where there is no such organization. */
  readonly enter: (organizationId: number, at: string) => Promise<string | undefined>
  /** When the stay of the token ended, which an exit repeated learns as well; nothing where it cannot end so. */
  readonly leave: (organizationId: number, token: string, at: string | undefined) => Promise<string | undefined>
  /** Nothing where there is no such organization. */
  readonly count: (organizationId: number, administratorId: string) => Promise<Counted | undefined>
  /** The closed stays of these tokens, in the order of their entrances. */
  readonly list: (organizationId: number, tokens: ReadonlyArray<string>) => Promise<ReadonlyArray<Access>>
}

/** How many connections to the database. */
const CONNECTIONS = 16

/** Ids are small enough for numbers. */
types.setTypeParser(types.builtins.INT8, Number)

export const makePool = (connectionString: string): Pool =>
  new Pool({ connectionString, max: CONNECTIONS, options: SESSION })

const ENTER = `
insert into open_stay (organization_id, secret_hash, entered_at)
select id, $2::bytea, $3::timestamptz from organization where id = $1::bigint
returning id`

const LEAVE = `
with left_stay as (
  delete from open_stay
  where organization_id = $1::bigint and id = $2::bigint and secret_hash = $3::bytea and entered_at <= $4::timestamptz
  returning organization_id, id, secret_hash, entered_at
)
insert into stay (organization_id, id, secret_hash, entered_at, exited_at)
select organization_id, id, secret_hash, entered_at, $4::timestamptz from left_stay`

const CLOSED = `
select exited_at from stay where organization_id = $1::bigint and id = $2::bigint and secret_hash = $3::bytea`

const COUNT = `
select p.level, (select count(*) from open_stay s where s.organization_id = o.id) as counter
from organization o
left join permission p on p.organization_id = o.id and p.administrator_id = $2::text
where o.id = $1::bigint`

const LIST = `
select id, secret_hash, entered_at, exited_at
from stay
where organization_id = $1::bigint and id = any($2::bigint[])
order by entered_at, id`

interface ListedRow {
  readonly id: number
  readonly secret_hash: Buffer
  readonly entered_at: Date
  readonly exited_at: Date
}

/** Whether a stay that ended is what an exit at this time, or now, asks for. */
const isRepeat = (exitedAt: Date, at: string | undefined) => at === undefined || exitedAt.getTime() === Date.parse(at)

/** The exit that an earlier request has made, if this is the same one again. */
export const repeated =
  (pool: Pool) =>
  async (
    organizationId: number,
    id: number,
    secretHash: Buffer,
    at: string | undefined
  ): Promise<string | undefined> => {
    const { rows } = await pool.query<{ readonly exited_at: Date }>({
      name: "closed",
      text: CLOSED,
      values: [organizationId, id, secretHash]
    })
    return rows[0] !== undefined && isRepeat(rows[0].exited_at, at) ? rows[0].exited_at.toISOString() : undefined
  }

/** What reads: the same for every peer that speaks SQL with pg. */
export const makeReads = (pool: Pool): Pick<Stays, "count" | "list"> => ({
  count: async (organizationId, administratorId) => {
    const { rows } = await pool.query<{ readonly level: string | null; readonly counter: number }>({
      name: "count",
      text: COUNT,
      values: [organizationId, administratorId]
    })
    return rows[0]
  },

  list: async (organizationId, tokens) => {
    const { ids, tokenFor } = parseTokens(tokens)
    const { rows } = await pool.query<ListedRow>({ name: "list", text: LIST, values: [organizationId, ids] })
    return rows.flatMap(({ id, secret_hash, entered_at, exited_at }): ReadonlyArray<Access> => {
      const exitToken = tokenFor(id, secret_hash)
      const entranceTimestamp = entered_at.toISOString()
      return exitToken === undefined
        ? []
        : [{ id, organizationId, entranceTimestamp, exitTimestamp: exited_at.toISOString(), exitToken }]
    })
  }
})

/** Every movement is one statement. */
export const makeStays = (pool: Pool): Stays => {
  const again = repeated(pool)
  return {
    ...makeReads(pool),

    enter: async (organizationId, at) => {
      const secret = newSecret()
      const { rows } = await pool.query<{ readonly id: number }>({
        name: "enter",
        text: ENTER,
        values: [organizationId, hashOf(secret), at]
      })
      return rows[0] === undefined ? undefined : tokenOf(rows[0].id, secret)
    },

    leave: async (organizationId, token, at) => {
      const parsed = parseToken(token)
      if (parsed === undefined) return undefined
      const exit = at ?? new Date().toISOString()
      const { rowCount } = await pool.query({
        name: "leave",
        text: LEAVE,
        values: [organizationId, parsed.id, parsed.secretHash, exit]
      })
      return rowCount === 1 ? exit : again(organizationId, parsed.id, parsed.secretHash, at)
    }
  }
}
