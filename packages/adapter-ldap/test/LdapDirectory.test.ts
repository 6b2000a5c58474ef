/** Authentication, lookup of people, and connections of the LDAP adapter against a real server, OpenLDAP's slapd. */
import { assert } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import type { Options } from "../src/index.ts"
import { allowing, asking, outcome, url } from "./directory.ts"
import { startListener, startRelay, until } from "./Listener.ts"
import * as People from "./people.ts"
import { CLOSED, describeOnSlapd, ONE, SHORT, SHORT_PEOPLE, TestDirectories } from "./TestDirectories.ts"

const { alice, bob, double, provablePeople, odd, PEOPLE, READER, STAFF, SUFFIX, tooLong, twins } = People

/** The main directory over ldaps, below this base. */
const main = (base = SUFFIX, more: Options = {}) =>
  Effect.flatMap(TestDirectories, ({ ldaps, options }) =>
    asking({ ...options, ...more }, url(`${ldaps}/${encodeURIComponent(base)}`))
  )

const portOf = (address: string) => Number(address.split(":").at(-1))

describeOnSlapd("authenticate", (it) => {
  it.effect(
    "proves each person by their id and by their distinguished name, and answers the directory's spelling",
    () =>
      Effect.gen(function* () {
        const { authenticate } = yield* main()
        for (const { dn, uid, password } of [alice, bob, ...odd, People.withoutSurname]) {
          assert.strictEqual(yield* authenticate(dn, password), uid, dn)
          // An id that is a distinguished name as well stands for the entry of that name.
          const isName = uid.startsWith("uid=")
          assert.strictEqual(yield* outcome(authenticate(uid, password)), isName ? "DirectoryRefused" : uid, uid)
        }
        for (const username of [
          "ALICE",
          "Alice",
          " alice ",
          "ａｌｉｃｅ",
          "UID=Alice, OU=People, DC=example, DC=org"
        ]) {
          assert.strictEqual(yield* authenticate(username, alice.password), "alice", username)
        }
      })
  )

  it.effect("refuses a wrong password, another's password, and unknown usernames", () =>
    Effect.gen(function* () {
      const { authenticate } = yield* main()
      for (const [username, password] of [
        ["alice", "wrong"],
        ["alice", bob.password],
        ["alice", `${alice.password} `],
        ["alice", alice.password.toUpperCase()],
        [alice.dn, bob.password],
        ["nobody", alice.password],
        [`uid=nobody,${PEOPLE}`, alice.password],
        ["al*", alice.password],
        ["alice)(uid=*", alice.password]
      ] as const) {
        assert.strictEqual(yield* outcome(authenticate(username, password)), "DirectoryRefused", username)
      }
    })
  )

  it.effect("refuses empty, malformed and overlong credentials without a request", () =>
    Effect.gen(function* () {
      const canary = yield* startListener(() => {})
      const server = `ldap://${canary.address}`
      const { authenticate, information } = yield* asking({ policy: allowing(server) }, url(server))
      for (const [username, password] of [
        ["", "x"],
        ["alice", ""],
        [alice.dn, ""],
        ["", ""],
        ["alice\0", "x"],
        ["alice", "\0x"],
        ["\ud800", "x"],
        ["alice", "\udfff"],
        ["a".repeat(5000), "x"],
        ["alice", "x".repeat(5000)]
      ] as const) {
        assert.strictEqual(yield* outcome(authenticate(username, password)), "DirectoryRefused")
        assert.strictEqual(yield* outcome(information(username, password, "everyone")), "DirectoryRefused")
      }
      assert.strictEqual(canary.connections(), 0)
    })
  )

  it.effect("refuses ambiguous ids, by id and by distinguished name", () =>
    Effect.gen(function* () {
      const { authenticate } = yield* main()
      for (const { dn, uid, password } of twins) {
        assert.strictEqual(yield* outcome(authenticate(uid, password)), "DirectoryRefused")
        assert.strictEqual(yield* outcome(authenticate(dn, password)), "DirectoryRefused")
      }
      // Below another base each is alone.
      assert.strictEqual(yield* (yield* main(PEOPLE)).authenticate("twin", twins[0].password), "twin")
      const staff = yield* main(STAFF)
      assert.strictEqual(yield* staff.authenticate("twin", twins[1].password), "twin")
      assert.strictEqual(yield* outcome(staff.authenticate("twin", twins[0].password)), "DirectoryRefused")
      // Who is outside the base is not taken for the one inside who has the same id.
      assert.strictEqual(yield* staff.authenticate(twins[1].dn, twins[1].password), "twin")
      assert.strictEqual(yield* outcome(staff.authenticate(twins[0].dn, twins[0].password)), "DirectoryRefused")
    })
  )

  it.effect("refuses an ambiguous id when the server returns one of its entries", () =>
    Effect.gen(function* () {
      const { authenticate } = yield* main(ONE)
      assert.strictEqual(yield* outcome(authenticate("twin", "a")), "DirectoryRefused")
      assert.strictEqual(yield* outcome(authenticate("cn=a,o=one", "a")), "DirectoryRefused")
    })
  )

  it.effect("refuses entries without one usable id, aliases, and people outside the base or the scope", () =>
    Effect.gen(function* () {
      const { authenticate } = yield* main()
      for (const [username, password] of [
        ["double", double.password],
        ["second", double.password],
        [double.dn, double.password],
        [tooLong.uid, tooLong.password],
        [tooLong.dn, tooLong.password],
        [READER.dn, READER.password],
        ["nickname", alice.password],
        [`uid=nickname,${STAFF}`, alice.password],
        [`uid=alice,${STAFF}`, bob.password],
        [`uid=x,ou=elsewhere,${SUFFIX}`, "x"]
      ] as const) {
        assert.include(["DirectoryRefused", "DirectoryUnreachable"], yield* outcome(authenticate(username, password)))
      }
      const { ldaps, options, elsewhere } = yield* TestDirectories
      for (const [place, expected] of [
        [`${PEOPLE}?uid?one`, "alice"],
        [`${SUFFIX}?uid?one`, "DirectoryRefused"],
        [`${alice.dn}?uid?base`, "alice"],
        [`${bob.dn}?uid?base`, "DirectoryRefused"],
        [STAFF, "DirectoryRefused"],
        ["o=nowhere", "DirectoryUnreachable"]
      ] as const) {
        const below = yield* asking(options, url(`${ldaps}/${place}`))
        assert.strictEqual(yield* outcome(below.authenticate("alice", alice.password)), expected, place)
        // The same rule applies to a sign-in with a distinguished name.
        const byName = yield* outcome(below.authenticate(alice.dn, alice.password))
        assert.strictEqual(byName, expected === "alice" ? "alice" : byName, place)
        assert.isTrue(expected === "alice" || byName !== "alice", place)
      }
      assert.strictEqual(elsewhere.connections(), 0)
    })
  )

  it.effect("finds people by the attribute of the URL, in any spelling", () =>
    Effect.gen(function* () {
      const { ldaps, options } = yield* TestDirectories
      for (const attribute of ["uid", "UID", "userid", "0.9.2342.19200300.100.1.1"]) {
        const directory = yield* asking(options, url(`${ldaps}/${SUFFIX}?${attribute}`))
        assert.strictEqual(yield* directory.authenticate("alice", alice.password), "alice", attribute)
      }
      const byName = yield* asking(options, url(`${ldaps}/${PEOPLE}?cn`))
      assert.strictEqual(yield* byName.authenticate("alice liddell", alice.password), "Alice Liddell")
    })
  )

  it.effect("looks people up with the service account where anonymous searches are refused", () =>
    Effect.gen(function* () {
      const { ldaps, options } = yield* TestDirectories
      const carol = "password of carol"
      const withAccount = (dn: string, password: string, base?: string) => ({
        ...options,
        servers: [{ server: ldaps, base, serviceAccount: { dn, password: Redacted.make(password) } }]
      })
      const closed = url(`${ldaps}/${CLOSED}`)
      const reason = (question: Effect.Effect<unknown, { readonly _tag: string; readonly reason?: string }>) =>
        Effect.map(Effect.flip(question), (error) => error.reason ?? error._tag)

      const anonymous = yield* asking(options, closed)
      assert.match(yield* reason(anonymous.authenticate("carol", carol)), /let people be looked up/)
      // Who signs in by name can look for themselves.
      assert.strictEqual(yield* anonymous.authenticate(`uid=carol,${CLOSED}`, carol), "carol")

      const account = yield* asking(withAccount(`cn=reader,${CLOSED}`, READER.password), closed)
      assert.strictEqual(yield* account.authenticate("carol", carol), "carol")
      assert.strictEqual(yield* account.authenticate(`uid=carol,${CLOSED}`, carol), "carol")
      assert.strictEqual(yield* outcome(account.authenticate("carol", "wrong")), "DirectoryRefused")
      const wrong = yield* asking(withAccount(`cn=reader,${CLOSED}`, "wrong"), closed)
      assert.match(yield* reason(wrong.authenticate("carol", carol)), /refuses the service account/)
      // The account of one base is not used for another.
      const others = yield* asking(withAccount(`cn=reader,${CLOSED}`, READER.password, SUFFIX), closed)
      assert.match(yield* reason(others.authenticate("carol", carol)), /let people be looked up/)
    })
  )

  it.effect("makes distinguished names by the template, without a search", () =>
    Effect.gen(function* () {
      const { ldaps, options } = yield* TestDirectories
      const servers = [
        { server: ldaps, base: CLOSED, bindTemplate: `uid={username},${CLOSED}` },
        { server: ldaps, bindTemplate: `uid={username},${PEOPLE}` }
      ]
      const closed = yield* asking({ ...options, servers }, url(`${ldaps}/${CLOSED}`))
      const second = "dave, the 2nd"
      assert.strictEqual(yield* closed.authenticate("carol", "password of carol"), "carol")
      assert.strictEqual(yield* closed.authenticate("CAROL", "password of carol"), "carol")
      assert.strictEqual(yield* closed.authenticate(second, `password of ${second}`), second)
      for (const username of [`x,${CLOSED}`, "*", "carol+cn=x", " ", '"', "\\", "#31", "carol\\"]) {
        assert.strictEqual(yield* outcome(closed.authenticate(username, "password of carol")), "DirectoryRefused")
      }
      const open = yield* asking({ ...options, servers }, url(`${ldaps}/${PEOPLE}`))
      assert.strictEqual(yield* open.authenticate("alice", alice.password), "alice")
      assert.strictEqual(yield* outcome(open.authenticate("alice,ou=staff", alice.password)), "DirectoryRefused")
    })
  )
})

