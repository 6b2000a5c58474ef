/** Generated usernames and ids with injections and look-alikes against slapd: they never authenticate another person. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { asking, outcome, url } from "./directory.ts"
import { inName } from "./ldif.ts"
import {
  alice,
  bob,
  crowd,
  double,
  odd,
  PEOPLE,
  STAFF,
  SUFFIX,
  type TestPerson,
  tooLong,
  twins,
  withoutSurname
} from "./people.ts"
import { Random, runs, SEED } from "./trials.ts"
import { describeOnSlapd, TestDirectories } from "./TestDirectories.ts"

const RUNS = runs(500)

/** All people with a password, provable or not. */
const all: ReadonlyArray<TestPerson> = [
  alice,
  bob,
  ...odd,
  ...crowd.slice(0, 30),
  withoutSurname,
  ...twins,
  double,
  tooLong
]

const METACHARACTERS = [..."*()\\|&!=<>~,+;\"#/ \t\n\r'`$%{}[]^:"]
const INJECTIONS = [
  "*",
  "*)(uid=*",
  "*)(|(uid=*",
  "*))(|(uid=*",
  "alice)(userPassword=*",
  "alice)(!(uid=alice)",
  "admin*)((|userPassword=*)",
  "*)(objectClass=*",
  "\\2a",
  "\\00",
  "(uid=alice)",
  "|(uid=alice)",
  `alice,${PEOPLE}`,
  `x)(uid=alice`,
  `,${PEOPLE}`,
  `uid=alice`,
  `uid=*,${PEOPLE}`,
  `uid=alice+cn=Alice Liddell,${PEOPLE}`,
  `uid=alice,${STAFF}`,
  `uid=alice,${PEOPLE},${SUFFIX}`,
  `uid=alice\\,${PEOPLE}`,
  `"uid=alice",${PEOPLE}`,
  `uid="alice",${PEOPLE}`,
  `uid=alice;ou=people;${SUFFIX}`,
  `1.2.3=alice,${PEOPLE}`,
  `ldap:///${alice.dn}`,
  `<GUID=alice>`,
  "dn:uid=alice",
  "u:alice",
  "EXTERNAL",
  "PLAIN",
  "DIGEST-MD5",
  "cn=config",
  "cn=Manager,cn=config",
  "gidNumber=0+uidNumber=0,cn=peercred,cn=external,cn=auth",
  SUFFIX,
  "constructor",
  "__proto__"
]
/** Letters that look like these or that some fold onto them. */
const LOOKALIKES: Readonly<Record<string, ReadonlyArray<string>>> = {
  a: ["а", "ａ", "ɑ", "á", "ᵃ", "A"],
  b: ["ｂ", "Ь", "B"],
  c: ["с", "ｃ", "ℂ", "C"],
  e: ["е", "é", "ｅ", "℮", "E"],
  i: ["і", "ı", "ｉ", "İ", "I"],
  l: ["ⅼ", "1", "ｌ", "ł", "L"],
  o: ["о", "0", "ｏ", "ö", "O"],
  s: ["ſ", "ß", "ｓ", "S"],
  ü: ["u\u0308", "Ü"],
  Ω: ["Ω", "ω"]
}
const INVISIBLE = ["\u200b", "\u00ad", "\ufeff", "\u2060", "\u0301", "\u00a0", "\u3000", "\u2028", "\u0007"]

const splice = (random: Random, text: string, inserted: string) => {
  const characters = [...text]
  characters.splice(random.below(characters.length + 1), random.below(2), inserted)
  return characters.join("")
}

/** A variation of a person's name, or an attack. */
const hostile = (random: Random, { uid, dn }: TestPerson): string =>
  random.pick<() => string>([
    () => uid,
    () => dn,
    () => random.pick(INJECTIONS),
    () => uid.toUpperCase(),
    () => uid.toLowerCase(),
    () => [...uid].map((one) => (random.chance(0.5) ? one.toUpperCase() : one.toLowerCase())).join(""),
    () => splice(random, uid, random.pick(METACHARACTERS)),
    () => splice(random, uid, random.pick(INVISIBLE)),
    () => [...uid].map((one) => (random.chance(0.4) ? random.pick(LOOKALIKES[one] ?? [one]) : one)).join(""),
    () => `${" ".repeat(random.below(3))}${uid.replaceAll(" ", "  ")}${" ".repeat(random.below(3))}`,
    () => `${uid}${random.pick(INJECTIONS)}`,
    () => `${random.pick(INJECTIONS)}${uid}`,
    () => `uid=${inName(uid)},${random.pick([PEOPLE, STAFF, SUFFIX, `${PEOPLE} `])}`,
    () => `uid=${uid},${PEOPLE}`,
    () => splice(random, dn, random.pick(METACHARACTERS)),
    () => dn.replace(/^(uid|cn)=/, random.pick(["UID = ", "userid=", "0.9.2342.19200300.100.1.1=", "cn="])),
    () => uid.slice(0, random.below(uid.length + 1)),
    () => uid.normalize(random.pick(["NFC", "NFD", "NFKC", "NFKD"])),
    () => `${uid}\u0000${random.pick(["", "x"])}`,
    () => uid.repeat(1 + random.below(400)),
    () => Array.from({ length: random.below(20) }, () => random.pick(METACHARACTERS)).join(""),
    () => String.fromCodePoint(...Array.from({ length: 1 + random.below(8) }, () => 1 + random.below(0xd7ff)))
  ])()

