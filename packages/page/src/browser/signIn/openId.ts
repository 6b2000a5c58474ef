/**
 * Signing in with an OpenID Connect issuer: the authorization code flow with PKCE (RFC 7636, S256) of a client without a secret. The
 * access token comes in the answer to a request, and never stands in an address.
 */
import type { SignInIssuer } from "../shared/PageSettings.ts"
import { claimsOf, type Session, sessionOf } from "../shared/session.ts"
import { savePendingSignIn, type Redirect } from "./redirect.ts"

/** The issuer, or its answer, is not what it has to be. `reason` is the issuer's own code, where there is one. */
export class SignInRefused extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}

interface Discovered {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  /** Whether each of its answers names it (RFC 9207). */
  readonly authorization_response_iss_parameter_supported?: boolean
}

interface Tokens {
  readonly access_token?: string
  readonly id_token?: string
}

const require = (isFine: boolean, reason: string): void => {
  if (!isFine) throw new SignInRefused(reason)
}

/** How long an issuer may take for an answer, in milliseconds. */
const TIMEOUT_MS = 20_000

const ask = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, {
    ...init,
    headers: { accept: "application/json" },
    cache: "no-store",
    signal: AbortSignal.timeout(TIMEOUT_MS)
  })

const discover = async ({ issuer }: SignInIssuer): Promise<Discovered> => {
  const answer = await ask(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`)
  const discovered = (await answer.json()) as Discovered
  require(discovered.issuer === issuer, "issuer")
  return discovered
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")

/** 256 random bits. */
const unguessable = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)))

const redirectUri = (): string => `${location.origin}/`

/**
 * Leaves the page for the issuer's own one. With another window that one goes there, and `onToken` is called with what it brings back;
 * null stands for a window that the browser did not open.
 */
export const redirectToIssuer = async (
  to: SignInIssuer,
  keep: boolean,
  other?: Window | null,
  onToken?: (token: string) => void
): Promise<void> => {
  require(other !== null, "popup")
  const { authorization_endpoint } = await discover(to)
  const url = new URL(authorization_endpoint)
  require(url.protocol === new URL(to.issuer).protocol, "authorization_endpoint")
  const [state, nonce, verifier] = [unguessable(), unguessable(), unguessable()]
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))
  const parameters = {
    scope: "openid",
    ...(to.scope !== undefined && { scope: to.scope }),
    ...to.parameters,
    response_type: "code",
    client_id: to.clientId,
    redirect_uri: redirectUri(),
    state,
    nonce,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: "S256"
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  const isAwaited = other !== undefined && other !== null
  const leaving = isAwaited ? other : globalThis
  const pending = { issuer: to.issuer, state, nonce, verifier, keep, fragment: location.hash, isAwaited }
  savePendingSignIn(pending, leaving.sessionStorage)
  if (isAwaited) {
    const channel = new BroadcastChannel(state)
    channel.addEventListener("message", ({ data }) => {
      channel.close()
      onToken?.(String(data))
    })
  }
  leaving.location.assign(url)
}

/** The ID token came straight from the issuer's token endpoint, so that its signature proves nothing more (OpenID Connect Core, 3.1.3.7). */
const checkIdToken = (token: string | undefined, { issuer, clientId }: SignInIssuer, nonce: string): void => {
  const { iss, aud, nonce: received, exp } = claimsOf(token ?? "") ?? {}
  const isFor = Array.isArray(aud) ? aud.includes(clientId) : aud === clientId
  require(iss === issuer && isFor && received === nonce && Number(exp) * 1000 > Date.now(), "id_token")
}

/** Gives the token to the window that waits for it, and closes this one. */
export const handOver = ({ token }: Session, { state }: Redirect["pending"]): void => {
  new BroadcastChannel(state).postMessage(token)
  close()
}

/** Redeems the code that the issuer answered, after the checks that it was this tab that asked for it. */
export const completeSignIn = async (
  issuers: ReadonlyArray<SignInIssuer>,
  { answer, pending }: Redirect
): Promise<Session | undefined> => {
  const from = issuers.find(({ issuer }) => issuer === pending.issuer)
  const [code, error, iss] = ["code", "error", "iss"].map((name) => answer.get(name))
  require((iss ?? pending.issuer) === pending.issuer, "iss")
  if (from === undefined || code == null) throw new SignInRefused(error ?? "code")
  const { token_endpoint, authorization_response_iss_parameter_supported } = await discover(from)
  // An answer without it may be that of another issuer, to which the code must not be given.
  require(iss !== null || authorization_response_iss_parameter_supported !== true, "iss")
  const form = {
    ...from.parameters,
    grant_type: "authorization_code",
    client_id: from.clientId,
    code,
    code_verifier: pending.verifier,
    redirect_uri: redirectUri()
  }
  const redeemed = await ask(from.tokenEndpoint ?? token_endpoint, { method: "POST", body: new URLSearchParams(form) })
  require(redeemed.ok, String(redeemed.status))
  const { id_token, access_token = "" } = (await redeemed.json()) as Tokens
  checkIdToken(id_token, from, pending.nonce)
  return sessionOf(access_token)
}
