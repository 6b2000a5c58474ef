/** The public types of the package. */
import type {
  GeofenceFix,
  GeofenceOptions,
  GeofencePremises,
  GeofenceStay,
  GeofenceTransition
} from "@sojourn/core/Geofence"

/**
 * Storage that outlives the process: `localStorage`, React Native's AsyncStorage, or anything with these three functions.
 */
export interface TrackerStorage {
  readonly getItem: (key: string) => string | null | undefined | PromiseLike<string | null | undefined>
  readonly setItem: (key: string, value: string) => unknown
  readonly removeItem: (key: string) => unknown
}

/** What the tracker sends. It fits the init of the platform's `fetch`. */
export interface TrackerRequest {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: string
  readonly redirect: "error"
  readonly cache: "no-store"
  readonly credentials: "omit"
  readonly signal?: any
}

/** What the tracker reads of an answer. A `Response` is one. */
export interface TrackerResponse {
  readonly status: number
  readonly headers: { readonly get: (name: string) => string | null }
  readonly text: () => Promise<string>
}

/** What {@link createTracker} takes. */
export interface TrackerConfig {
  /** Where the server is, without a slash at the end. */
  readonly url: string
  /** Answers a bearer token of the app's user. It is asked again when the server refuses the one before. */
  readonly token: () => string | PromiseLike<string>
  /** Where the tracker keeps its state, under keys of its own for each `url`. */
  readonly storage: TrackerStorage
  /** The platform's `fetch` when left out. */
  readonly fetch?: ((url: string, request: TrackerRequest) => PromiseLike<TrackerResponse>) | undefined
  /** The device's clock, in milliseconds since 1970. `Date.now` when left out. */
  readonly now?: (() => number) | undefined
  /** Settings of the geofence. */
  readonly options?: GeofenceOptions | undefined
}

/** A movement that the server refused for good. It is not sent again, and neither is what depends on it. */
export type RefusedMovement = GeofenceTransition & {
  /** The status of the refusal. */
  readonly status: number
  /** Why, in the server's words. */
  readonly reason: string
}

/** What a tracker knows at this moment. */
export interface TrackerStatus {
  /** The premises that the device is inside of, by its areas or by hand, and since when. */
  readonly inside: ReadonlyArray<GeofenceStay>
  /** How many movements wait to be sent. */
  readonly waiting: number
  /** The latest movements that were refused for good. */
  readonly refused: ReadonlyArray<RefusedMovement>
  /**
   * Why the last attempt at the network or the storage failed, or why no position could be used for 5 minutes; left out after one that
   * did not fail, and that could.
   */
  readonly lastError?: string
  /** Whether the device has had no position for long. */
  readonly stale: boolean
}

/** A completed stay of the user, as the server lists it. */
export interface TrackerAccess {
  readonly id: string | number
  readonly organizationId?: number
  readonly placeId?: number
  readonly entranceTimestamp: string
  readonly exitTimestamp: string
  readonly exitToken?: string
  readonly orgAuthServerId?: string
}

/** Tracks a device: positions in, entrances and exits at the server. See {@link createTracker}. */
export interface Tracker {
  /** Follows these organizations, in place of those before: loads their areas and places, and renews them now and then. */
  readonly follow: (organizationIds: ReadonlyArray<number>) => Promise<void>
  /** Takes a position. Never throws, and never waits. */
  readonly push: (position: GeofenceFix) => void
  /** Enters premises by hand. Resolves when the movement is stored. Does nothing inside of them. */
  readonly enter: (premises: GeofencePremises) => Promise<void>
  /** Leaves premises by hand. Resolves when the movement is stored. Does nothing outside of them. */
  readonly leave: (premises: GeofencePremises) => Promise<void>
  /** Sends what waits, now. Resolves when each movement is sent or its attempt has failed; never rejects. */
  readonly flush: () => Promise<void>
  /** What the tracker knows. */
  readonly status: () => TrackerStatus
  /** Calls the listener after each change of the status, until the answered function is called. */
  readonly subscribe: (listener: (status: TrackerStatus) => void) => () => void
  /** Reads the user's own accesses. Rejects with {@link TrackerError} where the server cannot be asked. */
  readonly accesses: (premises: GeofencePremises) => Promise<ReadonlyArray<TrackerAccess>>
  /** Links the user to an account of the organization's authentication server. The password is sent and not kept. */
  readonly link: (
    organizationId: number,
    credentials: { readonly username: string; readonly password: string }
  ) => Promise<{ readonly organizationId: number; readonly orgAuthServerId: string }>
  /** Removes everything that the tracker keeps on this device. The server keeps what it recorded. */
  readonly forget: () => Promise<void>
}

/** The server refused, or could not be asked. */
export class TrackerError extends Error {
  /** The status of the answer; undefined where there was none. */
  readonly status: number | undefined
  constructor(message: string, status?: number) {
    super(message)
    this.name = "TrackerError"
    this.status = status
  }
}
