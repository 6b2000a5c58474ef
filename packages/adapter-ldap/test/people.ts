/** The people of the tests' directories. */
import { inName, type LdifEntry } from "./ldif.ts"

/** A person and their password. */
export interface TestPerson {
  readonly dn: string
  readonly uid: string
  readonly password: string
  readonly name: string
  readonly surname: string
}

export const SUFFIX = "dc=example,dc=org"
export const PEOPLE = `ou=people,${SUFFIX}`
export const STAFF = `ou=staff,${SUFFIX}`
export const ODD = `ou=odd,${SUFFIX}`

export const READER = { dn: `cn=reader,${SUFFIX}`, password: "password of the reader" }

const unit = (dn: string): LdifEntry => [
  dn,
  { objectClass: "organizationalUnit", ou: dn.replace(/^ou=([^,]*),.*$/, "$1") }
]

const toEntry = ({ dn, uid, password, name, surname }: TestPerson): LdifEntry => [
  dn,
  { objectClass: "inetOrgPerson", cn: `${name} ${surname}`, sn: surname, givenName: name, uid, userPassword: password }
]

const person = (uid: string, place = PEOPLE, more: Partial<TestPerson> = {}): TestPerson => ({
  dn: `uid=${inName(uid)},${place}`,
  uid,
  password: `password of ${uid}`,
  name: `Name of ${uid}`,
  surname: `Surname of ${uid}`,
  ...more
})

export const alice = person("alice", PEOPLE, { name: "Alice", surname: "Liddell" })
export const bob = person("Bob", PEOPLE, { name: "Bob", surname: "Bóbr" })

/** Two people whom only their place tells apart. */
export const twins = [
  person("twin", PEOPLE, { password: "one" }),
  person("twin", STAFF, { password: "other" })
] as const

/** 1,000 people without any oddity. */
export const crowd = Array.from({ length: 1000 }, (_, i) => person(`p${String(i).padStart(4, "0")}`))

/** Ids that hold whatever means something to LDAP or to people who program it. */
const ODD_IDS = [
  "O'Brien, Miles",
  "back\\slash",
  "(parentheses)",
  "*",
  "*)(uid=*",
  "a*b",
  "\\2a",
  'the "quoted"',
  "plus+and=equal;semi<less>#hash",
  "#hash",
  " leading",
  "trailing ",
  "two  blanks",
  "ümläut",
  "Ωμέγα",
  "日本語",
  "😀",
  "tab\there",
  "percent%2C",
  "uid=like,ou=a,dc=name",
  "EXTERNAL",
  "l".repeat(256)
]

export const odd = ODD_IDS.map((uid, i) =>
  person(uid, ODD, { dn: `cn=odd ${i},${ODD}`, name: `Odd ${i}`, surname: "Person" })
)

/** Whose id cannot be one of Sojourn's, or is not only one. */
export const tooLong = person("x".repeat(257), ODD, { dn: `cn=too long,${ODD}` })
export const double: TestPerson = person("double", ODD, { dn: `cn=double,${ODD}` })
export const withoutSurname = person("nosurname", STAFF, { name: "", surname: "" })

const account: LdifEntry = [
  withoutSurname.dn,
  {
    objectClass: ["account", "simpleSecurityObject"],
    uid: withoutSurname.uid,
    userPassword: withoutSurname.password
  }
]

/** An alias of a person, and an alias with the id of alice: neither is a person. */
const aliases: ReadonlyArray<LdifEntry> = [
  [
    `uid=nickname,${STAFF}`,
    { objectClass: ["alias", "extensibleObject"], uid: "nickname", aliasedObjectName: alice.dn }
  ],
  [`uid=alice,${STAFF}`, { objectClass: ["alias", "extensibleObject"], uid: "alice", aliasedObjectName: bob.dn }]
]

/** All people who can be proven by a password, once each. */
export const provablePeople: ReadonlyArray<TestPerson> = [alice, bob, ...crowd, ...odd, withoutSurname]

/** The main directory. `elsewhere` is the host and port that its referral points to. */
export const mainEntries = (elsewhere: string): ReadonlyArray<LdifEntry> => [
  [SUFFIX, { objectClass: ["dcObject", "organization"], dc: "example", o: "Example" }],
  ...[PEOPLE, STAFF, ODD].map(unit),
  [
    READER.dn,
    { objectClass: ["organizationalRole", "simpleSecurityObject"], cn: "reader", userPassword: READER.password }
  ],
  ...[alice, bob, ...twins, ...crowd, ...odd, tooLong].map(toEntry),
  account,
  [double.dn, { ...toEntry(double)[1], uid: [double.uid, "second"] }],
  ...aliases,
  [
    `ou=elsewhere,${SUFFIX}`,
    {
      objectClass: ["referral", "extensibleObject"],
      ou: "elsewhere",
      ref: `ldap://${elsewhere}/ou=elsewhere,${SUFFIX}`
    }
  ]
]

/** A directory of some people of its own, below another suffix. */
export const smallEntries = (suffix: string, uids: ReadonlyArray<string>): ReadonlyArray<LdifEntry> => [
  [suffix, { objectClass: "organization", o: suffix.replace(/^o=/, "") }],
  [
    `cn=reader,${suffix}`,
    { objectClass: ["organizationalRole", "simpleSecurityObject"], cn: "reader", userPassword: READER.password }
  ],
  ...uids.map((uid) => toEntry(person(uid, suffix)))
]

/** Two people with one id, whom a server that answers one entry at most shows as one. */
export const oneOfTwo: ReadonlyArray<LdifEntry> = [
  ["o=one", { objectClass: "organization", o: "one" }],
  ...["a", "b"].map((cn) => toEntry({ ...person("twin"), dn: `cn=${cn},o=one`, password: cn }))
]
