/** The way back from an OpenID Connect issuer: what is kept meanwhile, and what the address brings. */
import { replaceAddress } from "../shared/session.ts"

/** What is kept in the tab while its administrator is at an issuer. It holds no token. */
interface PendingSignIn {
  readonly issuer: string
  readonly state: string
  readonly nonce: string
  /** The secret of PKCE, which only the tab that left can show. */
  readonly verifier: string
  readonly keep: boolean
  /** The page's address before, behind its path. */
  readonly fragment: string
  /** Whether another window waits for the token, on the channel of the state. */
  readonly isAwaited: boolean
}

export interface Redirect {
  readonly answer: URLSearchParams
  readonly pending: PendingSignIn
}

const STORAGE_KEY = "sojourn.pendingSignIn"

export const savePendingSignIn = (pending: PendingSignIn, storage: Storage): void =>
  storage.setItem(STORAGE_KEY, JSON.stringify(pending))

/**
 * Takes the answer of an issuer out of the address bar and the history, if one is there and this tab asked for it. It is taken once:
 * an address that is opened again finds nothing to go on with.
 */
export const takeRedirect = (): Redirect | undefined => {
  const answer = new URLSearchParams(location.search)
  if (!answer.has("state")) return undefined
  const kept = sessionStorage.getItem(STORAGE_KEY)
  sessionStorage.removeItem(STORAGE_KEY)
  const pending = kept === null ? undefined : (JSON.parse(kept) as PendingSignIn)
  replaceAddress("", pending?.fragment ?? "")
  return pending === undefined || answer.get("state") !== pending.state ? undefined : { answer, pending }
}
