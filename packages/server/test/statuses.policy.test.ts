/** Stay policies over HTTP. */
import { describe, expect, it } from "vitest"
import { makeFixtures, NOWHERE, want } from "./fixtures.ts"
import { sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { operator, organization, put, get, call } = fixtures

const LONGEST = 366 * 86_400
const CENTURY = 36_525 * 86_400

const read = (id: number) => get(operator, `/operator/organization/${id}/policy`)
const change = (id: number, body: unknown) => put(operator, `/operator/organization/${id}/policy`, body)

describe("GET and PUT /operator/organization/{organizationId}/policy (spec: policies#change)", () => {
  it("200 only the organizationId, before a policy is set", async () => {
    const { id } = await organization()
    expect(want(await read(id), 200).json).toEqual({ organizationId: id })
  })

  it("200 the policy; null removes a field, and fields that are left out are unchanged", async () => {
    const { id } = await organization()
    const both = { organizationId: id, longestStay: 43_200, retention: 7_776_000 }
    expect(want(await change(id, { longestStay: 43_200, retention: 7_776_000 }), 200).json).toEqual(both)
    expect(want(await read(id), 200).json).toEqual(both)
    expect(want(await change(id, { longestStay: 3600 }), 200).json).toEqual({ ...both, longestStay: 3600 })
    expect(want(await change(id, { retention: null }), 200).json).toEqual({ organizationId: id, longestStay: 3600 })
    expect(want(await change(id, { retention: null }), 200).json).toEqual({ organizationId: id, longestStay: 3600 })
    expect(want(await change(id, { longestStay: null, retention: 86_400 }), 200).json).toEqual({
      organizationId: id,
      retention: 86_400
    })
    expect(want(await change(id, { longestStay: null, retention: null }), 200).json).toEqual({ organizationId: id })
    expect(want(await read(id), 200).json).toEqual({ organizationId: id })
  })

  it("200 the event interval and the smallest count, which are set and removed like the other fields", async () => {
    const { id } = await organization()
    const all = { organizationId: id, longestStay: 3600, eventGrain: 5, smallestCount: 10 }
    expect(want(await change(id, { eventGrain: 5, smallestCount: 10, longestStay: 3600 }), 200).json).toEqual(all)
    expect(want(await change(id, { eventGrain: 0 }), 200).json).toEqual({ ...all, eventGrain: 0 })
    expect(want(await read(id), 200).json).toEqual({ ...all, eventGrain: 0 })
    expect(want(await change(id, { eventGrain: null, longestStay: null }), 200).json).toEqual({
      organizationId: id,
      smallestCount: 10
    })
    expect(want(await change(id, { smallestCount: null }), 200).json).toEqual({ organizationId: id })
  })

  it("200 the least and the greatest values", async () => {
    const { id } = await organization()
    for (const policy of [
      { longestStay: 60, retention: 86_400, eventGrain: 0, smallestCount: 1 },
      { longestStay: LONGEST, retention: CENTURY, eventGrain: 60, smallestCount: 1000 }
    ])
      expect(want(await change(id, policy), 200).json).toEqual({ organizationId: id, ...policy })
  })

  it.each([
    ["nothing", {}],
    ["nothing that is known", { maxArea: 5 }],
    ["a longest stay below a minute", { longestStay: 59 }],
    ["a longest stay above a leap year", { longestStay: LONGEST + 1 }],
    ["a longest stay of parts of seconds", { longestStay: 60.5 }],
    ["a longest stay as text", { longestStay: "12h" }],
    ["a longest stay of 0", { longestStay: 0 }],
    ["a negative longest stay", { longestStay: -60 }],
    ["a retention below a day", { retention: 86_399 }],
    ["a retention above a hundred years", { retention: CENTURY + 1 }],
    ["a retention that is true", { retention: true }],
    ["a negative grain", { eventGrain: -1 }],
    ["a grain above a minute", { eventGrain: 61 }],
    ["a grain of parts of seconds", { eventGrain: 0.5 }],
    ["a smallest count of 0", { smallestCount: 0 }],
    ["a smallest count above a thousand", { smallestCount: 1001 }],
    ["a good field beside a bad one", { longestStay: 3600, retention: 90 }],
    ["a list", [{ longestStay: 3600 }]]
  ])("%s: 400, and the policy stays as it was", async (_, body) => {
    const { id } = await organization()
    want(await change(id, { longestStay: 7200 }), 200)
    want(await change(id, body), 400)
    want(await change(NOWHERE, body), 400)
    expect(want(await read(id), 200).json).toEqual({ organizationId: id, longestStay: 7200 })
  })

  it("a number that overflows to infinity: 400", async () => {
    const { id } = await organization()
    want(await call(operator, "PUT", `/operator/organization/${id}/policy`, { json: '{"retention":1e999}' }), 400)
  })
})
