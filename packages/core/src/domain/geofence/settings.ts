/** The settings of a geofence. Distances are in metres, times in milliseconds. */
export interface GeofenceSettings {
  /** A fix may come this much later than a newer one, and is put in order. */
  readonly lateness: number
  /** How long without a fix until the state is stale. */
  readonly staleAfter: number
  /** The accuracy that devices report, in standard deviations of their error. */
  readonly reportedAccuracy: number
  /** How long errors of positions stay alike. */
  readonly correlation: number
  /** The worst accuracy of fixes that an entrance is decided by. */
  readonly worstAccuracy: number
  /** The time that the fixes behind an entrance span, and how far inside they must lie: metres, and standard deviations. */
  readonly entranceSpan: number
  readonly entranceMargin: number
  readonly entranceDepth: number
  /** The same depth, in standard deviations, of the first fix, and as long as it is not known whether the device moves. */
  readonly unknownDepth: number
  /** The same depth of a fix that decides alone: where they are sparse, or silence follows. */
  readonly aloneDepth: number
  /** The time that the fixes behind an exit span. */
  readonly exitSpan: number
  /** How far outside they must lie: metres, and standard deviations for a device that moves and for one at rest. */
  readonly exitMargin: number
  readonly exitMoving: number
  readonly exitResting: number
  /** A device is at rest after this long, if the halves of that time differ by at most so many standard deviations. */
  readonly restAfter: number
  readonly restSpread: number
  /** It moves again once its last fixes lie this many standard deviations from where it rested. */
  readonly restLeft: number
  /** The time over which the place of rest is averaged. */
  readonly restMemory: number
  /**
   * Fixes of a device at rest are held back that lie more standard deviations away than `jumpFrom`, until one is nearer than `jumpNear`, up to `jumpReach` metres and these, all at once:
   * farther from the fix before than a device walks, in metres per second, and `jumpDeviations` explain.
   */
  readonly jumpFrom: number
  readonly jumpNear: number
  readonly jumpReach: number
  readonly walk: number
  readonly jumpDeviations: number
  /** They count after this long; and after a shorter time where the device may have walked there unseen, and was not seen to jump. */
  readonly jumpLongest: number
  readonly jumpLongestWalkable: number
  /** They count at once when they lie on a way of so many metres, and standard deviations, no faster than `ride`, in metres per second. */
  readonly jumpWay: number
  readonly jumpWayDeviations: number
  readonly ride: number
  /** The time over which the scatter of the fixes of a device at rest is averaged: errors larger than claimed are believed. */
  readonly scatterMemory: number
  /** How sure the place of rest must be, in its standard errors, to hold back an entrance, to make one, and to make an exit. */
  readonly restOutside: number
  readonly restEntrance: number
  readonly restExit: number
}

/** Chosen by measurement, on other tracks than those that are reported. */
export const DEFAULTS: GeofenceSettings = {
  lateness: 30_000,
  staleAfter: 600_000,
  reportedAccuracy: 1.5,
  correlation: 30_000,
  worstAccuracy: 100,
  entranceSpan: 18_000,
  entranceMargin: 4,
  entranceDepth: -0.7,
  unknownDepth: 1.5,
  aloneDepth: 0.25,
  exitSpan: 38_000,
  exitMargin: 8,
  exitMoving: 3,
  exitResting: 3.5,
  restAfter: 118_000,
  restSpread: 2,
  restLeft: 5,
  restMemory: 300_000,
  jumpFrom: 2.5,
  jumpNear: 3.5,
  jumpReach: 300,
  walk: 2,
  jumpDeviations: 2.5,
  jumpLongest: 660_000,
  jumpLongestWalkable: 60_000,
  jumpWay: 15,
  jumpWayDeviations: 5,
  ride: 10,
  scatterMemory: 1_800_000,
  restOutside: 1.5,
  restEntrance: -0.3,
  restExit: 4
}
