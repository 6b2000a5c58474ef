/** The addresses that a directory's URL may lead to, and how its name is resolved: loopback and link-local ones are refused. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Options } from "../src/index.ts"
import { makeCertificates } from "./certificates.ts"
import { allowing, asking, outcome, url } from "./directory.ts"
import { startListener, startTlsListener, until } from "./Listener.ts"
import { answering, obliging } from "./script.ts"

describe("the servers that are reached by default", () => {
  it.live("exclude the machine itself, by address and by name", () =>
    Effect.gen(function* () {
      const SPECIAL = /loopback, link-local/
      for (const [host, addresses, reason] of [
        ["127.0.0.1", ["93.184.216.34"], SPECIAL],
        ["localhost", ["93.184.216.34"], SPECIAL],
        ["[::1]", ["93.184.216.34"], SPECIAL],
        ["ldap.example.org", ["93.184.216.34", "127.0.0.1"], SPECIAL],
        ["ldap.example.org", ["fe80::1%eth0"], SPECIAL],
        ["ldap.example.org", ["not an address"], SPECIAL],
        ["ldap.example.org", [], /no address/]
      ] as const) {
        const { authenticate } = yield* asking({ resolve: async () => addresses }, url(`ldaps://${host}/dc=x`))
        const error = yield* Effect.flip(authenticate("alice", "secret"))
        assert.match("reason" in error ? error.reason : "", reason, `${host} ${addresses}`)
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
