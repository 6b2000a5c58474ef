/**
 * The version of these packages, which all have one. `npm run release -- version` writes it.
 *
 * @since 0.1.0
 * @category constants
 */
export const VERSION = "0.1.0"
