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
  /** When the next of what is left may be published, because of an interval; none where nothing is left. */
  readonly nextAt: Option.Option<Timestamp>
}

/**
 * The feed of each organization: events with versions 1, 2, 3, ... without gaps, in one order, the same for every reader
 * (spec: feed#versions).
 *
 * Whatever opens or ends stays appends a pending change of its premises in the same step: entrances, exits, abandoned stays, erasures.
 * At any moment and for any premises the number of open stays is the `insideOf` of its totals plus what is pending. A `PresenceChanged` contains counts alone, and nothing of a person. Law: `feed/PresenceFeed/histories.ts` "the
 * events of any history have no gaps and add up to the open stays".
 *
 * A premises' feed begins when it is created. The end of a place publishes its people as `left` by `publishChange` if there are
 * any, and then `PlaceChanged`, in the step that ends it (laws: `feed/PresenceFeed/administrativeEvents.ts`). Creating and changing a place,
 * and changing an organization's data, add their events in the step that writes them; a change that changes nothing adds
 * none. A feed ends with its organization.
 *
 * With a publishing interval (`publishingIntervalOf`) due is what `nextPublishingMoment` and `isPublishedAt` allow, `at` is the
 * `publishingMoment`, and premises are published in the order of their ids. Whatever adds other events publishes first what
 * is due of its organization. The end of a place publishes all that is recorded of it with the last moment. Counts that other
 * ports answer are then those of the totals. Laws: `feed/PresenceFeed/publishingIntervals.ts`.
 */
export class PresenceFeed extends Context.Service<
  PresenceFeed,
  {
    /**
     * Publishes what is recorded and due, added up by premises, by the rule `publishChange`, as one step.
     * Due is what `publishableFrom` allows by the interval of the organization. What another transaction is about to record is left
     * for the next call. `at` of an event is when the last of its changes was recorded, by the rule `eventAt`: of an
     * organization the premises whose last change was recorded first come first, and of one instant the organization itself,
     * then its places by id.
     * Concurrent calls publish each change exactly once.
     * Laws: `feed/PresenceFeed/races.ts` "concurrent publishes publish each movement of ... once", "a publish includes every movement
     * of ... that was answered before it"; `feed/PresenceFeed/movements.ts` "premises are published in the order in which they
     * were recorded, then the organization before its places".
     */
    readonly publish: (now: Timestamp) => Effect.Effect<Published, StoreError>
    /**
     * Ends once this process appended a change after its last `publish` began; at once if it did.
     * Law: `feed/PresenceFeed/pagesAndSnapshots.ts` "appended ends when a change is appended after the last publish began".
     */
    readonly appended: Effect.Effect<void>
    /**
     * Emits the organizations with new events, after each `publish` of any server and after all else that adds events.
     * It may lose some, and ends when it cannot go on: a reader polls by itself from time to time.
     * Law: `feed/PresenceFeed/pagesAndSnapshots.ts` "notifications name the organizations with new events".
     */
    readonly notifications: Stream.Stream<ReadonlyArray<OrganizationId>, StoreError>
    /**
     * Reads each organization's totals as of one version, in the order of the ids.
     * Organizations that do not exist are left out.
     * Law: `feed/PresenceFeed/pagesAndSnapshots.ts` "snapshots are ordered by id, each once, without organizations that do not exist".
     */
    readonly snapshots: (
      organizationIds: ReadonlyArray<OrganizationId>
    ) => Effect.Effect<ReadonlyArray<PresenceSnapshot>, StoreError>
    /**
     * Reads a page of at most `most` events after each position, in the order of the positions.
     * Concurrent readers see the same events.
     * Laws: `feed/PresenceFeed/pagesAndSnapshots.ts` "a page begins after its position and has at most the requested number of
     * events", "a position after the last event is unknown, and the last one nearest"; `feed/PresenceFeed/races.ts`
     * "concurrent readers see the same events".
     */
    readonly eventsAfter: (
      positions: ReadonlyArray<FeedPosition>,
      most: number
    ) => Effect.Effect<ReadonlyArray<FeedPage>, StoreError>
    /**
     * Reads a text that changes when the stored feeds were replaced, as by restoring a backup: versions may then mean other
     * events.
     * Law: `feed/PresenceFeed/pagesAndSnapshots.ts` "the generation is the same text each time".
     */
    readonly generation: Effect.Effect<string, StoreError>
    /**
     * Removes events from the first one on, before a time, at most `most`, and answers how many.
     * It stops at an event whose `at` is not before the time. The last event of a feed stays. What it removes is in the
     * buckets of the history before: see `HistoryStore`.
     * Laws: `feed/PresenceFeed/pagesAndSnapshots.ts` "forget removes the oldest events before a time, and keeps the last of a feed",
     * "forget removes at most the requested number of events of all feeds"; `history/HistoryStore/index.ts` "what the feed forgets
     * stays in the history".
     */
    readonly forget: (before: Timestamp, most: number) => Effect.Effect<number, StoreError>
  }
>()("@sojourn/core/PresenceFeed") {}
