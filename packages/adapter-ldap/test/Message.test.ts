/** The decoder and the framer of LDAP messages: valid, malformed and damaged bytes, compared with the library ldapts. */
import { assert, describe, it } from "@effect/vitest"
import { MessageParser } from "ldapts"
import { makeFramer, TOO_LONG } from "../src/Framer.ts"
import { MALFORMED, read } from "../src/Message.ts"
import { der } from "./certificates.ts"
import { Random, runs, SEED } from "./trials.ts"
import { type LdapRequest, BIND, entry, EXTENDED, message, result, SEARCH, value } from "./script.ts"

const request = (operation: number, messageId = 7) => ({ messageId, operation }) as LdapRequest

const controls = (...all: ReadonlyArray<Uint8Array>) => der(0xa0, ...all)
const control = (...parts: ReadonlyArray<Uint8Array>) =>
  der(0x30, der(0x04, Buffer.from("1.2.840.113556.1.4.319")), ...parts)
const withControls = (bytes: Buffer, more: Uint8Array) => der(0x30, bytes.subarray(2), more)
const pageValue = der(0x04, der(0x30, der(0x02, Buffer.from([9])), der(0x04, Buffer.from("cookie"))))

/** Messages as servers send them, and what they are. */
const MESSAGES: ReadonlyArray<readonly [Buffer, unknown]> = [
  [result(request(BIND)), { _tag: "Result", messageId: 7, code: 0 }],
  [result(request(BIND), 49), { _tag: "Result", messageId: 7, code: 49 }],
  [result(request(BIND), 0, der(0x87, Buffer.from("sasl"))), { _tag: "Result", messageId: 7, code: 0 }],
  [result(request(SEARCH), 4), { _tag: "Result", messageId: 7, code: 4 }],
  [
    result(request(SEARCH), 10, der(0xa3, der(0x04, Buffer.from("ldap://x")))),
    { _tag: "Result", messageId: 7, code: 10 }
  ],
  [result(request(EXTENDED), 0, der(0x8a, Buffer.from("1.2")), value("v")), { _tag: "Result", messageId: 7, code: 0 }],
  [withControls(result(request(SEARCH)), controls(control(pageValue))), { _tag: "Result", messageId: 7, code: 0 }],
  [
    withControls(result(request(SEARCH)), controls(control(der(0x01, Buffer.from([255])), pageValue), control())),
    { _tag: "Result", messageId: 7, code: 0 }
  ],
  [entry(request(SEARCH), "", {}), { _tag: "Entry", messageId: 7, values: 0 }],
  [entry(request(SEARCH, 127), "uid=a", { uid: [], sn: ["b", "c"] }), { _tag: "Entry", messageId: 127, values: 4 }],
  [entry(request(SEARCH), "uid=a", { uid: ["x".repeat(300)] }), { _tag: "Entry", messageId: 7, values: 2 }],
  [message(7, der(0x73, der(0x04, Buffer.from("ldap://x")))), { _tag: "Ignored", messageId: 7 }],
  [message(7, der(0x79)), { _tag: "Ignored", messageId: 7 }],
  [
    message(0, der(0x78, der(0x0a, Buffer.from([52])), der(0x04), der(0x04))),
    { _tag: "Result", messageId: 0, code: 52 }
  ]
]

/** What is not LDAP, or not for us to hear. */
const NOT_MESSAGES: Readonly<Record<string, Buffer>> = {
  "an entry whose attributes are longer than it": message(7, Buffer.from([0x64, 4, 4, 0, 0x30, 0x7f])),
  "an entry whose values are longer than it": message(
    7,
    der(0x64, der(0x04), der(0x30, der(0x30, der(0x04), Buffer.from([0x31, 0x7f]))))
  ),
  "an entry without attributes": message(7, der(0x64, der(0x04))),
  "an entry with a name alone": message(7, der(0x64, der(0x04, Buffer.from("uid=alice,dc=x")))),
  "an entry whose attributes are octets": message(7, der(0x64, der(0x04), der(0x04, Buffer.from([4])))),
  "an attribute without values": message(7, der(0x64, der(0x04), der(0x30, der(0x30, der(0x04))))),
  "an attribute whose values are a sequence": message(
    7,
    der(0x64, der(0x04), der(0x30, der(0x30, der(0x04), der(0x30))))
  ),
  "a value that is a number": message(
    7,
    der(0x64, der(0x04), der(0x30, der(0x30, der(0x04), der(0x31, der(0x02, Buffer.from([1]))))))
  ),
  "a result without a code": message(7, der(0x65)),
  "a result with an empty code": message(7, der(0x65, der(0x0a), der(0x04), der(0x04))),
  "a request": message(7, der(0x63)),
  "an answer to a request that was not sent": message(7, der(0x69, der(0x0a, Buffer.from([0])), der(0x04), der(0x04))),
  "a negative number": der(0x30, der(0x02, Buffer.from([0xff])), der(0x73)),
  "no number": der(0x30, der(0x02), der(0x73)),
  "a number of five bytes": der(0x30, der(0x02, Buffer.from([0, 0, 0, 0, 1])), der(0x73)),
  "nothing in a sequence": der(0x30),
  "a set": der(0x31, der(0x02, Buffer.from([1])), der(0x73)),
  "two messages": Buffer.concat([result(request(BIND)), result(request(BIND))]),
  "a tag of two bytes": message(7, Buffer.from([0x7f, 0x01, 0])),
  "a length that does not end": message(7, Buffer.from([0x64, 0x80, 0, 0])),
  "controls that are longer than they": der(0x30, result(request(BIND)).subarray(2), Buffer.from([0xa0, 0x7f])),
  "a control that is a number": withControls(result(request(BIND)), controls(der(0x30, der(0x02, Buffer.from([1]))))),
  nothing: Buffer.alloc(0)
}

