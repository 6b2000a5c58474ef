/** Finds the bearer token of a request. */
import * as Redacted from "effect/Redacted"
import type { RequestHead } from "./requestHead.ts"

const BEARER = /^bearer +([^ ].*)$/i

/** How much is remembered, twice, in bytes: of a header its characters, and about what holds it. */
const MAX_REMEMBERED_BYTES = 4 * 1024 * 1024
const HELD_BY = 200

const NONE = Redacted.make("")

/** How long an unused header stays in the cache, in milliseconds; at most twice as long. */
const REMEMBERED_FOR = 30_000

/** A header is looked for by its last characters: to find it by all of them, each of some hundreds would be hashed anew. */
const LAST_CHARACTERS = 24

interface Sent {
  readonly header: string
  readonly credential: Redacted.Redacted<string>
}

/**
 * Finds the credential of a head, as the scheme `bearer` of the definition finds it; empty where there is none. Mostly what was
 * sent lately is sent again: it is remembered hidden, as hiding it anew costs as much as reading a body. There are two
 * generations, of which the older is forgotten when the younger is full or old; of headers that end alike each knows one. Who
 * sends no credential is not remembered.
 */
export const makeCredentials = (): ((head: RequestHead) => Redacted.Redacted<string>) => {
  let younger = new Map<string, Sent>()
  let older = younger
  let remembered = 0
  let since = performance.now()
  const remember = (sent: Sent, last: string) => {
    remembered += sent.header.length + HELD_BY
    younger.set(last, sent)
    return sent.credential
  }
  return ({ headers }) => {
    const header = headers["authorization"] ?? ""
    const now = performance.now()
    if (remembered >= MAX_REMEMBERED_BYTES || now - since >= REMEMBERED_FOR) {
      older = younger
      younger = new Map()
      remembered = 0
      since = now
    }
    const last = header.slice(-LAST_CHARACTERS)
    const recent = younger.get(last)
    if (recent?.header === header) return recent.credential
    const earlier = older.get(last)
    if (earlier?.header === header) return remember(earlier, last)
    const credential = BEARER.exec(header)?.[1]
    return credential === undefined ? NONE : remember({ header, credential: Redacted.make(credential) }, last)
  }
}
