/** Reads and encodes snapshots once for all subscribers that wait for them. */
import type { OrganizationId, PresenceFeed, PresenceTotals, PresenceSnapshot } from "@sojourn/core"
import * as Effect from "effect/Effect"
import { inChunks } from "./chunks.ts"
import { type EncodedSnapshot, encodeSnapshot } from "./messages.ts"
import { makeSlices } from "./slices.ts"
import type { Subscribers } from "./Subscribers.ts"

/** How many snapshots are read by one statement. Each may have thousands of places. */
const SNAPSHOTS_AT_ONCE = 5

/** A snapshot, and its bytes. */
interface Kept {
  readonly snapshot: PresenceSnapshot
  readonly encoded: EncodedSnapshot
}

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

/** Makes a reader of snapshots by their organizations. Organizations that do not exist are left out. */
export const makeSnapshotReader = (port: Pick<PresenceFeed["Service"], "snapshots">, subscribers: Subscribers) => {
  /** The latest snapshot of each feed: where nothing has changed, all subscribers share its bytes. */
  const kept = new Map<OrganizationId, Kept>()

  const encode = (snapshot: PresenceSnapshot): EncodedSnapshot => {
    const { organizationId } = snapshot
    const known = kept.get(organizationId)
    if (known !== undefined && isSame(known.snapshot, snapshot)) return known.encoded
    const encoded = encodeSnapshot(snapshot)
    kept.set(organizationId, { snapshot, encoded })
    return encoded
  }

  return Effect.fnUntraced(function* (organizationIds: Iterable<OrganizationId>) {
    const slices = makeSlices()
    for (const id of kept.keys()) if (!subscribers.feeds.has(id)) kept.delete(id)
    const read = new Map<OrganizationId, EncodedSnapshot>()
    for (const chunk of inChunks([...organizationIds], SNAPSHOTS_AT_ONCE)) {
      for (const snapshot of yield* port.snapshots(chunk)) {
        read.set(snapshot.organizationId, encode(snapshot))
        yield* slices
      }
    }
    return read
  })
}
