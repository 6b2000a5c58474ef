/** What waits for clients to read: so many bytes at most, over all connections. */
import { assert, describe, it } from "@effect/vitest"
import { integer, anyOf } from "@sojourn/testing"
import { Arbitrary } from "effect"
import { UnreadAnswers } from "../src/pipeline/overload.ts"

const MOST = 100

const responseOf = (closed: Array<number>, nth: number) => ({ destroy: () => void closed.push(nth) })

describe("answers that wait for their clients", () => {
  it("close the connection that has read nothing for longest, where they are too much", () => {
    const unread = new UnreadAnswers(MOST)
    const closed: Array<number> = []
    const [one, two, three] = [0, 1, 2].map((nth) => responseOf(closed, nth))
    unread.wait(one!, new Uint8Array(40))
    unread.wait(two!, new Uint8Array(40))
    // The first client reads a part.
    unread.wait(one!, new Uint8Array(40))
    unread.wait(three!, new Uint8Array(40))
    assert.deepStrictEqual(closed, [1])
    unread.release(three!)
    unread.wait(two!, new Uint8Array(60))
    assert.deepStrictEqual(closed, [1])
  })

  it("count a content once that several share", () => {
    const unread = new UnreadAnswers(MOST)
    const closed: Array<number> = []
    const page = new Uint8Array(60)
    const responses = Array.from({ length: 10 }, (_, nth) => responseOf(closed, nth))
    for (const response of responses) unread.wait(response, page)
    for (const response of responses.slice(1)) unread.release(response)
    unread.wait(responses[1]!, new Uint8Array(40))
    assert.deepStrictEqual(closed, [])
    unread.wait(responses[2]!, new Uint8Array(1))
    assert.deepStrictEqual(closed, [0])
  })

  const step = Arbitrary.all({
    does: anyOf(["wait", "wait", "release"] as const),
    nth: integer(0, 6),
    content: integer(0, 8)
  })
  it.prop("are never more than allowed, but for one alone", { steps: Arbitrary.array(step) }, ({ steps }) => {
    const contents = Array.from({ length: 9 }, (_, nth) => new Uint8Array(nth * 15))
    const unread = new UnreadAnswers(MOST)
    const open = new Map<number, Uint8Array>()
    const responses = Array.from({ length: 7 }, (_, nth) => ({ destroy: () => void open.delete(nth) }))
    for (const { does, nth, content } of steps) {
      if (does === "wait") {
        open.delete(nth)
        open.set(nth, contents[content]!)
        unread.wait(responses[nth]!, contents[content]!)
        assert.isTrue(open.has(nth))
      } else {
        open.delete(nth)
        unread.release(responses[nth]!)
      }
      const bytes = [...new Set(open.values())].reduce((sum, { length }) => sum + length, 0)
      assert.isTrue(bytes <= MOST || open.size === 1)
    }
  })
})
