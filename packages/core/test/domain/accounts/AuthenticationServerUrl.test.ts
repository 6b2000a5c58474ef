/** The URL of an authentication server: its syntax, special hosts, id attributes with secrets, and the operator's list. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result } from "effect"
import {
  type AuthenticationServerPolicy,
  defaultAuthenticationServerPolicy,
  holdsSecrets,
  parseAllowEntry,
  parseAuthenticationServerUrl,
  requireAllowed
} from "../../../src/index.ts"
import { anyOf, integer, maybe, text } from "@sojourn/testing"
import { refusal, trials, verdict, words } from "../../trials.ts"
import { MALFORMED, SPECIAL_HOSTS } from "./AuthenticationServerUrl.hostile.ts"

const under = (policy: AuthenticationServerPolicy, url: string) =>
  Result.flatMap(parseAuthenticationServerUrl(url), (server) => requireAllowed(server, policy))
const byDefault = (url: string) => verdict(under(defaultAuthenticationServerPolicy, url))
const allowing = (...entries: ReadonlyArray<string>): AuthenticationServerPolicy => ({
  allow: entries.map((entry) => Result.getOrThrow(parseAllowEntry(entry)))
})

describe("the URL of an authentication server", () => {
  it.each(SPECIAL_HOSTS)("%s is refused by default", (host) => {
    const written = [
      `ldaps://${host}`,
      `ldaps://${host}:636`,
      `LDAPS://${host}/dc=example?uid?sub`,
      host,
      `${host}:636`
    ]
    for (const url of written) assert.strictEqual(byDefault(url), "AuthenticationServerRefused", url)
  })

  it("is reached by default when its name only resembles a special one", () => {
    const names = words(`
      localhost.example.org xlocalhost localhost5 localhost.localdomain.example.org a.localhost.localdomain
      ip6-localhost.example.org ip6-loopback.example.org a-ip6-localhost a.ip6-loopback metadata.example.org xmetadata
      metadata.google.internal.example.org instance-data.example.org a-instance-data instance-data.ec2.internal.example.org
    `)
    for (const name of names) assert.strictEqual(byDefault(`ldaps://${name}`), "accepted", name)
  })

  it.each(MALFORMED.map((url) => [JSON.stringify(url), url]))("%s is none", (_, url) => {
    assert.strictEqual(verdict(parseAuthenticationServerUrl(url)), "AuthenticationServerRefused")
  })

  it("that is refused has a reason", () => {
    const cases: ReadonlyArray<readonly [url: string, reason: string]> = [
      ["ldaps://ldap example.org", "a URL holds visible ASCII characters alone"],
      ["http://ldap.example.org", "not an LDAP URL"],
      ["ldaps://.example.org", "the host is neither a name nor an address"],
      ["ldap..example", "the host is neither a name nor an address"],
      ["ldaps://ldap.example.org:0", "the port is not between 1 and 65535"],
      ["ldap.example.org:65536", "the port is not between 1 and 65535"],
      ["ldaps://127.1", "the host is no address in its standard form"],
      ["ldaps://ldap.example.org/%zz", "a percent escape is malformed"],
      ["ldaps://ldap.example.org/ou=%00", "a percent escape stands for NUL"],
      ["ldaps://ldap.example.org/?uid,cn", "the URL names one attribute, which holds people's ids"],
      ["ldaps://ldap.example.org/??subtree", "the scope is base, one or sub"],
      ["ldaps://ldap.example.org/???(uid=*)", "filters and extensions are not supported"],
      ["ldap://ldap.example.org", "only ldaps on port 636 is allowed"],
      ["ldaps://ldap.example.org:637", "only ldaps on port 636 is allowed"],
      ["ldaps://[::1]", "loopback, link-local, multicast, unspecified and metadata addresses are not allowed"],
      ["ldaps://ldap.example.org/?userPassword", "the attribute holds secrets, and is no id of people"]
    ]
    for (const [url, reason] of cases) {
      const result = under(defaultAuthenticationServerPolicy, url)
      assert.deepStrictEqual(refusal(result), { _tag: "AuthenticationServerRefused", reason }, url)
    }
    assert.deepStrictEqual(refusal(under(allowing("ldaps://other.test"), "ldaps://ldap.example.org")), {
      _tag: "AuthenticationServerRefused",
      reason: "the operator does not allow this server"
    })
    assert.deepStrictEqual(refusal(parseAllowEntry("ldap.example.org")), {
      _tag: "AuthenticationServerRefused",
      reason: "an entry is scheme://host[:port], with ldaps or ldap as its scheme: ldap.example.org"
    })
  })

  it("is read into host, port, base, id attribute and scope, and kept as it was given", () => {
    const plain = { scheme: "ldaps", host: "ldap.example.org", port: 636, base: "", idAttribute: "uid", scope: "sub" }
    const cases: ReadonlyArray<readonly [url: string, expected: object]> = [
      ["ldap.example.org", plain],
      ["LDAP.Example.ORG.", plain],
      ["ldap.example.org:1636", { ...plain, port: 1636 }],
      ["ldaps://ldap.example.org", plain],
      ["ldaps://ldap.example.org/", plain],
      ["LdApS://ldap.example.org:636/", plain],
      ["ldap://ldap.example.org", { ...plain, scheme: "ldap", port: 389 }],
      [
        "ldaps://ldap.example.org/ou=people,dc=example,dc=org?uid?sub",
        { ...plain, base: "ou=people,dc=example,dc=org" }
      ],
      ["ldaps://ldap.example.org/o=a%20b%2Cc%3F%C3%A9??one", { ...plain, base: "o=a b,c?é", scope: "one" }],
      ["ldaps://ldap.example.org/?cn", { ...plain, idAttribute: "cn" }],
      ["ldaps://ldap.example.org/?sAMAccountName?BASE", { ...plain, idAttribute: "sAMAccountName", scope: "base" }],
      ["ldaps://ldap.example.org/?2.5.4.3?", { ...plain, idAttribute: "2.5.4.3" }],
      ["ldaps://ldap.example.org/?%75id?sub??", plain],
      ["ldaps://ldap.example.org/?12.34.567", { ...plain, idAttribute: "12.34.567" }],
      ["ldaps://ldap.example.org:1", { ...plain, port: 1 }],
      ["ldaps://1.example.org", { ...plain, host: "1.example.org" }],
      ["ldaps://a.0x1.example.org", { ...plain, host: "a.0x1.example.org" }],
      ["ldaps://93.184.216.34", { ...plain, host: "93.184.216.34" }],
      ["ldaps://[2001:DB8::1]:636/", { ...plain, host: "2001:db8::1" }],
      ["[2001:db8::1]", { ...plain, host: "2001:db8::1" }],
      ["ldap_1.x-y.example", { ...plain, host: "ldap_1.x-y.example" }],
      ["ldaps:636", { ...plain, host: "ldaps" }]
    ]
    for (const [text, expected] of cases) {
      assert.deepStrictEqual(
        Result.getOrThrow(parseAuthenticationServerUrl(text)),
        { ...expected, text } as never,
        text
      )
    }
  })

  it.prop(
    "answers its parts as they were percent-encoded, whatever the base holds",
    {
      base: text(0, 40),
      attribute: maybe(anyOf(["uid", "cn", "employeeNumber", "2.5.4.3", "x-y"])),
      scope: maybe(anyOf(["base", "one", "sub"])),
      port: integer(1, 65535)
    },
    ({ base, attribute, scope, port }) => {
      const url = `ldaps://ldap.example.org:${port}/${encodeURIComponent(base)}?${attribute ?? ""}?${scope ?? ""}`
      const result = Result.getOrThrow(parseAuthenticationServerUrl(url))
      assert.deepStrictEqual(
        [result.text, result.port, result.base, result.idAttribute, result.scope],
        [url, port, base, attribute ?? "uid", scope ?? "sub"]
      )
    },
    trials()
  )

  it.prop(
    "is read or refused without an error, whatever the text",
    {
      parts: Arbitrary.array(anyOf(["ldaps://", ...words("ldap [ ] ::1 127.0.0.1 a . : 6 / ? # @ % %2f \\")]), {
        maxLength: 9
      })
    },
    ({ parts }) => {
      const server = Result.getOrUndefined(parseAuthenticationServerUrl(parts.join("")))
      if (server === undefined) return
      assert.match(server.host, /^[a-z0-9._:-]+$/)
      assert.isTrue(Number.isInteger(server.port) && server.port >= 1 && server.port <= 65535)
      const isAllowed = Result.isSuccess(requireAllowed(server, defaultAuthenticationServerPolicy))
      if (isAllowed) assert.notMatch(server.host, /^127\.\d+\.\d+\.\d+$|^::1$|^localhost$/)
    },
    trials(2000)
  )
})

const SECRETS = words(`
  userPassword USERPASSWORD userpassword userPassw%6frd 2.5.4.35 2.5.4.035 02.05.4.35 unicodePwd dBCSPwd ntPwdHistory lmPwdHistory
  supplementalCredentials sambaNTPassword sambaLMPassword sambaPasswordHistory lmPassword ntPassword authPassword pwdHistory
  krbPrincipalKey krbMKey ipaNTHash ipaNTHash-x ms-Mcs-AdmPwd msLAPS-Password msLAPS-EncryptedPassword msDS-ManagedPassword
  msFVE-RecoveryPassword msFVE-KeyPackage unixUserPassword userPKCS12 trustAuthIncoming trustAuthOutgoing olcRootPW olcSyncrepl
  oathSecret oathHOTPSecret totpSeed ipatokenOTPkey nspmPassword nspmDistributionPassword clearTextPassword sshPrivateKey
  x-private-key nsDS5ReplicaCredentials 1.2.840.113556.1.4.90 1.3.6.1.4.1.4203.1.3.4 2.16.840.1.113730.3.1.216
  1.2.840.113556.1.4.2196 1.3.6.1.4.1.7165.2.1.25
`)
const IDS = words(`
  uid UID userid cn mail sAMAccountName userPrincipalName employeeNumber employeeID serialNumber uidNumber entryUUID objectGUID
  eduPersonPrincipalName passportNumber telephoneNumber compassId 0.9.2342.19200300.100.1.1 2.5.4.3 2.5.4.5 2.5.4.3.5 12.5.4.35
  1.2.840.113556.1.4.221 x-key publicKeyId
`)

describe("the id attribute", () => {
  it.each(SECRETS)("is never %s, with an option or without, whatever servers the operator lists", (attribute) => {
    for (const option of ["", ";x-foo", "%3bbinary", ";"]) {
      const url = `ldaps://ldap.example.org/dc=x?${attribute}${option}`
      for (const policy of [defaultAuthenticationServerPolicy, allowing("ldaps://ldap.example.org")]) {
        assert.strictEqual(verdict(under(policy, url)), "AuthenticationServerRefused", url)
      }
    }
  })

  it.each(IDS)("may be %s", (attribute) => {
    assert.strictEqual(byDefault(`ldaps://ldap.example.org/dc=x?${attribute}`), "accepted")
  })

  it.prop(
    "holds secrets or not whatever its case, its options and zeros before its numbers",
    {
      attribute: anyOf(["uid", ...SECRETS.filter((name) => !name.includes("%")), ...IDS]),
      bits: integer(0, 2 ** 31 - 1),
      zeros: integer(0, 3)
    },
    ({ attribute, bits, zeros }) => {
      const cased = [...attribute]
        .map((letter, i) => (((bits >> (i % 31)) & 1) === 0 ? letter : letter.toUpperCase()))
        .join("")
      const written = /^\d/.test(cased) ? cased.replace(/\d+/g, (number) => "0".repeat(zeros) + number) : cased
      for (const form of [written, `${written};lang-it`, `OID.${written}`]) {
        assert.strictEqual(holdsSecrets(form), holdsSecrets(attribute), form)
      }
    },
    trials()
  )
})

describe("the operator's list of authentication servers", () => {
  it("that is closed allows what it names, also when that is nothing", () => {
    const closed = { ...allowing(), listedOnly: true }
    const listing = { ...allowing("ldaps://ldap.example.org"), listedOnly: true }
    for (const url of ["ldaps://ldap.example.org", "ldaps://other.example.org", "ldaps://10.0.0.1", "ldap://[::1]"]) {
      assert.strictEqual(verdict(under(closed, url)), "AuthenticationServerRefused", url)
      assert.strictEqual(verdict(under(listing, url)) === "accepted", url === "ldaps://ldap.example.org", url)
    }
  })

  it("allows what it names, by scheme, host and port together, and nothing else", () => {
    const policy = allowing(
      "ldaps://ldap.example.org",
      "ldap://plain.example.org:3890",
      "ldaps://127.0.0.1:1636",
      "LDAP://[::1]/"
    )
    const cases: ReadonlyArray<readonly [url: string, isAllowed: boolean]> = [
      ["ldaps://ldap.example.org/dc=x", true],
      ["ldap.example.org", true],
      ["LDAPS://LDAP.EXAMPLE.ORG.:636", true],
      ["ldaps://ldap.example.org:1636", false],
      ["ldap://ldap.example.org", false],
      ["ldap://ldap.example.org:636", false],
      ["ldaps://other.example.org", false],
      ["ldaps://xldap.example.org", false],
      ["ldaps://ldap.example.org.evil.test", false],
      ["ldap://plain.example.org:3890", true],
      ["ldap://plain.example.org", false],
      ["ldaps://plain.example.org:3890", false],
      ["ldaps://127.0.0.1:1636", true],
      ["ldaps://127.0.0.1", false],
      ["ldaps://127.0.0.2:1636", false],
      ["ldaps://localhost:1636", false],
      ["ldap://[::1]:389", true],
      ["ldap://[::ffff:127.0.0.1]:389", false]
    ]
    for (const [url, isAllowed] of cases) {
      assert.strictEqual(verdict(under(policy, url)), isAllowed ? "accepted" : "AuthenticationServerRefused", url)
    }
  })

  it("holds scheme://host[:port] alone", () => {
    const wrong = [
      ...words(`
    ldap.example.org ldap.example.org:636 http://ldap.example.org ldaps:// ldaps:/// ldaps://*
    ldaps://ldap.example.org/dc=x ldaps://ldap.example.org?x ldaps://u@ldap.example.org ldaps://ldap.example.org:0
    ldaps://ldap.example.org:65536 ldaps://127.1 ldaps://[::1 ldaps://a,ldaps://b
  `),
      "",
      " ldaps://ldap.example.org"
    ]
    for (const entry of wrong) assert.strictEqual(verdict(parseAllowEntry(entry)), "AuthenticationServerRefused", entry)
  })
})
