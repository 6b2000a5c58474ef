/** `DelayedRejections` on its own, with timers that the test advances. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { DelayedRejections } from "../../src/http/DelayedRejections.ts"

const request = { headers: {}, complete: true } as IncomingMessage

/** A response that records its statuses. */
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

describe("overload rejections", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "performance"] }))
  afterEach(() => void vi.useRealTimers())

  it("are delayed", () => {
    const { response, statuses } = responding()
    new DelayedRejections(undefined).reject(request, response)
    vi.advanceTimersByTime(20)
    assert.deepStrictEqual(statuses, [])
    vi.advanceTimersByTime(20)
    assert.deepStrictEqual(statuses, [503])
  })

  it("are not delayed if backpressure paused the connection for as long, and are if for less", () => {
    const rejections = new DelayedRejections(undefined)
    const [long, short] = [responding(), responding()]
    rejections.reject(request, long.response, performance.now() - 25)
    rejections.reject(request, short.response, performance.now() - 24)
    assert.deepStrictEqual(long.statuses, [503])
    assert.deepStrictEqual(short.statuses, [])
    vi.advanceTimersByTime(40)
    assert.deepStrictEqual(short.statuses, [503])
  })

  it("are sent at once, and close the connection, during a drain", () => {
    const rejections = new DelayedRejections(undefined)
    const [delayed, late, paused] = [responding(), responding(), responding()]
    rejections.reject(request, delayed.response)
    rejections.beginDrain()
    rejections.reject(request, late.response)
    rejections.reject(request, paused.response, performance.now() - 60)
    for (const { response, statuses } of [delayed, late, paused]) {
      assert.deepStrictEqual(statuses, [503])
      assert.isFalse(response.shouldKeepAlive)
    }
  })
})
