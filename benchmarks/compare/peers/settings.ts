/** What the comparison tells a peer by its environment. */
const wanted = (name: string): string => {
  const value = process.env[name]
  if (value === undefined || value === "") throw new Error(`${name} is missing`)
  return value
}

/** The database; `bare` has none. */
export const databaseUrl = (): string => wanted("DATABASE_URL")

/** The public half of the issuer's key, in PEM. */
export const publicKey = (): string => wanted("PUBLIC_KEY")

/** Whether a verified token is believed again without its signature being computed. */
export const isTokenCacheOn = (): boolean => process.env.TOKEN_CACHE !== "off"

/** How many connections to the database. */
export const CONNECTIONS = 16
