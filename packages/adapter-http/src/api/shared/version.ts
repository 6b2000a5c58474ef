/** The version of these packages, which all have one. `npm run release:version` writes it. */
export const VERSION = "0.1.0"
