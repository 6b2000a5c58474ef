/** The parser of server-sent events: the cases of the HTML standard and its examples, cut into pieces anywhere. */
import { assert, describe, it } from "vitest"
import { makeEventParser, type ServerSentEvent } from "../src/eventStream.ts"

const encoder = new TextEncoder()

/** Messages of a stream, by what the standard's examples and web-platform-tests call the case. */
const CASES: ReadonlyArray<readonly [what: string, text: string, messages: ReadonlyArray<Partial<ServerSentEvent>>]> = [
  ["a message", "data: YHOO\n\n", [{ event: "message", data: "YHOO", id: "" }]],
  ["several lines of data", "data: YHOO\ndata: +2\ndata: 10\n\n", [{ data: "YHOO\n+2\n10" }]],
  ["a type, for one message", "event: add\ndata: 1\n\ndata: 2\n\n", [{ event: "add" }, { event: "message" }]],
  ["comments", ": test\n\n:\n\ndata: 1\n: between\ndata: 2\n\n", [{ data: "1\n2" }]],
  ["empty data", "data\n\ndata\ndata\n\ndata:", [{ data: "" }, { data: "\n" }]],
  [
    "one space that is not of the value",
    "data:test\n\ndata: test\n\ndata:  test\n\n",
    [{ data: "test" }, { data: "test" }, { data: " test" }]
  ],
  ["colons in a value", "data: a: b:c\n\n", [{ data: "a: b:c" }]],
  [
    "an id that later messages keep",
    "id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n",
    [{ id: "1" }, { id: "1" }, { id: "" }]
  ],
  ["an id with NULL, which is ignored", "id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n", [{ id: "1" }, { id: "1" }]],
  ["an id without data", "id: 7\n\ndata: a\n\n", [{ id: "7", data: "a" }]],
  [
    "retry, and fields that are not known",
    "retry: 1000\n\nretry: x\nDATA: 1\n data: 2\nfoo\ndata: 3\n\n",
    [{ data: "3" }]
  ],
  ["a type without data", "event: add\n\ndata: 1\n\n", [{ event: "message", data: "1" }]],
  ["CR", "id: 1\rdata: a\rdata: b\r\rdata: c\r\r", [{ id: "1", data: "a\nb" }, { data: "c" }]],
  ["CRLF", "id: 1\r\ndata: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n", [{ id: "1", data: "a\nb" }, { data: "c" }]],
  [
    "CR, LF and CRLF in one stream",
    "data: a\rdata: b\r\ndata: c\n\r\ndata: d\n\rdata: e\r\n\n",
    [{ data: "a\nb\nc" }, { data: "d" }, { data: "e" }]
  ],
  [
    "a byte order mark, at the beginning alone",
    "\uFEFFdata: a\n\n\uFEFFdata: b\n\ndata: \uFEFFc\n\n",
    [{ data: "a" }, { data: "\uFEFFc" }]
  ],
  ["characters of several bytes", "data: Zürich € 🏛\n\n", [{ data: "Zürich € 🏛" }]],
  [
    "other line ends of Unicode, which end no line",
    "data: a\u2028b\u0085c\vd\fe\n\n",
    [{ data: "a\u2028b\u0085c\vd\fe" }]
  ],
  ["a message that is not complete", "data: a\n\ndata: b\n", [{ data: "a" }]]
]

const matches = (message: ServerSentEvent, wanted: Partial<ServerSentEvent> | undefined) =>
  assert.deepStrictEqual(message, { ...message, ...wanted })

describe("server-sent events", () => {
  it.each(CASES)("%s", (_, text, wanted) => {
    const bytes = encoder.encode(text)
    for (let size = 1; size <= bytes.length; size++) {
      const parse = makeEventParser()
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.subarray(n * size, (n + 1) * size)
      )
      const messages = pieces.flatMap(parse)
      assert.strictEqual(messages.length, wanted.length, `pieces of ${size}`)
      messages.forEach((message, n) => matches(message, wanted[n]))
    }
  })

  it("are returned with the piece that completes them, also where it ends with CR", () => {
    for (const end of ["\n", "\r", "\r\n"]) {
      const parse = makeEventParser()
      assert.deepStrictEqual(parse(encoder.encode(`data: 1${end}`)), [])
      assert.deepStrictEqual(parse(encoder.encode(end)), [{ event: "message", id: "", data: "1" }])
      assert.deepStrictEqual(parse(encoder.encode(`data: 2${end}${end}`)), [{ event: "message", id: "", data: "2" }])
    }
  })

  it("have a replacement character for each byte that is not UTF-8", () => {
    const bytes = Uint8Array.of(...encoder.encode("data: a"), 0xff, 0xc3, ...encoder.encode("\n\n"))
    assert.deepStrictEqual(
      makeEventParser()(bytes).map(({ data }) => data),
      ["a\uFFFD\uFFFD"]
    )
  })
})
