/** The port for what is told of premises: recorded movements become events here, which streams and webhooks read. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Stream from "effect/Stream"
import type { OrganizationId } from "../../domain/shared/Ids.ts"
import type { FeedVersion, PresenceEvent, PresenceHead } from "../../domain/feed/PresenceEvent.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** A position in the feed of an organization: after the event of this version. 0: before the first. */
export interface FeedPosition {
  readonly organizationId: OrganizationId
  readonly version: FeedVersion
}

/** Everything that an organization's feed told up to a version. */
export interface PresenceSnapshot extends FeedPosition {
  /** The organization as a whole, then its places by id. */
  readonly heads: readonly [PresenceHead, ...ReadonlyArray<PresenceHead>]
}

/** What follows a position in a feed. */
export type FeedPage =
  | {
      readonly _tag: "Events"
      readonly organizationId: OrganizationId
      /** Without gaps, from the version after the position on; none where nothing follows. */
      readonly events: ReadonlyArray<PresenceEvent>
    }
  /** The position is before events that were forgotten, or after the last one: it is of another feed. */
  | {
      readonly _tag: "Unknown"
      readonly organizationId: OrganizationId
      /** The nearest position that is known: before the first event that is kept, or after the last one. */
      readonly nearest: FeedVersion
    }
  /** There is no such organization. */
  | { readonly _tag: "Gone"; readonly organizationId: OrganizationId }

/** What was told, and what is left. */
export interface Told {
  /** The organizations whose feeds have new events. */
  readonly organizations: ReadonlyArray<OrganizationId>
  /** When the next of what is left may be told, because of a grain; none where nothing is left. */
  readonly nextAt: Option.Option<Timestamp>
}

/**
 * The feed of each organization: events with versions 1, 2, 3, ... without gaps, in one order, the same for every reader.
 *
 * Whatever opens or ends stays records a delta of its premises in the same step: entrances, exits, abandoned stays,
 * erasures. At any moment and for any premises the number of open stays is the `insideOf` of its head plus what
 * is recorded and not yet told. A `PresenceChanged` contains counts alone, and nothing of a person.
 *
 * - A premises' feed begins when it is created. The end of a place adds its open stays to its deltas as `left`, and tells
 *   these deltas by `tellDelta` if there are any, and then `PlaceChanged`, in the step that ends it. Creating and changing a place, and
 *   changing an organization's data, tell theirs in the step that writes them; a change that changes nothing tells nothing. A feed
 *   ends with its organization.
 * - `tell` adds up what is recorded and due, by premises, tells it by the rule `tellDelta`, and takes it from what is recorded,
 *   as one step. Due is what `tellableFrom` allows by the grain of the organization. Of calls at the same moment each delta is told
 *   by one. What another transaction is about to record is left for the next call. `at` of an event is when the last of
 *   its deltas was recorded, by the rule `eventAt`: of an organization those premises are told first whose last delta was recorded
 *   first, and of one instant the organization itself, then its places by id.
 * - With a publishing interval (`publishingIntervalOf`) due is what `publishableFrom` and `isPublishedAt` allow, `at` is the
 *   `publishingMoment`, and premises are told in the order of their ids. Whatever adds other events tells first what is due of its organization.
 *   The end of a place tells all that is recorded of it with the last moment. Counts that other ports answer are then those of the heads.
 * - `recorded` ends as soon as this process recorded a delta after its last `tell` began; at once if it did.
 * - `news` emits after each `tell` of any server, and after all else that adds events, with the organizations. It may lose some,
 *   and ends when it cannot go on: a reader looks again by itself from time to time.
 * - `snapshots` are each as of one version, in the order of the ids, without organizations that do not exist.
 * - `eventsAfter` answers a page for each position, in their order, with at most `most` events each.
 * - `epoch` is a text that changes when the stored feeds were replaced, as by restoring a backup: versions may then mean other events.
 * - `forget` removes events from the first one on, up to one whose `at` is not before a time, at most `most`, and answers how many it
 *   removed. The last event of a feed stays.
 *   What it removes is in the buckets of the history before: see `HistoryStore`.
 */
export class PresenceFeed extends Context.Service<
  PresenceFeed,
  {
    readonly tell: (now: Timestamp) => Effect.Effect<Told, StoreError>
    readonly recorded: Effect.Effect<void>
    readonly news: Stream.Stream<ReadonlyArray<OrganizationId>, StoreError>
    readonly snapshots: (
      organizationIds: ReadonlyArray<OrganizationId>
    ) => Effect.Effect<ReadonlyArray<PresenceSnapshot>, StoreError>
    readonly eventsAfter: (
      positions: ReadonlyArray<FeedPosition>,
      most: number
    ) => Effect.Effect<ReadonlyArray<FeedPage>, StoreError>
    readonly epoch: Effect.Effect<string, StoreError>
    readonly forget: (before: Timestamp, most: number) => Effect.Effect<number, StoreError>
  }
>()("@sojourn/core/PresenceFeed") {}
