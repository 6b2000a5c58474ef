import type { IncomingMessage, ServerResponse } from "node:http"
import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { Refusals } from "../../src/admission/DelayedRejections.ts"

const request = { headers: {}, complete: true } as IncomingMessage

/** A response of which is known what it was answered with. */
const responding = () => {
  const statuses: Array<number> = []
  const response = {
    destroyed: false,
    shouldKeepAlive: true,
    writeHead: (status: number) => statuses.push(status),
    end: () => {}
  }
  return { response: response as unknown as ServerResponse, statuses }
}

describe("refusals for lack of room", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "performance"] }))
  afterEach(() => void vi.useRealTimers())

  it("are held for a moment", () => {
    const { response, statuses } = responding()
    new Refusals(undefined).refuse(request, response)
    vi.advanceTimersByTime(20)
    assert.deepStrictEqual(statuses, [])
    vi.advanceTimersByTime(20)
    assert.deepStrictEqual(statuses, [503])
  })

  it("are not held where the connection waited as long before, and are where it waited less", () => {
    const refusals = new Refusals(undefined)
    const [long, short] = [responding(), responding()]
    refusals.refuse(request, long.response, performance.now() - 25)
    refusals.refuse(request, short.response, performance.now() - 24)
    assert.deepStrictEqual(long.statuses, [503])
    assert.deepStrictEqual(short.statuses, [])
    vi.advanceTimersByTime(40)
    assert.deepStrictEqual(short.statuses, [503])
  })

  it("are told at once, with the end of the connection, when the server leaves", () => {
    const refusals = new Refusals(undefined)
    const [held, late, waited] = [responding(), responding(), responding()]
    refusals.refuse(request, held.response)
    refusals.leave()
    refusals.refuse(request, late.response)
    refusals.refuse(request, waited.response, performance.now() - 60)
    for (const { response, statuses } of [held, late, waited]) {
      assert.deepStrictEqual(statuses, [503])
      assert.isFalse(response.shouldKeepAlive)
    }
  })
})
