/** The floor of a place. Devices compute it as well, so this module does without Effect. */

/**
 * The smallest and the largest level of a place.
 *
 * @since 0.1.0
 * @category constants
 */
export const LEVELS = { smallest: -100, largest: 300 } as const

/**
 * The level in effect of a place: its own, else that of its parent, else 0 (spec: organizations#hierarchy).
 *
 * @since 0.1.0
 * @category functions
 */
export const floorOf = (level: number | undefined, parentFloor: number | undefined): number => level ?? parentFloor ?? 0
