/** Ends open stays without an exit. */
import type { OpenStay, Timestamp } from "@sojourn/core"
import { appendChange } from "../feed/feed.ts"
import { keepEnding } from "../musters/musters.ts"
import { endOpen, type OrganizationRecord, type PremisesStays, type State } from "../state/State.ts"

/** Abandons open stays of one premises. Returns how many. */
export const abandonStays = (
  state: State,
  organization: OrganizationRecord,
  stays: PremisesStays,
  abandoned: ReadonlyArray<OpenStay>,
  now: Timestamp
): number => {
  keepEnding(organization, abandoned, now)
  for (const stay of abandoned) endOpen(stays, stay)
  if (abandoned.length > 0) appendChange(state, stays, { left: abandoned.length, at: now })
  return abandoned.length
}
