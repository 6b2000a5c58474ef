/** The parser of server-sent events, with pieces that are cut anywhere. */
import { assert, describe, it } from "vitest"
import { makeEventParser } from "../src/browser/live/eventStream.ts"

const TEXT = [
  "retry: 1000\n\n",
  'id: a1\nevent: snapshot\ndata: {"reason":"start"}\n\n',
  ": ping\n\n",
  "id: a2\r\nevent: stale\r\ndata: {}\r\n\r\n",
  "data: first\ndata: second\n\n"
].join("")

const WANTED = [
  { event: "snapshot", id: "a1", data: '{"reason":"start"}' },
  { event: "stale", id: "a2", data: "{}" },
  { event: "message", id: undefined, data: "first\nsecond" }
]

describe("server-sent events", () => {
  it("are the same however the text is cut into pieces", () => {
    for (let size = 1; size <= TEXT.length; size++) {
      const parse = makeEventParser()
      const pieces = Array.from({ length: Math.ceil(TEXT.length / size) }, (_, n) =>
        TEXT.slice(n * size, (n + 1) * size)
      )
      assert.deepStrictEqual(pieces.flatMap(parse), WANTED, `pieces of ${size}`)
    }
  })

  it("are not answered before they are complete", () => {
    const parse = makeEventParser()
    assert.deepStrictEqual(parse("data: 1\n"), [])
    assert.deepStrictEqual(parse("\n"), [{ event: "message", id: undefined, data: "1" }])
  })
})
