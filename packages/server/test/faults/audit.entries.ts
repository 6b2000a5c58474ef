/** Audits the entries of the audit: each change that was made has exactly one. */
import type { DatabaseAddress } from "@sojourn/adapter-postgres"
import { query } from "./audit.database.ts"
import type { Ledger } from "./Ledger.ts"

interface Described {
  readonly organization_id: bigint
  readonly description: string | null
}

interface Entry {
  readonly organization_id: bigint
  readonly before: string | null
  readonly after: string | null
}

/**
 * Compares the entries with what is stored, while no request is in flight. Those of an organization's description go on from each other up to the
 * present one: else a change has no entry, or an entry no change.
 */
export const auditEntries = async (address: DatabaseAddress, ledger: Ledger): Promise<void> => {
  const present = await query<Described>(address, "select id as organization_id, description from organization")
  const entries = await query<Entry>(
    address,
    `select organization_id, changes->'description'->>'from' as before, changes->'description'->>'to' as after
    from audit_entry where changes ? 'description' order by id`
  )
  const byOrganization = Map.groupBy(entries, (entry) => entry.organization_id)
  for (const { organization_id: id, description } of present) {
    let last: string | null = null
    for (const { before, after } of byOrganization.get(id) ?? []) {
      if (before !== last) {
        ledger.fault("lost", `the audit of organization ${id} goes on from "${before}" after "${last}"`)
      }
      last = after
    }
    if (last !== description) ledger.fault("lost", `the audit of organization ${id} ends with "${last}"`)
  }
}
