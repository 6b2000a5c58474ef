/** Reads and encodes snapshots once for all subscribers that wait for them. */
import type { OrganizationId, PresenceFeed, PresenceSnapshot, PresenceTotals } from "@sojourn/core"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type { Feed } from "./Feed.ts"
import { type EncodedSnapshot, encodeSnapshot } from "./messages.ts"
import { makeSlices } from "./slices.ts"

/** How many snapshots are read by one statement. Each may have thousands of places. */
const SNAPSHOTS_AT_ONCE = 5

const isSameTotals = (one: PresenceTotals, other: PresenceTotals): boolean =>
  one === other ||
  (one.placeId === other.placeId &&
    one.entered === other.entered &&
    one.left === other.left &&
    one.capacity?.capacity === other.capacity?.capacity &&
    one.level === other.level)

const isSame = (one: PresenceSnapshot, other: PresenceSnapshot): boolean =>
  one.version === other.version &&
  one.totals.length === other.totals.length &&
  one.totals.every((totals, nth) => isSameTotals(totals, other.totals[nth]!))

/** Makes a reader of snapshots of some of these feeds. Organizations that do not exist are left out. */
export const makeSnapshotReader = (
  port: Pick<PresenceFeed["Service"], "snapshots">,
  feeds: ReadonlyMap<OrganizationId, Feed>
) => {
  /** The latest snapshot of each feed: where nothing has changed, all subscribers share its bytes. */
  const latest = new Map<OrganizationId, { readonly snapshot: PresenceSnapshot; readonly encoded: EncodedSnapshot }>()

  const encode = (snapshot: PresenceSnapshot): EncodedSnapshot => {
    const known = latest.get(snapshot.organizationId)
    if (known !== undefined && isSame(known.snapshot, snapshot)) return known.encoded
    const encoded = encodeSnapshot(snapshot)
    latest.set(snapshot.organizationId, { snapshot, encoded })
    return encoded
  }

  return Effect.fnUntraced(function* (organizationIds: ReadonlyArray<OrganizationId>) {
    const slices = makeSlices()
    for (const id of latest.keys()) if (!feeds.has(id)) latest.delete(id)
    const read = new Map<OrganizationId, EncodedSnapshot>()
    for (const chunk of Arr.chunksOf(organizationIds, SNAPSHOTS_AT_ONCE)) {
      for (const snapshot of yield* port.snapshots(chunk)) {
        read.set(snapshot.organizationId, encode(snapshot))
        yield* slices
      }
    }
    return read
  })
}
