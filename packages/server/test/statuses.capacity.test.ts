/** Capacities over HTTP. */
import { describe, expect, it } from "vitest"
import { makeFixtures, NOWHERE, type Premises, unique, want } from "./fixtures.ts"
import { type Bearer, sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const { get, owner, premises, put } = makeFixtures(sojourn)

type Somewhere = Pick<Premises, "kind" | "id">

const read = ({ kind, id }: Somewhere) => get(owner, `/capacity/${kind}/${id}`)
const set = ({ kind, id }: Somewhere, body: unknown, who: Bearer = owner) => put(who, `/capacity/${kind}/${id}`, body)
const idOf = ({ kind, id }: Somewhere) => ({ [`${kind}Id`]: id })

describe.each(["organization", "place"] as const)("PUT and GET /capacity/%s/{id}", (kind) => {
  it("200 no capacity: the level is none", async () => {
    const where = await premises(kind)
    expect(want(await read(where), 200).json).toEqual({ ...idOf(where), inside: 0, level: "none" })
  })

  it("200 the capacity that was set; warnAt is 0.8 when it is left out, and null removes the capacity", async () => {
    const where = await premises(kind)
    const as = async (body: object, expected: object) => {
      expect(want(await set(where, body), 200).json).toEqual({ ...idOf(where), ...expected })
      const level = "capacity" in expected ? "normal" : "none"
      expect(want(await read(where), 200).json).toEqual({ ...idOf(where), inside: 0, ...expected, level })
    }
    await as({ capacity: 250, warnAt: 0.5 }, { capacity: 250, warnAt: 0.5 })
    await as({ capacity: 40 }, { capacity: 40, warnAt: 0.8 })
    await as({ capacity: 1, warnAt: null }, { capacity: 1, warnAt: 0.8 })
    await as({ capacity: 10_000_000, warnAt: 1 }, { capacity: 10_000_000, warnAt: 1 })
    await as({ capacity: null }, {})
    await as({ capacity: null, warnAt: 0.3 }, {})
  })

  it.each([
    ["nothing", {}],
    ["no capacity", { warnAt: 0.5 }],
    ["a capacity of 0", { capacity: 0 }],
    ["a negative capacity", { capacity: -1 }],
    ["a capacity above the largest", { capacity: 10_000_001 }],
    ["a capacity of parts of people", { capacity: 1.5 }],
    ["a capacity as text", { capacity: "250" }],
    ["a warnAt of 0", { capacity: 5, warnAt: 0 }],
    ["a warnAt above 1", { capacity: 5, warnAt: 1.01 }],
    ["a warnAt as text", { capacity: 5, warnAt: "0.8" }],
    ["a list", [{ capacity: 5 }]]
  ])("400 %s, before 404 and 403, and the capacity stays as it was", async (_, body) => {
    const where = await premises(kind)
    want(await set(where, { capacity: 7 }), 200)
    want(await set(where, body), 400)
    want(await set({ kind, id: NOWHERE }, body), 400)
    want(await set(where, body, sojourn.administrator(unique("stranger"))), 400)
    expect(want(await read(where), 200).json).toMatchObject({ capacity: 7 })
  })
})
