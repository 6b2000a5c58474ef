import { Data, Result } from "effect"
import { X509Certificate } from "node:crypto"
// As a whole: a name that an old Node lacks would keep the server's bundle from saying which Node it needs.
import * as tls from "node:tls"

/** The certificates of authorities are not PEM certificates. */
export class InvalidCertificates extends Data.TaggedError("InvalidCertificates")<{ readonly reason: string }> {
  override get message(): string {
    return this.reason
  }
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

/**
 * Makes a TLS context that trusts Node's authorities and these certificates, with TLS 1.2 as the minimum. Each text may hold several
 * certificates as PEM. Make it once, because reading 150 certificates takes longer than a handshake.
 */
export const trusting = (certificates: ReadonlyArray<string>): Result.Result<tls.SecureContext, InvalidCertificates> =>
  Result.try({
    try: () => {
      const more = certificates.flatMap((text) => {
        const found = text.match(CERTIFICATE) ?? []
        // OpenSSL skips what it cannot read, and everything would seem to be in order.
        if (found.length === 0) throw new TypeError("no certificate")
        return found.map((one) => new X509Certificate(one).toString())
      })
      return tls.createSecureContext({ ca: [...tls.getCACertificates("default"), ...more], minVersion: "TLSv1.2" })
    },
    catch: () => new InvalidCertificates({ reason: "certificates must be PEM certificates" })
  })