/** What is out of order and harmless: every length fits, so ldapts reads it to its end. */
const TOLERATED: ReadonlyArray<Buffer> = [
  message(7, der(0x65, der(0x0a, Buffer.from([0])), der(0x04), der(0x04), der(0x04))),
  result(request(BIND), 0, der(0xa3), der(0xa3)),
  withControls(result(request(BIND)), der(0xa1)),
  withControls(result(request(BIND)), controls(der(0x30))),
  withControls(result(request(BIND)), controls(der(0x04)))
]

const TAGS = [0x02, 0x04, 0x04, 0x0a, 0x30, 0x30, 0x31, 0x31, 0x61, 0x64, 0x65, 0x78, 0xa0, 0xa3, 0x8b]

/** Elements in elements, of tags that ldapts knows, at places of any kind. */
const tree = (random: Random, depth: number): Buffer =>
  der(
    random.pick(TAGS),
    ...(depth === 0
      ? [Buffer.from(Array.from({ length: random.below(4) }, () => random.below(256)))]
      : Array.from({ length: random.below(4) }, () => tree(random, random.below(depth))))
  )

const operations = [0x61, 0x64, 0x64, 0x64, 0x65, 0x78]
const drawn = (random: Random): Buffer =>
  message(7, der(random.pick(operations), ...Array.from({ length: 1 + random.below(4) }, () => tree(random, 4))))

/** What ldapts makes of a message: messages and errors. */
const heardBy = (bytes: Buffer): ReadonlyArray<unknown> => {
  const parser = new MessageParser()
  const heard: Array<unknown> = []
  parser.on("message", (one) => heard.push(one))
  parser.on("error", (error) => heard.push(error))
  parser.read(bytes, new Map())
  return heard
}

describe("messages", () => {
  it("of servers are parsed", () => {
    for (const [bytes, expected] of MESSAGES) assert.deepEqual<unknown>(read(bytes), expected)
  })

  for (const [what, bytes] of Object.entries(NOT_MESSAGES)) {
    it(`are not: ${what}`, () => assert.strictEqual(read(bytes), MALFORMED))
  }

  it("that are out of order are refused, or ldapts reads them to their end", () => {
    for (const bytes of TOLERATED) {
      assert.notStrictEqual(read(bytes), MALFORMED)
      assert.lengthOf(heardBy(bytes), 1, bytes.toString("hex"))
    }
  })

  it(
    `that were damaged are refused, or ldapts reads them to their end (${runs(20_000)} of them)`,
    () => {
      let passed = 0
      for (let run = 0; run < runs(20_000); run++) {
        const random = Random.of(SEED, run)
        const bytes = Buffer.from(random.chance(0.5) ? drawn(random) : random.pick(MESSAGES)[0])
        for (let i = random.below(4); i > 0; i--) bytes[random.below(bytes.length)] = random.below(256)
        const damaged = random.chance(0.2) ? bytes.subarray(0, random.below(bytes.length)) : bytes
        const known = read(damaged)
        // Ignored messages are not passed to ldapts, which takes minutes for some of them.
        if (known === MALFORMED || known._tag === "Ignored") continue
        passed += 1
        assert.lengthOf(heardBy(damaged), 1, damaged.toString("hex"))
      }
      assert.isAbove(passed, 100)
    },
    600_000 + runs(20_000)
  )
})

describe("a stream of messages", () => {
  it("is split at their ends, for any chunks", () => {
    const whole = Buffer.concat(MESSAGES.map(([bytes]) => bytes))
    for (let run = 0; run < 300; run++) {
      const random = Random.of(SEED, run)
      const framer = makeFramer(1 << 20)
      const found: Array<Buffer> = []
      for (let at = 0; at < whole.length;) {
        const size = 1 + random.below(random.chance(0.5) ? 3 : 400)
        const messages = framer.push(whole.subarray(at, at + size))
        assert.notStrictEqual(typeof messages, "string")
        found.push(...(messages as ReadonlyArray<Buffer>))
        at += size
      }
      assert.deepEqual(
        found.map((one) => one.toString("hex")),
        MESSAGES.map(([bytes]) => bytes.toString("hex"))
      )
      assert.isFalse(framer.isInside())
    }
  })

  it("ends at what is no message, and at what is too long", () => {
    assert.strictEqual(makeFramer(100).push(Buffer.from("HTTP/1.1")), MALFORMED)
    assert.strictEqual(makeFramer(100).push(Buffer.from([0x30, 0x80])), MALFORMED)
    assert.strictEqual(makeFramer(100).push(Buffer.from([0x30, 0x85, 0, 0, 0, 0, 1])), MALFORMED)
    assert.strictEqual(makeFramer(100).push(Buffer.from([0x30, 0x82, 1, 0])), TOO_LONG)
    const framer = makeFramer(100)
    assert.deepEqual(framer.push(Buffer.concat([result(request(BIND)), Buffer.from([0x30])])).length, 1)
    assert.isTrue(framer.isInside())
    assert.strictEqual(framer.push(Buffer.alloc(100)), TOO_LONG)
  })
})
