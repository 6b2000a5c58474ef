/** The floor of a place. Devices compute it as well, so this module does without Effect. */

/** The smallest and the largest level of a place. */
export const LEVELS = { smallest: -100, largest: 300 } as const

/** The level in effect of a place: its own, else that of its parent, else 0 (spec: organizations#hierarchy). */
export const floorOf = (level: number | undefined, parentFloor: number | undefined): number => level ?? parentFloor ?? 0
