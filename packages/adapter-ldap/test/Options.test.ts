/** Options of a directory that are refused when it is configured, rather than at its first question. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Result } from "effect"
import { isDistinguishedName, parseBindTemplate } from "../src/DistinguishedName.ts"
import { isSameAttribute } from "../src/AttributeName.ts"
import { LdapDirectory, type Options } from "../src/index.ts"
import { settingsOf } from "../src/Settings.ts"
import { makeCertificates } from "./certificates.ts"
import { url } from "./directory.ts"

const account = { dn: "cn=reader,dc=x", password: Redacted.make("secret") }

describe("options", () => {
  for (const [what, options, reason] of [
    ["a server that is none", { servers: [{ server: "https://x" }] }, /^servers: /],
    ["a server that is there twice", { servers: [{ server: "ldaps://x" }, { server: "LDAPS://X:636" }] }, /twice/],
    [
      "an account without a name",
      { servers: [{ server: "ldaps://x", serviceAccount: { ...account, dn: "reader" } }] },
      /serviceAccount\.dn/
    ],
    [
      "an account without a password",
      { servers: [{ server: "ldaps://x", serviceAccount: { ...account, password: Redacted.make("") } }] },
      /serviceAccount\.password/
    ],
    [
      "a template without a place for the name",
      { servers: [{ server: "ldaps://x", bindTemplate: "uid=alice,dc=x" }] },
      /bindTemplate/
    ],
    ["a name that is no attribute's", { nameAttribute: "given name" }, /nameAttribute/],
    [
      "a surname that is no attribute's",
      { servers: [{ server: "ldaps://x", surnameAttribute: "*" }] },
      /surnameAttribute/
    ],
    [
      "certificates that are none",
      { certificates: ["-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"] },
      /certificates/
    ],
    ["certificates that are not there", { certificates: [""] }, /certificates/],
    ["no time", { limits: { operation: 0 } }, /limits\.operation must be 1ms to 1m/],
    ["too much time", { limits: { connect: "2 minutes" } }, /limits\.connect/],
    ["too much time for all", { limits: { total: "1 hour" } }, /limits\.total/],
    ["no people", { limits: { mostPeople: 0 } }, /limits\.mostPeople/],
    ["more people than may be answered", { limits: { mostPeople: 1001 } }, /limits\.mostPeople/],
    ["half a connection", { limits: { connectionsPerServer: 0.5 } }, /limits\.connectionsPerServer/],
    ["endless answers", { limits: { largestAnswer: Infinity } }, /limits\.largestAnswer/],
    ["a negative number of waiting questions", { limits: { waitingPerServer: -1 } }, /limits\.waitingPerServer/]
  ] as ReadonlyArray<readonly [string, Options, RegExp]>) {
    it.effect(`are refused with ${what}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(Effect.scoped(Layer.build(LdapDirectory.layer(options))))
        assert.strictEqual(error._tag, "InvalidOptions")
        assert.match(error.message, reason)
      })
    )
  }

  it("of a server are for all of its bases, but for those that have their own", () => {
    const settings = Result.getOrThrow(
      settingsOf({
        startTls: "required",
        nameAttribute: "displayName",
        certificates: [makeCertificates().authority.pem],
        servers: [
          { server: "ldaps://x.org", serviceAccount: account },
          { server: "ldaps://x.org:636", base: "o=a,c=it", nameAttribute: "cn" },
          { server: "ldap://x.org", startTls: "never" }
        ]
      })
    )
    const of = (text: string) => settings.of(url(text))
    assert.strictEqual(of("ldaps://x.org").serviceAccount?.dn, account.dn)
    assert.strictEqual(of("X.ORG:636").serviceAccount?.dn, account.dn)
    assert.strictEqual(of("ldaps://x.org/o=b").nameAttribute, "displayName")
    assert.isUndefined(of("ldaps://x.org/o=a%2Cc=it?cn?one").serviceAccount)
    assert.strictEqual(of("ldaps://x.org/o=a,c=it").nameAttribute, "cn")
    assert.strictEqual(of("ldap://x.org").startTls, "never")
    assert.strictEqual(of("ldap://x.org:390").startTls, "required")
    assert.isUndefined(of("ldaps://y.org").serviceAccount)
    assert.isUndefined(of("ldaps://x.org:637").serviceAccount)
  })
})

describe("distinguished names", () => {
  it("are distinguished from other usernames", () => {
    for (const name of [
      "uid=alice",
      "uid=alice,ou=people,dc=example,dc=org",
      "UID = Alice , OU = People",
      "cn=a+uid=b,dc=x",
      "2.5.4.3=x",
      "cn=Lučić\\, Ana,o=x",
      "cn=\\c4\\8d",
      "cn=#04024869",
      "cn=\\ blank\\ ",
      "cn=a=b",
      "cn=,dc=x",
      "cn=😀"
    ]) {
      assert.isTrue(isDistinguishedName(name), name)
    }
    for (const name of [
      "",
      "alice",
      "alice@example.org",
      "EXTERNAL",
      "=x",
      "uid=alice,",
      ",uid=alice",
      "uid=alice,people",
      "uid=alice,,dc=x",
      "uid=a;dc=x",
      'uid="a",dc=x',
      "uid=a<b",
      "uid=a\\",
      "uid=a\\zz",
      "uid=#xyz",
      "uid=#4",
      "u_id=a",
      "1=a",
      "uid=a\u0000",
      `uid=${"a".repeat(2048)}`
    ]) {
      assert.isFalse(isDistinguishedName(name), name)
    }
  })

  it("are made by templates with one place for the name, and hold it as one value", () => {
    const made = (template: string, username = "alice") => parseBindTemplate(template)?.nameOf(username)
    assert.strictEqual(made("uid={username},ou=people,dc=x"), "uid=alice,ou=people,dc=x")
    assert.strictEqual(made("cn=users + uid={username},dc=x"), "cn=users + uid=alice,dc=x")
    assert.strictEqual(made("uid={username}"), "uid=alice")
    assert.strictEqual(made("uid={username},dc=x", "a,ou=b+c=d\\"), "uid=a\\,ou\\=b\\+c\\=d\\\\,dc=x")
    assert.strictEqual(made("uid={username},dc=x", "$&{username}"), "uid=$&{username},dc=x")
    for (const template of [
      "",
      "{username}",
      "uid=alice,dc=x",
      "uid=x{username},dc=x",
      "uid={username}x,dc=x",
      "uid={username},cn={username}",
      "{username}@example.org",
      "uid={username},",
      "uid={username};dc=x",
      "cn={username},ou=a=<"
    ]) {
      assert.isUndefined(parseBindTemplate(template), template)
    }
  })
})

describe("names of attributes", () => {
  it("are the same in any case, and by their numbers", () => {
    for (const [one, other, expected] of [
      ["uid", "UID", true],
      ["uid", "userid", true],
      ["0.9.2342.19200300.100.1.1", "uid", true],
      ["sn", "surname", true],
      ["givenName", "gn", true],
      ["uid", "cn", false],
      ["givenName;lang-it", "givenName", false],
      ["sAMAccountName", "samaccountname", true]
    ] as const) {
      assert.strictEqual(isSameAttribute(one, other), expected, `${one} ${other}`)
    }
  })
})
