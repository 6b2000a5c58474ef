import * as Result from "effect/Result"
import { X509Certificate } from "node:crypto"
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls"
import { InvalidOptions } from "./Options.ts"

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

/**
 * Makes a TLS context that trusts Node's authorities and these certificates, with TLS 1.2 as the minimum. It is made once,
 * because reading 150 certificates takes longer than a bind.
 */
export const secureContextOf = (certificates: ReadonlyArray<string>): Result.Result<SecureContext, InvalidOptions> =>
  Result.try({
    try: () => {
      const more = certificates.flatMap((text) => {
        const found = text.match(CERTIFICATE) ?? []
        // OpenSSL skips what it cannot read, and everything would seem to be in order.
        if (found.length === 0) throw new TypeError("no certificate")
        return found.map((one) => new X509Certificate(one).toString())
      })
      return createSecureContext({ ca: [...getCACertificates("default"), ...more], minVersion: "TLSv1.2" })
    },
    catch: () => new InvalidOptions({ reason: "certificates must be PEM certificates" })
  })
