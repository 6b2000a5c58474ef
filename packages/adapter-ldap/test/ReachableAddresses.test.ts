/** The addresses that a directory's URL may lead to, and how its name is resolved: loopback and link-local ones are refused. */
import { parseAuthenticationServerUrl } from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { createServer } from "node:net"
import { LdapDirectory, type Options } from "../src/index.ts"
import { makeCertificates } from "./certificates.ts"
import { allowing, asking, credentials, outcome, url } from "./directory.ts"
import { startListener, startTlsListener, until } from "./Listener.ts"
import { answering, obliging } from "./script.ts"

/** Spellings of loopback, link-local and cloud metadata addresses. */
const HOSTS = [
  "localhost",
  "LOCALHOST",
  "localhost.",
  "a.localhost",
  "localhost.localdomain",
  "ip6-localhost",
  "ip6-loopback",
  "127.0.0.1",
  "127.0.0.2",
  "127.1",
  "127.0.1",
  "127.255.255.255",
  "2130706433",
  "017700000001",
  "0x7f000001",
  "0x7f.1",
  "0177.0.0.1",
  "0x7f.0.0.1",
  "127.0.0.1.",
  "127.0.0.01",
  "0",
  "0.0.0.0",
  "00.0.0.0",
  "0.0.0.1",
  "[::]",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[0000::0001]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::127.0.0.1]",
  "[::7f00:1]",
  "[64:ff9b::127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "[::ffff:0:127.0.0.1]",
  "[fe80::1]",
  "[fe80::1%25lo]",
  "[::1%25lo]",
  "169.254.169.254",
  "[::ffff:169.254.169.254]",
  "169.254.0.1",
  "100.100.100.200",
  "192.0.0.192",
  "[fd00:ec2::254]",
  "metadata",
  "metadata.google.internal",
  "instance-data",
  "１２７.0.0.1",
  "127。0。0。1",
  "ⓛocalhost",
  "%6cocalhost",
  "127.0.0.1%00.example.org",
  "ldap.example.org@127.0.0.1",
  "user:password@localhost",
  "127.0.0.1\\@ldap.example.org",
  "127.0.0.1#@ldap.example.org",
  "127.0.0.1?@ldap.example.org",
  " localhost",
  "local\thost",
  "localhost\r\nldap.example.org"
]

/** Every way to write a host as the URL of a server. */
const urlsOf = (host: string, port: number) => [
  `ldaps://${host}`,
  `ldaps://${host}:636/dc=x`,
  `ldaps://${host}:${port}/dc=x?uid?sub`,
  `ldap://${host}:${port}`,
  `ldapi://${host}`,
  `//${host}`,
  `${host}:${port}`,
  host
]

describe("the servers that are reached by default", () => {
  it.live("exclude the machine itself, in any notation", () =>
    Effect.gen(function* () {
      const canary = yield* startListener(() => {})
      // The default port, too, where this machine lets us listen there.
      let atDefault = 0
      const second = createServer(() => {
        atDefault += 1
      })
      yield* Effect.acquireRelease(
        Effect.promise(
          () =>
            new Promise<void>((resolve) => {
              second.once("error", () => resolve())
              second.listen(636, "::", resolve)
            })
        ),
        () => Effect.promise(() => new Promise((resolve) => second.close(resolve)))
      )
      const directory = yield* LdapDirectory.make({ limits: { connect: "1 second", total: "2 seconds" } })
      const used: Array<string> = []
      for (const text of HOSTS.flatMap((host) => urlsOf(host, canary.port))) {
        const parsed = parseAuthenticationServerUrl(text)
        if (Result.isFailure(parsed)) continue
        used.push(text)
        const answer = yield* outcome(directory.authenticate(parsed.success, credentials("alice", "secret")))
        assert.strictEqual(answer, "DirectoryUnreachable", text)
      }
      // Core's own reading refuses most of these; what it lets through is for the policy and for us.
      assert.isAbove(used.length, 60)
      assert.strictEqual(canary.connections() + atDefault, 0)
    })
  )

  it.live("exclude names with any address of the machine itself", () =>
    Effect.gen(function* () {
      for (const addresses of [
        ["127.0.0.1"],
        ["::1"],
        ["::ffff:127.0.0.1"],
        ["93.184.216.34", "127.0.0.1"],
        ["169.254.169.254"],
        ["fe80::1%eth0"],
        ["0.0.0.0"],
        ["0x7f.1"],
        ["not an address"],
        []
      ]) {
        const options: Options = { resolve: () => Promise.resolve(addresses) }
        const { authenticate } = yield* asking(options, url("ldaps://ldap.example.org/dc=x"))
        const error = yield* Effect.flip(authenticate("alice", "secret"))
        assert.strictEqual(error._tag, "DirectoryUnreachable", String(addresses))
        assert.match(
          error._tag === "DirectoryUnreachable" ? error.reason : "",
          /loopback, link-local|no address/,
          String(addresses)
        )
      }
    })
  )
})

