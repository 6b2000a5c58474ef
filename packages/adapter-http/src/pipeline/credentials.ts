/** Finds the bearer token of a request. */
import { TwoGenerationCache } from "@sojourn/core"
import * as Redacted from "effect/Redacted"
import type { RequestHead } from "./requestHead.ts"

const BEARER = /^bearer +([^ ].*)$/i

/** The largest size of a generation, in bytes: the characters of its headers, and about the memory that holds each. */
const MAX_GENERATION_BYTES = 8 * 1024 * 1024
const ENTRY_BYTES = 200

/** How long a header stays in a generation, in milliseconds: an unused one stays twice as long at most. */
const MAX_GENERATION_AGE_MS = 30_000

/** The key of a header is its last characters: all of its hundreds would be hashed at each request. */
const KEY_CHARACTERS = 24

/** The credential of a header, by the scheme `bearer` of the definition; empty where there is none. */
export interface Credential {
  readonly header: string
  readonly token: Redacted.Redacted<string>
  isKept: boolean
}

/** The credentials of recent requests, each the same object at every request: the authenticator caches by it what it verified. */
export interface Credentials {
  readonly find: (head: RequestHead) => Credential
  /** Keeps a credential that was accepted. Others would evict them. */
  readonly keep: (credential: Credential) => void
}

/** Makes a cache of credentials by their headers: one of those with the same key. */
export const makeCredentials = (): Credentials => {
  const cache = new TwoGenerationCache<string, Credential>(
    MAX_GENERATION_BYTES,
    ({ header }) => header.length + ENTRY_BYTES
  )
  let turnedAt = performance.now()
  return {
    find: ({ headers }) => {
      const header = headers["authorization"] ?? ""
      const now = performance.now()
      if (now - turnedAt >= MAX_GENERATION_AGE_MS) {
        cache.turn()
        turnedAt = now
      }
      const known = cache.get(header.slice(-KEY_CHARACTERS))
      if (known?.header === header) return known
      return { header, token: Redacted.make(BEARER.exec(header)?.[1] ?? ""), isKept: false }
    },
    keep: (credential) => {
      if (credential.isKept) return
      credential.isKept = true
      cache.set(credential.header.slice(-KEY_CHARACTERS), credential)
    }
  }
}
