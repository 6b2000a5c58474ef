/** Finds the bearer token of a request. */
import * as Redacted from "effect/Redacted"
import type { RequestHead } from "./requestHead.ts"

const BEARER = /^bearer +([^ ].*)$/i

/** The largest size of a generation, in bytes: the characters of its headers, and about the memory that holds each. */
const MAX_GENERATION_BYTES = 4 * 1024 * 1024
const ENTRY_BYTES = 200

const NONE = Redacted.make("")

/** How long a header stays in a generation, in milliseconds: an unused one stays twice as long at most. */
const MAX_GENERATION_AGE_MS = 30_000

/** The key of a header is its last characters: all of its hundreds would be hashed at each request. */
const KEY_CHARACTERS = 24

interface Sent {
  readonly header: string
  readonly credential: Redacted.Redacted<string>
}

/**
 * Makes the lookup of a head's credential, by the scheme `bearer` of the definition; empty where there is none. Recent credentials are
 * cached with their headers, as making a `Redacted` costs as much as reading a body. The cache has two generations: the older one is
 * dropped when the younger one is full or old. Each holds one header of those with the same key, and none without a credential.
 */
export const makeCredentials = (): ((head: RequestHead) => Redacted.Redacted<string>) => {
  let younger = new Map<string, Sent>()
  let older = younger
  let bytes = 0
  let since = performance.now()
  const cache = (sent: Sent, key: string) => {
    bytes += sent.header.length + ENTRY_BYTES
    younger.set(key, sent)
    return sent.credential
  }
  return ({ headers }) => {
    const header = headers["authorization"] ?? ""
    const now = performance.now()
    if (bytes >= MAX_GENERATION_BYTES || now - since >= MAX_GENERATION_AGE_MS) {
      older = younger
      younger = new Map()
      bytes = 0
      since = now
    }
    const key = header.slice(-KEY_CHARACTERS)
    const recent = younger.get(key)
    if (recent?.header === header) return recent.credential
    const earlier = older.get(key)
    if (earlier?.header === header) return cache(earlier, key)
    const credential = BEARER.exec(header)?.[1]
    return credential === undefined ? NONE : cache({ header, credential: Redacted.make(credential) }, key)
  }
}
