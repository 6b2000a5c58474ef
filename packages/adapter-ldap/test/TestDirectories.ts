/** Real directory servers with the people of `people.ts`, which the tests of a file share. */
import { layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { describe, it as vitestIt } from "vitest"
import { makeCertificates } from "./certificates.ts"
import { allowing } from "./directory.ts"
import { mainEntries, oneOfTwo, smallEntries, SUFFIX } from "./people.ts"
import type { Options } from "../src/index.ts"
import { startListener } from "./Listener.ts"
import { missing, startSlapd } from "./Slapd.ts"

/** Its people may not be searched anonymously. */
export const CLOSED = "o=closed"
/** Its server answers three entries at most. */
export const SHORT = "o=short"
/** Its server answers one entry at most. */
export const ONE = "o=one"

export const SHORT_PEOPLE = Array.from({ length: 10 }, (_, i) => `s${i}`)

const make = Effect.gen(function* () {
  const certificates = makeCertificates()
  const elsewhere = yield* startListener(() => {})
  const databases = [
    { suffix: SUFFIX, entries: mainEntries(elsewhere.address), settings: ["sizelimit unlimited"] },
    { suffix: CLOSED, entries: smallEntries(CLOSED, ["carol", "dave, the 2nd"]), settings: ["require authc"] },
    { suffix: SHORT, entries: smallEntries(SHORT, SHORT_PEOPLE), settings: ["sizelimit 3"] },
    { suffix: ONE, entries: oneOfTwo, settings: ["sizelimit 1"] }
  ]
  const slapd = yield* startSlapd({
    databases,
    tls: { certificate: certificates.server, authority: certificates.authority }
  })
  const withoutTls = yield* startSlapd({ databases: [{ suffix: SUFFIX, entries: mainEntries(elsewhere.address) }] })
  return {
    certificates,
    /** With TLS. */
    slapd,
    withoutTls,
    /** Where the referral points to. */
    elsewhere,
    ldaps: `ldaps://${slapd.ldaps}`,
    ldap: `ldap://${slapd.ldap}`,
    plain: `ldap://${withoutTls.ldap}`,
    /** Every server is listed, and the tests' authority trusted. */
    options: {
      policy: allowing(`ldaps://${slapd.ldaps}`, `ldap://${slapd.ldap}`, `ldap://${withoutTls.ldap}`),
      certificates: [certificates.authority.pem],
      // However busy this machine is.
      limits: { connect: "30 seconds", operation: "30 seconds", total: "1 minute" }
    } satisfies Options
  }
})

/** Real servers with the tests' people. */
export class TestDirectories extends Context.Service<TestDirectories, Effect.Success<typeof make>>()(
  "@sojourn/adapter-ldap/test/TestDirectories"
) {
  static readonly layer = Layer.effect(TestDirectories, make)
}

const onSlapd = layer(TestDirectories.layer, { excludeTestServices: true })

/** Tests on real servers. Without slapd they are skipped, and the name says why. */
export const describeOnSlapd: typeof onSlapd = ((name: string, tests: Parameters<typeof onSlapd>[1]) => {
  if (missing === undefined) return onSlapd(name, tests)
  describe.skip(`${name} (skipped: ${missing})`, () => vitestIt("needs slapd", () => {}))
}) as typeof onSlapd