describeOnSlapd("information", (it) => {
  it.effect("returns each requested person once, in that order, without unknown ids", () =>
    Effect.gen(function* () {
      const { information } = yield* main()
      const people = yield* information("alice", alice.password, [
        "nosurname",
        "Bob",
        "nobody",
        "alice",
        "Bob",
        "twin",
        "double",
        "second",
        "nickname",
        "*",
        "al*"
      ])
      const star = odd.find(({ uid }) => uid === "*")
      assert.deepStrictEqual<unknown>(people, [
        { orgAuthServerId: "nosurname", name: "", surname: "" },
        { orgAuthServerId: "Bob", name: "Bob", surname: "Bóbr" },
        { orgAuthServerId: "alice", name: "Alice", surname: "Liddell" },
        { orgAuthServerId: "*", name: star?.name, surname: star?.surname }
      ])
    })
  )

  it.effect("matches ids exactly, where the server would find more", () =>
    Effect.gen(function* () {
      const { information } = yield* main()
      assert.deepStrictEqual(
        yield* information("alice", alice.password, ["ALICE", "bob", " alice", "alice ", "ａｌｉｃｅ"]),
        []
      )
      const requested = odd.map(({ uid }) => uid)
      const found = yield* information("alice", alice.password, requested)
      assert.deepStrictEqual(
        found.map((person) => [person.orgAuthServerId as string, person.name]),
        odd.map(({ uid, name }) => [uid, name])
      )
    })
  )

  it.effect("requests many people in several searches", () =>
    Effect.gen(function* () {
      const requested = provablePeople.map(({ uid }) => uid).reverse()
      const found = yield* (yield* main()).information("alice", alice.password, requested)
      assert.deepStrictEqual(
        found.map((person): string => person.orgAuthServerId),
        requested
      )
    })
  )

  it.effect("answers at most 1,000 people, or the configured number, and no aliases", () =>
    Effect.gen(function* () {
      const all = yield* (yield* main()).information("alice", alice.password, "everyone")
      const known = new Set(provablePeople.map(({ uid }) => uid))
      assert.isAtMost(all.length, 1000)
      assert.isAtLeast(all.length, 998)
      assert.strictEqual(new Set(all.map((person) => person.orgAuthServerId)).size, all.length)
      assert.isTrue(all.every((person) => known.has(person.orgAuthServerId)))
      const some = yield* (yield* main(SUFFIX, { limits: { mostPeople: 7 } })).information(
        "alice",
        alice.password,
        "everyone"
      )
      assert.isAtMost(some.length, 7)
      const staff = yield* (yield* main(STAFF)).information("twin", "other", "everyone")
      assert.deepStrictEqual(staff.map((person): string => person.orgAuthServerId).sort(), ["nosurname", "twin"])
    })
  )

  it.effect("reads from a server that returns few entries at a time", () =>
    Effect.gen(function* () {
      const { information } = yield* main(SHORT)
      const found = yield* information("s1", "password of s1", [...SHORT_PEOPLE, "nobody"])
      assert.deepStrictEqual(
        found.map((person): string => person.orgAuthServerId),
        SHORT_PEOPLE
      )
      assert.strictEqual((yield* information("s1", "password of s1", "everyone")).length, 3)
      assert.deepStrictEqual(yield* (yield* main(ONE)).information("cn=a,o=one", "a", ["twin"]), [])
    })
  )

  it.effect("returns what the credentials may read, also those of no person", () =>
    Effect.gen(function* () {
      const { information } = yield* main()
      assert.lengthOf(yield* information(READER.dn, READER.password, ["alice"]), 1)
      assert.strictEqual(yield* outcome(information(READER.dn, "wrong", ["alice"])), "DirectoryRefused")
      assert.strictEqual(yield* outcome(information("alice", "wrong", [])), "DirectoryRefused")
      assert.deepStrictEqual(yield* information("alice", alice.password, []), [])
      // Another's directory is as if it were empty.
      const closed = yield* main(CLOSED)
      assert.lengthOf(yield* closed.information(`cn=reader,${CLOSED}`, READER.password, ["carol"]), 1)
    })
  )

  it.effect("reads names from the attributes of the options", () =>
    Effect.gen(function* () {
      const named = yield* main(SUFFIX, { nameAttribute: "commonName", surnameAttribute: "userid" })
      assert.deepStrictEqual<unknown>(yield* named.information("alice", alice.password, ["alice"]), [
        { orgAuthServerId: "alice", name: "Alice Liddell", surname: "alice" }
      ])
    })
  )
})

