/** The exit tokens of the peers: an id and a secret, of which the database holds the hash. */
import { hash, randomUUID } from "node:crypto"

/** The secret of a new token: 122 random bits. */
export const newSecret = (): string => randomUUID()

/** What is stored of a secret. */
export const hashOf = (secret: string): Buffer => hash("sha256", secret, "buffer")

/** The token of a stay. */
export const tokenOf = (id: number, secret: string): string => `${id}.${secret}`

/** What a token says; nothing where it is none. */
export const parseToken = (token: string): { readonly id: number; readonly secretHash: Buffer } | undefined => {
  const match = /^([1-9]\d{0,15})\.([0-9a-f-]{36})$/.exec(token)
  return match === null ? undefined : { id: Number(match[1]), secretHash: hashOf(match[2]!) }
}

const keyOf = (id: number, secretHash: Buffer) => `${id} ${secretHash.toString("latin1")}`

/** The stays that some tokens may be of, and which token is that of a stay which was found. What is no token is left out. */
export const parseTokens = (tokens: ReadonlyArray<string>) => {
  const tokenByKey = new Map<string, string>()
  const ids: Array<number> = []
  for (const token of tokens) {
    const parsed = parseToken(token)
    if (parsed === undefined) continue
    ids.push(parsed.id)
    tokenByKey.set(keyOf(parsed.id, parsed.secretHash), token)
  }
  return { ids, tokenFor: (id: number, secretHash: Buffer) => tokenByKey.get(keyOf(id, secretHash)) }
}
