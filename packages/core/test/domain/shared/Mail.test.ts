/** The syntax of mail addresses, and their comparison regardless of case. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Mail, mailKey, sameMail } from "../../../src/index.ts"
import { mail } from "@sojourn/testing"
import { trials, words } from "../../trials.ts"

const isMail = Schema.is(Mail)
const label = (length: number) => "a".repeat(length)

describe("a mail address", () => {
  it("is a dot-atom and a host name of at most 254 characters", () => {
    const good = [
      ...words(`
        ada@example.org a@b A.B.C@x-y.example ada.love.lace@example.org o'neil+tag@example.org 1@1.2
      `),
      "!#$%&'*+/=?^_`{|}~-@example.org",
      `${label(64)}@example.org`,
      `a@${label(63)}.org`,
      `a@${`${label(61)}.`.repeat(4)}abcd`,
      `ab@${label(63)}.${label(63)}.${label(63)}.${label(59)}`
    ]
    for (const text of good) assert.isTrue(isMail(text), text)
  })

  it("is nothing else", () => {
    const bad = [
      ...words(`
        @ ada ada@ @example.org ada@@example.org a@b@c .ada@example.org ada.@example.org a..b@example.org
        ada@-example.org ada@example-.org ada@.org ada@example. ada@example..org ada@exa_mple.org ada@[127.0.0.1]
        ada,bob@example.org ada@example.org,bob@example.org mailto:ada@example.org ada(x)@example.org
      `),
      "",
      " ada@example.org",
      "ada@example.org ",
      "ada@example.org\n",
      "ada\u0000@example.org",
      "a da@example.org",
      '"a b"@example.org',
      "Ada <ada@example.org>",
      "adä@example.org",
      "ada@exämple.org",
      "İ@example.org",
      "😀@example.org",
      "ada@example.org\ud800",
      `${label(65)}@example.org`,
      `a@${label(64)}.org`,
      `abc@${label(63)}.${label(63)}.${label(63)}.${label(59)}`,
      `a@${"b.".repeat(150)}c`
    ]
    for (const text of bad) assert.isFalse(isMail(text), JSON.stringify(text))
  })

  it.prop(
    "names the same mailbox in any case, and no other",
    { one: mail, other: mail },
    ({ one, other }) => {
      const isSame = one.toUpperCase() === other.toUpperCase()
      assert.strictEqual(sameMail(one, other), isSame)
      assert.strictEqual(mailKey(one) === mailKey(other), isSame)
    },
    trials()
  )

  it("is compared by its lower case, which stores keep", () => {
    assert.strictEqual(mailKey(Mail.make("Ada.L@Example.ORG")), "ada.l@example.org")
  })

  it("that is none is refused with the words for what was expected", () => {
    assert.throws(() => Schema.decodeUnknownSync(Mail)("ada"), /^Expected a mail address$/)
  })
})
