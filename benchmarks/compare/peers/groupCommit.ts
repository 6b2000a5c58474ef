/** `Stays` by pg with group commit: what a good engineer adds to `pg.ts` for throughput. */
import type { Pool } from "pg"
import { hashOf, newSecret, parseToken, tokenOf } from "./ExitToken.ts"
import { makeReads, repeated, type Stays } from "./pg.ts"

interface PendingItem<Item, Written> {
  readonly item: Item
  readonly resolve: (written: Written) => void
  readonly reject: (error: unknown) => void
}

/** The largest batch of one statement. */
const MAX_BATCH = 256

/**
 * Writes items together: while one batch is being written the next collects. `write` answers in the order of the items,
 * after its commit.
 */
const makeBatchQueue = <Item, Written>(
  write: (items: ReadonlyArray<Item>) => Promise<ReadonlyArray<Written>>
): ((item: Item) => Promise<Written>) => {
  let waiting: Array<PendingItem<Item, Written>> = []
  let isWriting = false

  const drain = async () => {
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting.length <= MAX_BATCH ? waiting : waiting.slice(0, MAX_BATCH)
      waiting = waiting.length <= MAX_BATCH ? [] : waiting.slice(MAX_BATCH)
      try {
        const written = await write(batch.map(({ item }) => item))
        for (let at = 0; at < batch.length; at++) batch[at]!.resolve(written[at]!)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isWriting = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isWriting) void drain()
    })
}

const ENTER = `
with entering as materialized (
  select nextval('stay_id') as id, input.organization_id, input.secret_hash, input.entered_at, input.nth
  from unnest($1::bigint[], $2::bytea[], $3::timestamptz[]) with ordinality
    as input (organization_id, secret_hash, entered_at, nth)
  join organization o on o.id = input.organization_id
),
opened as (
  insert into open_stay (organization_id, id, secret_hash, entered_at)
  select organization_id, id, secret_hash, entered_at from entering
)
select id, nth::int as nth from entering`

const LEAVE = `
with input as materialized (
  select * from unnest($1::bigint[], $2::bigint[], $3::bytea[], $4::timestamptz[]) with ordinality
    as input (organization_id, id, secret_hash, exited_at, nth)
),
left_stay as (
  delete from open_stay s
  using input
  where s.organization_id = input.organization_id and s.id = input.id and s.secret_hash = input.secret_hash
    and s.entered_at <= input.exited_at
  returning s.organization_id, s.id, s.secret_hash, s.entered_at, input.exited_at, input.nth
),
kept as (
  insert into stay (organization_id, id, secret_hash, entered_at, exited_at)
  select organization_id, id, secret_hash, entered_at, exited_at from left_stay
)
select nth::int as nth from left_stay`

interface Entrance {
  readonly organizationId: number
  readonly secretHash: Buffer
  readonly at: string
}

interface Exit extends Entrance {
  readonly id: number
}

/** Movements that wait at the same moment are one statement: a queue for entrances, and one for exits. */
export const makeGroupCommitStays = (pool: Pool): Stays => {
  const enter = makeBatchQueue<Entrance, number | undefined>(async (entrances) => {
    const { rows } = await pool.query<{ readonly id: number; readonly nth: number }>({
      name: "enter",
      text: ENTER,
      values: [
        entrances.map(({ organizationId }) => organizationId),
        entrances.map(({ secretHash }) => secretHash),
        entrances.map(({ at }) => at)
      ]
    })
    const ids = Array.from<number | undefined>({ length: entrances.length })
    for (const { id, nth } of rows) ids[nth - 1] = id
    return ids
  })

  const leave = makeBatchQueue<Exit, boolean>(async (exits) => {
    // In one order everywhere, so that two servers on one database cannot lock each other out.
    const order = exits.map((_, at) => at).sort((one, other) => exits[one]!.id - exits[other]!.id)
    const { rows } = await pool.query<{ readonly nth: number }>({
      name: "leave",
      text: LEAVE,
      values: [
        order.map((at) => exits[at]!.organizationId),
        order.map((at) => exits[at]!.id),
        order.map((at) => exits[at]!.secretHash),
        order.map((at) => exits[at]!.at)
      ]
    })
    const hasLeft = exits.map(() => false)
    for (const { nth } of rows) hasLeft[order[nth - 1]!] = true
    return hasLeft
  })

  const again = repeated(pool)
  return {
    ...makeReads(pool),

    enter: async (organizationId, at) => {
      const secret = newSecret()
      const id = await enter({ organizationId, secretHash: hashOf(secret), at })
      return id === undefined ? undefined : tokenOf(id, secret)
    },

    leave: async (organizationId, token, at) => {
      const parsed = parseToken(token)
      if (parsed === undefined) return undefined
      const exit = at ?? new Date().toISOString()
      return (await leave({ organizationId, ...parsed, at: exit }))
        ? exit
        : again(organizationId, parsed.id, parsed.secretHash, at)
    }
  }
}
