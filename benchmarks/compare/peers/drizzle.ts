/** `Stays` by drizzle, each movement one prepared statement. */
import { and, eq, lte, sql } from "drizzle-orm"
import { drizzle } from "drizzle-orm/node-postgres"
import { hashOf, newSecret, parseToken, parseTokens, tokenOf } from "./ExitToken.ts"
import { makePool } from "./pg.ts"
import type { Stays } from "./Stays.ts"
import { openStay, organization, permission, stay } from "./tables.ts"

const organizationId = sql.placeholder("organizationId")
const secretHash = sql.placeholder("secretHash")
const id = sql.placeholder("id")
const at = sql.placeholder("at")

/** The statements, each prepared once on each connection. */
const makeStatements = (db: ReturnType<typeof drizzle>) => {
  const leftStay = db.$with("left_stay").as(
    db
      .delete(openStay)
      .where(
        and(
          eq(openStay.organizationId, organizationId),
          eq(openStay.id, id),
          eq(openStay.secretHash, secretHash),
          lte(openStay.enteredAt, at)
        )
      )
      .returning()
  )
  return {
    enter: db
      .insert(openStay)
      .select(
        db
          .select({
            organizationId: organization.id,
            id: sql<number>`nextval('stay_id')`.as("id"),
            secretHash: sql<Buffer>`${secretHash}::bytea`.as("secret_hash"),
            enteredAt: sql<string>`${at}::timestamptz`.as("entered_at")
          })
          .from(organization)
          .where(eq(organization.id, organizationId))
      )
      .returning({ id: openStay.id })
      .prepare("enter"),

    leave: db
      .with(leftStay)
      .insert(stay)
      .select(
        db
          .select({
            organizationId: leftStay.organizationId,
            id: leftStay.id,
            secretHash: leftStay.secretHash,
            enteredAt: leftStay.enteredAt,
            exitedAt: sql<string>`${at}::timestamptz`.as("exited_at")
          })
          .from(leftStay)
      )
      .prepare("leave"),

    closed: db
      .select({ exitedAt: stay.exitedAt })
      .from(stay)
      .where(and(eq(stay.organizationId, organizationId), eq(stay.id, id), eq(stay.secretHash, secretHash)))
      .prepare("closed"),

    count: db
      .select({ level: permission.level, counter: db.$count(openStay, eq(openStay.organizationId, organizationId)) })
      .from(organization)
      .leftJoin(
        permission,
        and(
          eq(permission.organizationId, organization.id),
          eq(permission.administratorId, sql.placeholder("administratorId"))
        )
      )
      .where(eq(organization.id, organizationId))
      .prepare("count"),

    list: db
      .select({ id: stay.id, secretHash: stay.secretHash, enteredAt: stay.enteredAt, exitedAt: stay.exitedAt })
      .from(stay)
      .where(and(eq(stay.organizationId, organizationId), sql`${stay.id} = any(${sql.placeholder("ids")}::bigint[])`))
      .orderBy(stay.enteredAt, stay.id)
      .prepare("list")
  }
}

const utc = (stored: string) => new Date(stored).toISOString()

/** Every movement is one statement, written by drizzle. */
export const makeDrizzleStays = (): Stays => {
  const statements = makeStatements(drizzle({ client: makePool() }))
  return {
    enter: async (organizationId, at) => {
      const secret = newSecret()
      const [row] = await statements.enter.execute({ organizationId, secretHash: hashOf(secret), at })
      return row === undefined ? undefined : tokenOf(row.id, secret)
    },

    leave: async (organizationId, token, at) => {
      const parsed = parseToken(token)
      if (parsed === undefined) return undefined
      const exit = at ?? new Date().toISOString()
      const { rowCount } = await statements.leave.execute({ organizationId, ...parsed, at: exit })
      if (rowCount === 1) return exit
      const [closed] = await statements.closed.execute({ organizationId, ...parsed })
      const exitedAt = closed === undefined ? undefined : utc(closed.exitedAt)
      return at === undefined || exitedAt === at ? exitedAt : undefined
    },

    count: async (organizationId, administratorId) => {
      const [row] = await statements.count.execute({ organizationId, administratorId })
      return row
    },

    list: async (organizationId, tokens) => {
      const { ids, tokenFor } = parseTokens(tokens)
      const rows = await statements.list.execute({ organizationId, ids })
      return rows.flatMap(({ id, secretHash, enteredAt, exitedAt }) => {
        const exitToken = tokenFor(id, secretHash)
        return exitToken === undefined
          ? []
          : [{ id, organizationId, entranceTimestamp: utc(enteredAt), exitTimestamp: utc(exitedAt), exitToken }]
      })
    }
  }
}
