/** The tables of `schema.ts` as drizzle knows them. */
import { bigint, customType, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core"

const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" })
const id = (name: string) => bigint(name, { mode: "number" }).notNull()
const instant = (name: string) => timestamp(name, { withTimezone: true, mode: "string" }).notNull()

export const organization = pgTable("organization", { id: id("id").primaryKey(), name: text("name").notNull() })

export const permission = pgTable(
  "permission",
  {
    organizationId: id("organization_id"),
    administratorId: text("administrator_id").notNull(),
    level: text("level").notNull()
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.administratorId] })]
)

const stayColumns = {
  organizationId: id("organization_id"),
  id: id("id"),
  secretHash: bytea("secret_hash").notNull(),
  enteredAt: instant("entered_at")
}

export const openStay = pgTable("open_stay", stayColumns, (table) => [
  primaryKey({ columns: [table.organizationId, table.id] })
])

export const stay = pgTable("stay", { ...stayColumns, exitedAt: instant("exited_at") }, (table) => [
  primaryKey({ columns: [table.organizationId, table.id] })
])
