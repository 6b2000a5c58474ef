/** A real LDAP directory (OpenLDAP's `slapd`) of people with known passwords. */
import { Effect, Exit, Scope } from "effect"
import type { Certificate } from "../../../adapter-ldap/test/certificates.ts"
import type { LdifEntry } from "../../../adapter-ldap/test/ldif.ts"
import { startSlapd as start } from "../../../adapter-ldap/test/Slapd.ts"

export { missing } from "../../../adapter-ldap/test/Slapd.ts"

export const PEOPLE = 1000
const SUFFIX = "dc=example,dc=org"
const BASE = `ou=people,${SUFFIX}`

/** The entry of the directory's ith person: p0, p1 and so on. */
export const person = (i: number) => ({ uid: `p${i}`, password: `pw-${i}`, name: `Given${i}`, surname: `Sur${i}` })

/** An entry of the directory. */
export type Person = ReturnType<typeof person>

const entries = (people: ReadonlyArray<Person>): ReadonlyArray<LdifEntry> => [
  [SUFFIX, { objectClass: ["dcObject", "organization"], o: "Example", dc: "example" }],
  [BASE, { objectClass: "organizationalUnit", ou: "people" }],
  ...people.map(({ uid, password, name, surname }): LdifEntry => {
    const names = { cn: `${name} ${surname}`, givenName: name, sn: surname }
    return [`uid=${uid},${BASE}`, { objectClass: "inetOrgPerson", uid, ...names, userPassword: password }]
  })
]

/** The options of a directory. */
export interface SlapdOptions {
  /** Its entries (default: 1,000 people). */
  readonly people?: ReadonlyArray<Person>
  /** The certificate; with it the directory is served over TLS. */
  readonly certificate?: Certificate
}

/** Starts a real LDAP directory with people. */
export const startSlapd = async ({
  people = Array.from({ length: PEOPLE }, (_, i) => person(i)),
  certificate
}: SlapdOptions = {}) => {
  const scope = await Effect.runPromise(Scope.make())
  const stop = () => Effect.runPromise(Scope.close(scope, Exit.void))
  const starting = start({
    databases: [{ suffix: SUFFIX, entries: entries(people), settings: ["sizelimit unlimited"] }],
    ...(certificate !== undefined && { tls: { certificate, authority: certificate } })
  })
  try {
    const { ldap, ldaps } = await Effect.runPromise(Scope.provide(starting, scope))
    const address = (certificate === undefined ? `ldap://${ldap}` : `ldaps://${ldaps}`).replace(
      "localhost",
      "127.0.0.1"
    )
    return { server: address, url: `${address}/${BASE}?uid?sub`, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

export type Slapd = Awaited<ReturnType<typeof startSlapd>>
