/** The public types of the geofence, in plain values that a device can store and send. */
import type { GeofenceSettings } from "./settings.ts"

/** The premises that an area is of: an organization, or a place of one. */
export type GeofencePremises =
  | { readonly organizationId: number; readonly placeId?: never }
  | { readonly placeId: number; readonly organizationId?: never }

/** Premises with their tracking area, a text as the interface has it: GeoJSON, or the older clients' form. */
export type GeofenceArea = GeofencePremises & {
  readonly trackingArea: string
  /** The level in effect. An area without one is on all levels, as that of an organization is. */
  readonly level?: number | undefined
  /** How many places lie above one another down to this one. Of areas of one depth the larger is the outer; left out: 0. */
  readonly depth?: number | undefined
}

/** A place as the server lists it. {@link placeAreas} makes areas of all places of an organization. */
export interface GeofencePlace {
  readonly id: number
  readonly trackingArea: string
  /** The place's own level. */
  readonly level?: number | undefined
  readonly parentId?: number | undefined
}

/** A fix of a positioning system. A W3C `GeolocationPosition` is one. */
export interface GeofenceFix {
  readonly coords: {
    /** Degrees, WGS84. */
    readonly latitude: number
    readonly longitude: number
    /** The radius in metres within which the true position lies with 95 % confidence, as the device claims; 0 or less: unknown. */
    readonly accuracy: number
    /** In metres per second, if the device knows it. */
    readonly speed?: number | null | undefined
  }
  /** When the position was taken, in milliseconds since 1970. */
  readonly timestamp: number
  /** The floor that the device is on, an integer from -100 to 300. Without it the position is on all levels. */
  readonly level?: number | null | undefined
  /** Whether the device moves, by sensors of its own such as those that count steps. */
  readonly moving?: boolean | null | undefined
}

/** A phone entered or left premises. */
export type GeofenceTransition = GeofencePremises & {
  readonly movement: "entrance" | "exit"
  /** When it happened, in milliseconds since 1970: the time of the first fix that showed it. */
  readonly timestamp: number
  /** Counts transitions from 1, and never repeats within one state. */
  readonly sequence: number
}

/** Premises that the device is inside of, since a time in milliseconds since 1970. */
export type GeofenceStay = GeofencePremises & { readonly since: number }

/** A circle around the last position, in degrees and metres. */
export interface GeofenceCircle {
  readonly latitude: number
  readonly longitude: number
  readonly radius: number
}

/** Decides from fixes when a device enters and leaves areas. */
export interface Geofence {
  /** Takes a fix, and answers the transitions that it decides. Never throws: what is no fix is ignored and counted. */
  readonly push: (fix: GeofenceFix) => ReadonlyArray<GeofenceTransition>
  /** Takes the time, in milliseconds since 1970, and answers the transitions that time alone decides. */
  readonly tick: (now: number) => ReadonlyArray<GeofenceTransition>
  /** The premises that the device is inside of, outer before inner. */
  readonly inside: () => ReadonlyArray<GeofenceStay>
  /** A circle inside which nothing changes on the level of the last fix, or undefined while none is known. */
  readonly nextCheck: () => GeofenceCircle | undefined
  /** Whether no fix has been taken for long, by the times of fixes and ticks. */
  readonly stale: () => boolean
  /** How many fixes were ignored, because they were no fixes, repeated, too late, or of a wrong clock. */
  readonly ignored: () => number
  /** The same by the part of the fix that was the reason. */
  readonly ignoredFor: () => Readonly<Record<"accuracy" | "timestamp" | "coordinates" | "level", number>>
  /** Takes other areas in place of these. The device leaves those that are gone. Throws as {@link makeGeofence} does. */
  readonly update: (areas: ReadonlyArray<GeofenceArea>) => ReadonlyArray<GeofenceTransition>
  /** The whole state without the areas, to be saved as JSON. */
  readonly toJSON: () => GeofenceState
}

/** What can be set. Every setting has a default. */
export type GeofenceOptions = Partial<GeofenceSettings>

/** A saved state. Its content may change with its version: nothing but {@link makeGeofence} reads it. */
export interface GeofenceState {
  readonly version: 1
}
