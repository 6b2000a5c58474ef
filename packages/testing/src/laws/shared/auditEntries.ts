/** The audit as laws read it. */
import { AuditLog, type AuditQuery, Timestamp } from "@sojourn/core"
import { Effect } from "effect"
import type { OrganizationFixture } from "./fixtures.ts"

/** All entries, as few as there are in laws. */
export const ALL_ENTRIES: AuditQuery = { from: Timestamp(0), to: Timestamp(Date.UTC(9999)), limit: 1_000 }

/** The entries of an organization, the oldest first, without what it takes to make it. */
export const entriesOf = ({ id, owner }: OrganizationFixture) =>
  Effect.map(
    AuditLog.use((audit) => audit.list({ ...ALL_ENTRIES, organizationId: id, administratorId: owner })),
    ({ entries }) => entries.filter(({ action }) => action !== "organization.create").toReversed()
  )
