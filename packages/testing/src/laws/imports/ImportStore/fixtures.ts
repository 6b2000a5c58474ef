/** What the laws of imports start from: rows, and calls of the port. */
import {
  type AccessDraft,
  ImportStore,
  type OrganizationId,
  type Premises,
  SmallestCount,
  type Timestamp
} from "@sojourn/core"
import { PlacePremises } from "@sojourn/core"
import { Effect } from "effect"
import { after } from "../../../arbitraries/times.ts"
import { aPlace, anOrganization } from "../../shared/fixtures.ts"
import { changePolicy } from "../../shared/policies.ts"
import { placeIdOf } from "../../shared/presenceFeed.ts"

/** A row without its number. */
export type Row = Omit<AccessDraft, "line">

/** A row of premises, from a time on, for so many milliseconds. */
export const rowAt = (
  premises: Premises,
  entrance: Timestamp,
  milliseconds: number,
  fields: Partial<Row> = {}
): Row => ({
  placeId: placeIdOf(premises),
  entrance,
  exit: after(entrance, milliseconds),
  ...fields
})

/** Imports rows, which are numbered from 1. */
export const importRows = (
  { id: organizationId }: { readonly id: OrganizationId },
  rows: ReadonlyArray<Row>,
  now: Timestamp
) =>
  ImportStore.use((store) =>
    store.addAccesses({ organizationId, rows: rows.map((row, n) => ({ line: n + 1, ...row })), now })
  )

/** An organization with a place, whose mean stays are answered for any number of exits. */
export const aTwin = Effect.gen(function* () {
  const fixture = yield* anOrganization()
  yield* changePolicy(fixture, { smallestCount: SmallestCount.make(1) })
  const place = PlacePremises((yield* aPlace(fixture)).id)
  return { fixture, every: [fixture.premises, place] as ReadonlyArray<Premises> }
})
