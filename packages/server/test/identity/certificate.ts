/** A certificate for tests (RFC 5280), made here so that no program has to be there for it. */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto"

/** A certificate and its key, as PEM. */
export interface Certificate {
  readonly pem: string
  readonly keyPem: string
}

const DAY = 24 * 60 * 60 * 1000

/** One element of DER: its tag, and its content. */
const der = (tag: number, ...content: ReadonlyArray<Uint8Array>): Buffer => {
  const body = Buffer.concat(content)
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body])
  const length = Buffer.from(body.length.toString(16).padStart(body.length < 0x100 ? 2 : 4, "0"), "hex")
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body])
}

const sequence = (...content: ReadonlyArray<Uint8Array>) => der(0x30, ...content)
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"))
const name = (commonName: string) => sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(commonName)))))
const time = (at: number) => der(0x18, Buffer.from(new Date(at).toISOString().replace(/[-:T]|\.\d+/g, "")))

/** A certificate for 127.0.0.1 that nobody but itself vouches for. */
export const selfSigned = (): Certificate => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const withSha256 = sequence(oid("2a8648ce3d040302"))
  const addresses = sequence(der(0x87, Buffer.from([127, 0, 0, 1])))
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([0x40]), randomBytes(15)])),
    withSha256,
    name("directory.test"),
    sequence(time(Date.now() - DAY), time(Date.now() + DAY)),
    name("directory.test"),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(oid("551d11"), der(0x04, addresses))))
  )
  const signature = sign("sha256", signed, privateKey)
  const whole = sequence(signed, withSha256, der(0x03, Buffer.from([0]), signature)).toString("base64")
  return {
    pem: `-----BEGIN CERTIFICATE-----\n${whole.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
    keyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString()
  }
}