describe("an attribute that holds secrets", () => {
  it.live("is not requested, also for a URL that was stored before the rule", () =>
    Effect.gen(function* () {
      const listener = yield* startListener(answering(obliging()))
      const server = `ldap://${listener.address}`
      for (const attribute of ["userPassword", "2.5.4.35", "unicodePwd"]) {
        const stored = url(`${server}/dc=x?${attribute}`)
        const { authenticate, information } = yield* asking({ policy: allowing(server), startTls: "never" }, stored)
        for (const question of [authenticate("alice", "secret"), information("uid=alice,dc=x", "secret", "everyone")]) {
          assert.strictEqual(yield* outcome<unknown, { readonly _tag: string }>(question), "DirectoryUnreachable")
        }
      }
      assert.strictEqual(listener.connections(), 0)
    })
  )
})

describe("the name of a server", () => {
  const certificates = makeCertificates()

  it.live("is resolved once per request, and its certificate is checked for the name", () =>
    Effect.gen(function* () {
      const secure = yield* startTlsListener(certificates.ofAnother, answering(obliging()))
      const server = `ldaps://ldap.example.org:${secure.port}`
      const lookups: Array<string> = []
      const options: Options = {
        policy: allowing(server),
        certificates: [certificates.authority.pem],
        // The next answer would be another: it must not be requested.
        resolve: (host) => Promise.resolve(lookups.push(host) % 2 === 1 ? ["127.0.0.1"] : ["192.0.2.1"])
      }
      const { authenticate } = yield* asking(options, url(`${server}/dc=x`))
      assert.strictEqual(yield* outcome(authenticate("alice", "secret")), "alice")
      assert.deepStrictEqual(lookups, ["ldap.example.org"])
    })
  )

  it.live("may have several addresses: one that answers is enough", () =>
    Effect.gen(function* () {
      const listener = yield* startListener(answering(obliging()))
      const server = `ldap://ldap.example.org:${listener.port}`
      for (const addresses of [["127.0.0.9", "127.0.0.1"], ["::1", "127.0.0.1"], ["127.0.0.1"]]) {
        const options: Options = {
          policy: allowing(server),
          startTls: "never",
          resolve: () => Promise.resolve(addresses)
        }
        const { authenticate } = yield* asking(options, url(`${server}/dc=x`))
        assert.strictEqual(yield* outcome(authenticate("alice", "secret")), "alice", String(addresses))
      }
      yield* until("the connections are closed", () => listener.open() === 0)
    })
  )

  it.live("may have any number of addresses: the first 8 are tried", () =>
    Effect.gen(function* () {
      const listener = yield* startListener(answering(obliging()))
      const server = `ldap://ldap.example.org:${listener.port}`
      for (const [others, expected] of [
        [7, "alice"],
        [8, "DirectoryUnreachable"],
        [2000, "DirectoryUnreachable"]
      ] as const) {
        const closed = Array.from({ length: others }, (_, i) => `127.${1 + (i >> 8)}.${i & 255}.9`)
        const options: Options = {
          policy: allowing(server),
          startTls: "never",
          resolve: () => Promise.resolve([...closed, "127.0.0.1"])
        }
        const { authenticate } = yield* asking(options, url(`${server}/dc=x`))
        assert.strictEqual(yield* outcome(authenticate("alice", "secret")), expected)
      }
      yield* until("the connections are closed", () => listener.open() === 0)
    })
  )

  it.live("has the timeout of a connection", () =>
    Effect.gen(function* () {
      const options: Options = { limits: { connect: "50 millis" }, resolve: () => new Promise(() => {}) }
      const { authenticate } = yield* asking(options, url("ldaps://ldap.example.org"))
      assert.strictEqual(yield* outcome(authenticate("alice", "secret")), "DirectoryUnreachable")
      const unknown = yield* asking({ resolve: () => Promise.reject(new Error("ENOTFOUND alice")) }, url("ldaps://x.y"))
      assert.strictEqual(yield* outcome(unknown.authenticate("alice", "secret")), "DirectoryUnreachable")
      const throwing: Options = {
        resolve: () => {
          throw new Error("alice")
        }
      }
      const thrown = yield* asking(throwing, url("ldaps://x.y"))
      assert.strictEqual(yield* outcome(thrown.authenticate("alice", "secret")), "DirectoryUnreachable")
    })
  )

  it.live("is resolved by the system by default", () =>
    Effect.gen(function* () {
      const listener = yield* startListener(answering(obliging()))
      const server = `ldap://${listener.address}`
      const { authenticate } = yield* asking({ policy: allowing(server), startTls: "never" }, url(`${server}/dc=x`))
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => outcome(authenticate("alice", "secret"))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(new Set<string>(answers), new Set(["alice"]))
      const unlisted = yield* asking({ policy: allowing("ldap://ldap.example.org") }, url(`${server}/dc=x`))
      assert.strictEqual(yield* outcome(unlisted.authenticate("alice", "secret")), "DirectoryUnreachable")
      const byDefault = yield* asking({}, url("ldap://ldap.example.org"))
      assert.strictEqual(yield* outcome(byDefault.authenticate("alice", "secret")), "DirectoryUnreachable")
    })
  )
})
