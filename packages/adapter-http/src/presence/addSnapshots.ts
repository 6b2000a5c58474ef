/** Adds snapshots that were read to what waits for a subscriber. */
import type { Feed, ReadSnapshot } from "./Feed.ts"
import { resetMessage, snapshotMessage } from "./messages.ts"
import type { Subscriber } from "./Subscriber.ts"

/** Adds one message for each reason, and the events that follow the snapshots. */
export const addSnapshots = (
  subscriber: Subscriber,
  read: ReadonlyArray<readonly [Feed, Omit<ReadSnapshot, "_tag">]>
): void => {
  const reset = read.find(([, { lost }]) => lost !== undefined)?.[1]
  if (reset !== undefined) subscriber.add(resetMessage(reset.lost! < reset.snapshot.version ? "expired" : "unknown"))
  for (const [reason, group] of Map.groupBy(read, ([, one]) => one.reason)) {
    const snapshots = group.map(([, { snapshot }]) => snapshot)
    subscriber.add(snapshotMessage(reason, snapshots))
  }
  for (const [feed, { snapshot }] of read) feed.continueAfter(subscriber, snapshot.version)
}
