/** The authentication of the peers: the same checks of the same tokens as Sojourn's. */
import { createVerifier } from "fast-jwt"

/** The caller that a valid token names. */
export interface Caller {
  readonly id: string
  readonly kind: string
}

interface Payload {
  readonly sub: string
  readonly sojourn_kind?: string
}

const SCHEME = "Bearer "

/**
 * Reads the caller out of a header `Authorization`; undefined where the token does not prove one. The cache is as large as the
 * number of callers asks for, and finds a token by the token itself, which is quicker than by its hash; `exp` is looked at
 * on each hit.
 */
export const makeCallers = (publicKey: string): ((authorization: string | undefined) => Caller | undefined) => {
  const verify = createVerifier({
    key: publicKey,
    algorithms: ["EdDSA"],
    allowedIss: "sojourn",
    allowedAud: "sojourn",
    requiredClaims: ["exp", "sub"],
    clockTolerance: 5000,
    cache: 20_000,
    cacheKeyBuilder: (token: string) => token
  })
  return (authorization) => {
    if (authorization === undefined || !authorization.startsWith(SCHEME)) return undefined
    try {
      const { sub, sojourn_kind }: Payload = verify(authorization.slice(SCHEME.length))
      return sojourn_kind === undefined ? undefined : { id: sub, kind: sojourn_kind }
    } catch {
      return undefined
    }
  }
}