const password = (random: Random, person: TestPerson): string =>
  random.chance(0.5)
    ? person.password
    : random.pick<() => string>([
        () => random.pick(all).password,
        () => "",
        () => random.pick(INJECTIONS),
        () => person.password.toUpperCase(),
        () => splice(random, person.password, random.pick([...METACHARACTERS, ...INVISIBLE])),
        () => "\u0000",
        () => "x".repeat(random.below(6000))
      ])()

/**
 * How directories compare ids (caseIgnoreMatch, RFC 4518): without case, in one form, each run of blanks as one. OpenLDAP
 * folds letters one by one, which makes an i of the dotted capital.
 */
const folded = (text: string) =>
  text
    .replaceAll("İ", "i")
    .normalize("NFKC")
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKC")
    .replace(/ +/g, " ")
    .trim()

/** The value that begins a distinguished name, without its escapes. */
const firstValue = (dn: string) =>
  Buffer.from(
    dn
      .replace(/^[^=]*= */, "")
      .replace(/((?:[^\\,]|\\.)*?) *(,.*)?$/s, "$1")
      .replace(/\\([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
      .replace(/\\(.)/gs, "$1"),
    "latin1"
  ).toString()

/** Does the name mean this person: their id as directories compare it, or a distinguished name that begins like theirs? */
const means = (username: string, { uid, dn }: TestPerson) =>
  folded(username) === folded(uid) ||
  (username.includes("=") &&
    [firstValue(username), username.replace(/^[^=]*= *((?:[^\\,]|\\.)*).*$/s, "$1")].some((value) =>
      [folded(uid), folded(firstValue(dn))].includes(folded(value))
    ))

describeOnSlapd("hostile identifiers and credentials", (it) => {
  it.effect(
    `${RUNS} of them never authenticate another person, and valid ones authenticate their own`,
    () =>
      Effect.gen(function* () {
        const { options, ldap } = yield* TestDirectories
        const { authenticate, information } = yield* asking({ ...options, startTls: "never" }, url(`${ldap}/${SUFFIX}`))
        const known = new Map(all.map((person) => [person.uid, person]))
        let proven = 0
        const attempt = Effect.fnUntraced(function* (run: number) {
          const random = Random.of(SEED, run)
          const person = random.pick(all)
          const username = hostile(random, person)
          const tried = password(random, person)
          const seen = `run ${run}: ${JSON.stringify({ username: username.slice(0, 300), tried: tried.slice(0, 300) })}`
          const answer = yield* outcome(authenticate(username, tried))
          if (answer === "DirectoryRefused") {
            const isPlain = !username.includes("=") && ![...twins, double, tooLong].includes(person)
            assert.isFalse(isPlain && username === person.uid && tried === person.password, `${seen}: refused`)
            return
          }
          const who = known.get(answer)
          assert.isDefined(who, `${seen}: ${answer}`)
          assert.isTrue(means(username, who as TestPerson), `${seen}: another's name proved ${answer}`)
          assert.strictEqual(tried, who?.password, `${seen}: another's password proved ${answer}`)
          assert.isFalse(
            [...twins, double, tooLong].some(({ uid }) => uid === answer),
            `${seen}: ${answer} is not one`
          )
          proven += 1
        })
        yield* Effect.forEach(Array.from({ length: RUNS }).keys(), attempt, { concurrency: 8, discard: true })
        // The test would show nothing if no attempt succeeded.
        assert.isAbove(proven, RUNS / 20)

        const searches = Math.ceil(RUNS / 25)
        yield* Effect.forEach(
          Array.from({ length: searches }).keys(),
          Effect.fnUntraced(function* (run) {
            const random = Random.of(SEED + 1, run)
            const requested = Array.from({ length: 1 + random.below(80) }, () => hostile(random, random.pick(all)))
            const usable = requested.filter((id) => !id.includes("\u0000") && id !== "" && [...id].length <= 256)
            const wanted = [...new Set(usable)]
            const shared = new Set([...twins, double, tooLong].map(({ uid }) => uid))
            const expected = wanted.flatMap((id) => {
              const who = shared.has(id) ? undefined : known.get(id)
              return who === undefined ? [] : [{ orgAuthServerId: id, name: who.name, surname: who.surname }]
            })
            const found = yield* information("alice", alice.password, wanted as ReadonlyArray<string>)
            assert.deepStrictEqual<unknown>(found, expected, `search ${run}`)
          }),
          { concurrency: 4, discard: true }
        )
      }),
    600_000 + 50 * RUNS
  )
})