describeOnSlapd("connections", (it) => {
  it.effect("begin TLS on ldap:// as the options say, and send no password before", () =>
    Effect.gen(function* () {
      const { options, slapd, withoutTls, certificates } = yield* TestDirectories
      const withTls = yield* startRelay(portOf(slapd.ldap))
      const without = yield* startRelay(portOf(withoutTls.ldap))
      const servers = [withTls, without].map(({ address }) => `ldap://${address}`)
      const ask = (relay: { readonly address: string }, more: Options) =>
        asking({ ...options, policy: allowing(...servers), ...more }, url(`ldap://${relay.address}/${SUFFIX}`)).pipe(
          Effect.flatMap(({ authenticate }) => outcome(authenticate("alice", alice.password)))
        )
      const isSecret = (relay: { readonly said: () => string }) => !relay.said().includes(alice.password)

      assert.strictEqual(yield* ask(withTls, {}), "alice")
      assert.strictEqual(yield* ask(withTls, { startTls: "required" }), "alice")
      assert.isTrue(isSecret(withTls))
      // TLS that has begun is not given up for plaintext.
      assert.strictEqual(yield* ask(withTls, { certificates: [certificates.selfSigned.pem] }), "DirectoryUnreachable")
      assert.isTrue(isSecret(withTls))
      assert.strictEqual(yield* ask(without, { startTls: "required" }), "DirectoryUnreachable")
      assert.isTrue(isSecret(without))
      assert.strictEqual(yield* ask(without, {}), "alice")
      assert.isFalse(isSecret(without))
      assert.strictEqual(yield* ask(withTls, { startTls: "never" }), "alice")
      assert.isFalse(isSecret(withTls))
    })
  )

  it.effect("are one per request, limited in number, and closed with it", () =>
    Effect.gen(function* () {
      const { options, slapd } = yield* TestDirectories
      const relay = yield* startRelay(portOf(slapd.ldap))
      const server = `ldap://${relay.address}`
      const limits = { connectionsPerServer: 3, waitingPerServer: 20, total: "1 minute" } as const
      const { authenticate } = yield* asking(
        { ...options, policy: allowing(server), startTls: "never", limits },
        url(`${server}/${SUFFIX}`)
      )
      const questions = Array.from({ length: 23 }, (_, i) =>
        outcome(i % 2 === 0 ? authenticate("alice", alice.password) : authenticate("Bob", "wrong"))
      )
      const answers = yield* Effect.all(questions, { concurrency: "unbounded" })
      assert.deepStrictEqual(
        answers,
        questions.map((_, i) => (i % 2 === 0 ? "alice" : "DirectoryRefused"))
      )
      assert.strictEqual(relay.connections(), 23)
      // The other side sees that one is closed a little after the next was opened.
      assert.isAtMost(relay.most(), 6)
      const tooMany = yield* Effect.all(
        Array.from({ length: 40 }, () => outcome(authenticate("alice", "wrong"))),
        {
          concurrency: "unbounded"
        }
      )
      assert.strictEqual(tooMany.filter((answer) => answer === "DirectoryUnreachable").length, 17)
      assert.strictEqual(tooMany.filter((answer) => answer === "DirectoryRefused").length, 23)
      yield* until("every connection is closed", () => relay.open() === 0)
    })
  )

  it.effect("are closed immediately when the request is interrupted", () =>
    Effect.gen(function* () {
      const silent = yield* startListener(() => {})
      const server = `ldap://${silent.address}`
      const { authenticate } = yield* asking(
        { policy: allowing(server), limits: { operation: "1 minute", total: "1 minute" } },
        url(server)
      )
      const question = yield* Effect.forkChild(authenticate("alice", "x"))
      yield* until("it is connected", () => silent.open() === 1)
      yield* Fiber.interrupt(question)
      yield* until("it is not", () => silent.open() === 0)
    })
  )
})
