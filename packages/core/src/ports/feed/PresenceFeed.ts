/** The port for what is published of premises: recorded movements become events here, which streams and webhooks read. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Stream from "effect/Stream"
import type { OrganizationId } from "../../domain/shared/Ids.ts"
import type { FeedVersion, PresenceEvent, PresenceTotals } from "../../domain/feed/PresenceEvent.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** A position in the feed of an organization: after the event of this version. 0: before the first. */
export interface FeedPosition {
  readonly organizationId: OrganizationId
  readonly version: FeedVersion
}

/** Everything that an organization's feed published up to a version. */
export interface PresenceSnapshot extends FeedPosition {
  /** The organization as a whole, then its places by id. */
  readonly totals: readonly [PresenceTotals, ...ReadonlyArray<PresenceTotals>]
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

/** What was published, and what is left. */
export interface Published {
  /** The organizations whose feeds have new events. */
  readonly organizations: ReadonlyArray<OrganizationId>
  /** When the next of what is left may be published, because of a interval; none where nothing is left. */
  readonly nextAt: Option.Option<Timestamp>
}

/**
 * The feed of each organization: events with versions 1, 2, 3, ... without gaps, in one order, the same for every reader.
 *
 * Whatever opens or ends stays records a change of its premises in the same step: entrances, exits, abandoned stays,
 * erasures. At any moment and for any premises the number of open stays is the `insideOf` of its totals plus what
 * is recorded and not yet published. A `PresenceChanged` contains counts alone, and nothing of a person.
 *
 * - A premises' feed begins when it is created. The end of a place adds its open stays to its changes as `left`, and publishes
 *   these changes by `publishChange` if there are any, and then `PlaceChanged`, in the step that ends it. Creating and changing a place, and
 *   changing an organization's data, publish theirs in the step that writes them; a change that changes nothing publishes nothing. A feed
 *   ends with its organization.
 * - `publish` adds up what is recorded and due, by premises, publishes it by the rule `publishChange`, and takes it from what is recorded,
 *   as one step. Due is what `publishableFrom` allows by the interval of the organization. Of calls at the same moment each change is published
 *   by one. What another transaction is about to record is left for the next call. `at` of an event is when the last of
 *   its changes was recorded, by the rule `eventAt`: of an organization those premises are published first whose last change was recorded
 *   first, and of one instant the organization itself, then its places by id.
 * - With a publishing interval (`publishingIntervalOf`) due is what `nextPublishingMoment` and `isPublishedAt` allow, `at` is the
 *   `publishingMoment`, and premises are published in the order of their ids. Whatever adds other events publishes first what is due of its organization.
 *   The end of a place publishes all that is recorded of it with the last moment. Counts that other ports answer are then those of the totals.
 * - `appended` ends as soon as this process appended a change after its last `publish` began; at once if it did.
 * - `notifications` emits after each `publish` of any server, and after all else that adds events, with the organizations. It may lose some,
 *   and ends when it cannot go on: a reader looks again by itself from time to time.
 * - `snapshots` are each as of one version, in the order of the ids, without organizations that do not exist.
 * - `eventsAfter` answers a page for each position, in their order, with at most `most` events each.
 * - `generation` is a text that changes when the stored feeds were replaced, as by restoring a backup: versions may then mean other events.
 * - `forget` removes events from the first one on, up to one whose `at` is not before a time, at most `most`, and answers how many it
 *   removed. The last event of a feed stays.
 *   What it removes is in the buckets of the history before: see `HistoryStore`.
 */
export class PresenceFeed extends Context.Service<
  PresenceFeed,
  {
    readonly publish: (now: Timestamp) => Effect.Effect<Published, StoreError>
    readonly appended: Effect.Effect<void>
    readonly notifications: Stream.Stream<ReadonlyArray<OrganizationId>, StoreError>
    readonly snapshots: (
      organizationIds: ReadonlyArray<OrganizationId>
    ) => Effect.Effect<ReadonlyArray<PresenceSnapshot>, StoreError>
    readonly eventsAfter: (
      positions: ReadonlyArray<FeedPosition>,
      most: number
    ) => Effect.Effect<ReadonlyArray<FeedPage>, StoreError>
    readonly generation: Effect.Effect<string, StoreError>
    readonly forget: (before: Timestamp, most: number) => Effect.Effect<number, StoreError>
  }
>()("@sojourn/core/PresenceFeed") {}
