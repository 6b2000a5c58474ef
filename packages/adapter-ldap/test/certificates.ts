/** X.509 certificates for tests (RFC 5280), made here so that no program and no package has to be there for them. */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"

/** One element of DER: its tag, and its content. */
export const der = (tag: number, ...content: ReadonlyArray<Uint8Array>): Buffer => {
  const body = Buffer.concat(content)
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body])
  const length = Buffer.from(body.length.toString(16).padStart(body.length < 0x100 ? 2 : 4, "0"), "hex")
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body])
}

const sequence = (...content: ReadonlyArray<Uint8Array>) => der(0x30, ...content)
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"))
const TRUE = der(0x01, Buffer.from([0xff]))

const ECDSA_WITH_SHA256 = sequence(oid("2a8648ce3d040302"))
const COMMON_NAME = "550403"
const BASIC_CONSTRAINTS = "551d13"
const SUBJECT_ALT_NAME = "551d11"

const nameOf = (commonName: string) =>
  sequence(der(0x31, sequence(oid(COMMON_NAME), der(0x0c, Buffer.from(commonName)))))

const timeOf = (date: Date) =>
  der(0x18, Buffer.from(date.toISOString().replace(/[-:T]|\.\d+/g, ""))) /* GeneralizedTime: YYYYMMDDHHMMSSZ */

/** A certificate and its key, as PEM. */
export interface Certificate {
  readonly commonName: string
  readonly key: KeyObject
  readonly keyPem: string
  readonly pem: string
}

/** What a certificate is to say. */
export interface Wish {
  readonly commonName: string
  /** Who signs it (default: itself). */
  readonly by?: Certificate
  readonly isAuthority?: boolean
  /** Names that it is for. */
  readonly names?: ReadonlyArray<string>
  /** IPv4 addresses that it is for. */
  readonly addresses?: ReadonlyArray<string>
  /** The day on which it expires, counted from today (default 1). It is valid from 30 days ago. */
  readonly expiresInDays?: number
}

const DAY = 24 * 60 * 60 * 1000

/** Makes a certificate with a new key. */
export const certify = ({
  commonName,
  by,
  isAuthority = false,
  names = [],
  addresses = [],
  expiresInDays = 1
}: Wish): Certificate => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const alternatives = [
    ...names.map((name) => der(0x82, Buffer.from(name))),
    ...addresses.map((address) => der(0x87, Buffer.from(address.split(".").map(Number))))
  ]
  const extensions = [
    sequence(oid(BASIC_CONSTRAINTS), TRUE, der(0x04, isAuthority ? sequence(TRUE) : sequence())),
    ...(alternatives.length === 0 ? [] : [sequence(oid(SUBJECT_ALT_NAME), der(0x04, sequence(...alternatives)))])
  ]
  const now = Date.now()
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([0x40]), randomBytes(15)])),
    ECDSA_WITH_SHA256,
    nameOf(by?.commonName ?? commonName),
    sequence(timeOf(new Date(now - 30 * DAY)), timeOf(new Date(now + expiresInDays * DAY))),
    nameOf(commonName),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(...extensions))
  )
  const signature = sign("sha256", signed, by?.key ?? privateKey)
  const whole = sequence(signed, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature))
  return {
    commonName,
    key: privateKey,
    keyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    pem: `-----BEGIN CERTIFICATE-----\n${whole.toString("base64").replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`
  }
}

/** The authority of these tests, and what it signed. */
export const makeCertificates = () => {
  const authority = certify({ commonName: "Test authority", isAuthority: true })
  const forLocalhost = { names: ["localhost"], addresses: ["127.0.0.1"] }
  return {
    authority,
    server: certify({ commonName: "localhost", by: authority, ...forLocalhost }),
    ofAnother: certify({ commonName: "another", by: authority, names: ["ldap.example.org"] }),
    expired: certify({ commonName: "localhost", by: authority, ...forLocalhost, expiresInDays: -1 }),
    selfSigned: certify({ commonName: "localhost", ...forLocalhost })
  }
}
