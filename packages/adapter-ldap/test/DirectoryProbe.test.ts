/** The probe of a directory for operators, against OpenLDAP's slapd and scripted servers: the report, and the step that fails. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { DirectoryProbe, type Options } from "../src/index.ts"
import { makeCertificates } from "./certificates.ts"
import { allowing, url } from "./directory.ts"
import { startListener, startTlsListener, until } from "./Listener.ts"
import { mainEntries, odd, ODD, READER, SUFFIX } from "./people.ts"
import { answering, obliging } from "./script.ts"
import { CLOSED, describeOnSlapd, SHORT, TestDirectories } from "./TestDirectories.ts"

describeOnSlapd("a probe", (it) => {
  it.effect("of a server in order reports all facts and no problem", () =>
    Effect.gen(function* () {
      const { ldaps, options } = yield* TestDirectories
      const report = yield* DirectoryProbe.probe(url(`${ldaps}/${ODD}`), options)
      assert.deepInclude(report, {
        server: ldaps,
        base: ODD,
        idAttribute: "uid",
        scope: "sub",
        finder: "anonymous",
        isAllowed: true,
        connectedTo: "127.0.0.1",
        isBound: true,
        isBaseFound: true,
        people: odd.length + 2,
        peopleWithOneId: odd.length,
        areMore: false
      })
      assert.isUndefined(report.problem)
      assert.include(report.addresses, "127.0.0.1")
      const { encryption } = report
      if (encryption?._tag !== "Tls") throw new Error("there is no TLS")
      assert.match(encryption.protocol, /^TLSv1\.[23]$/)
      assert.match(encryption.subject, /localhost/)
      assert.strictEqual(encryption.issuer, "Test authority")
      assert.isAbove(Date.parse(encryption.expires), Date.now())
    })
  )

  it.effect("counts at most 1,000 people, and reports whether there are more", () =>
    Effect.gen(function* () {
      const { ldaps, options } = yield* TestDirectories
      const all = yield* DirectoryProbe.probe(url(`${ldaps}/${SUFFIX}`), options)
      assert.isTrue(all.areMore)
      assert.isAtMost(all.people ?? 0, 1000)
      const few = yield* DirectoryProbe.probe(url(`${ldaps}/${SHORT}`), options)
      assert.deepInclude(few, { people: 3, areMore: true })
      assert.isAbove(mainEntries("x").length, 1000)
    })
  )

  it.effect("reports the failed step and the reason", () =>
    Effect.gen(function* () {
      const { ldaps, ldap, plain, options } = yield* TestDirectories
      const account = (password: string) => ({
        ...options,
        servers: [
          {
            server: ldaps,
            base: CLOSED,
            serviceAccount: { dn: `cn=reader,${CLOSED}`, password: Redacted.make(password) }
          }
        ]
      })
      const problem = (text: string, more: Options) =>
        Effect.map(DirectoryProbe.probe(url(text), more), (report) => report.problem)
      assert.isUndefined(yield* problem(`${ldaps}/${CLOSED}`, account(READER.password)))
      assert.deepStrictEqual(yield* problem(`${ldaps}/${CLOSED}`, account("wrong")), {
        step: "bind",
        reason: "the directory refuses the service account"
      })
      assert.deepStrictEqual(yield* problem(`${ldaps}/${CLOSED}`, options), {
        step: "base",
        reason: "the directory does not let people be looked up"
      })
      assert.deepStrictEqual(yield* problem(`${ldaps}/o=nowhere`, options), {
        step: "base",
        reason: "the URL's base is not there, or may not be read"
      })
      assert.deepStrictEqual(yield* problem(`${ldaps}/${SUFFIX}`, { policy: options.policy }), {
        step: "encryption",
        reason: "the authority of the server's certificate is not trusted"
      })
      assert.deepStrictEqual(yield* problem(`${plain}/${SUFFIX}`, { ...options, startTls: "required" }), {
        step: "encryption",
        reason: "the directory does not begin TLS"
      })
      const inPlaintext = yield* DirectoryProbe.probe(url(`${plain}/${SUFFIX}`), options)
      assert.deepStrictEqual(inPlaintext.encryption, { _tag: "Plaintext" })
      const started = yield* DirectoryProbe.probe(url(`${ldap}/${SUFFIX}`), options)
      assert.strictEqual(started.encryption?._tag, "Tls")
      const template = [{ server: ldaps, bindTemplate: `uid={username},${SUFFIX}` }]
      const made = yield* DirectoryProbe.probe(url(`${ldaps}/${SUFFIX}`), { ...options, servers: template })
      assert.strictEqual(made.finder, "bind template")
    })
  )
})

describe("a probe of an unreachable server", () => {
  const certificates = makeCertificates()

  it.live("reports it, and ends", () =>
    Effect.gen(function* () {
      const silent = yield* startListener(() => {})
      const expired = yield* startTlsListener(certificates.expired, answering(obliging()))
      const gone = yield* Effect.scoped(
        Effect.map(
          startListener(() => {}),
          ({ address }) => address
        )
      )
      const policy = allowing(
        `ldap://${silent.address}`,
        `ldaps://${expired.address}`,
        `ldap://${gone}`,
        "ldaps://nobody.invalid"
      )
      const options: Options = {
        policy,
        certificates: [certificates.authority.pem],
        startTls: "never",
        limits: { connect: "5 seconds", operation: "200 millis" }
      }
      for (const [server, more, step, reason] of [
        ["ldaps://127.0.0.1", { policy: { allow: [] } }, "policy", /loopback/],
        ["ldaps://ldap.example.org", { policy: allowing("ldaps://x") }, "policy", /operator/],
        ["ldaps://nobody.invalid", { resolve: () => Promise.reject(new Error("no")) }, "address", /no address/],
        [
          "ldaps://ldap.example.org",
          { policy: { allow: [] }, resolve: () => Promise.resolve(["::1"]) },
          "address",
          /loopback/
        ],
        [`ldap://${gone}`, {}, "connection", /nothing listens/],
        [`ldaps://${expired.address}`, {}, "encryption", /has expired/],
        [`ldap://${silent.address}/dc=x`, {}, "base", /no answer in time/],
        [
          "ldaps://nobody.invalid",
          { resolve: () => new Promise(() => {}), limits: { total: "100 millis" } },
          "address",
          /no answer in time/
        ]
      ] as ReadonlyArray<readonly [string, Options, string, RegExp]>) {
        const { problem } = yield* DirectoryProbe.probe(url(server), { ...options, ...more })
        assert.strictEqual(problem?.step, step, server)
        assert.match(problem?.reason ?? "", reason, server)
      }
      yield* until("the connections are closed", () => silent.open() + expired.open() === 0)
    })
  )
})
