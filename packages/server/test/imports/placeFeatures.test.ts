/** The requests that a file of places is made of. */
import { assert, describe, it } from "vitest"
import { type ListedPlace, type PlacesAnswer, placeRequests } from "../../src/imports/placeFeatures.ts"

const geometry = (n: number) => ({
  type: "Polygon",
  coordinates: [
    [
      [n, 0],
      [n + 1, 0],
      [n + 1, 1],
      [n, 0]
    ]
  ]
})
const feature = (n: number, properties: object, over: object = {}) => ({
  type: "Feature",
  geometry: geometry(n),
  properties,
  ...over
})

/** Answers requests: all are created, with ids from 100 on, but those that are refused. */
const run = (
  features: ReadonlyArray<unknown>,
  places: ReadonlyArray<ListedPlace> = [],
  refusal: (feature: any) => string | undefined = () => undefined
) => {
  const requests = placeRequests(features, places)
  const sent: Array<ReadonlyArray<any>> = []
  let id = 100n
  let step = requests.next(undefined as never)
  while (step.done !== true) {
    sent.push(step.value.features)
    const created: Array<PlacesAnswer["created"][number]> = []
    const refused: Array<PlacesAnswer["refused"][number]> = []
    for (const [n, one] of step.value.features.entries()) {
      const reason = refusal(one)
      if (reason === undefined) created.push({ feature: n, placeId: id++ })
      else refused.push({ feature: n, reason })
    }
    step = requests.next({ created, refused })
  }
  return { sent, ...step.value }
}

const parentsOf = (sent: ReadonlyArray<any>) => sent.map(({ properties }) => properties.parent)

describe("a file of places", () => {
  it("is sent parents first, and names parents by what no other request has", () => {
    const { sent, refused } = run([
      feature(0, { name: "a", parent: "b" }),
      feature(1, { name: "b" }, { id: 7 }),
      feature(2, { name: "c", parent: 7 }),
      feature(3, { parent: 5 })
    ])
    assert.strictEqual(sent.length, 1)
    assert.deepStrictEqual(parentsOf(sent[0]!), [null, 5, "feature 1 of the file", "feature 1 of the file"])
    assert.deepStrictEqual(refused, [])
  })

  it("leaves out what is there: by name, level, parent and coordinates", () => {
    const place = (id: bigint, n: number, over: Partial<ListedPlace> = {}): ListedPlace => ({
      id,
      name: `Place ${id}`,
      trackingArea: JSON.stringify({ type: "Feature", properties: {}, geometry: geometry(n) }),
      ...over
    })
    const there = [place(1n, 0, { name: "hall", level: 2 }), place(2n, 1, { name: "room", parentId: 1n }), place(3n, 2)]
    const file = [
      feature(1, { name: "room", parent: "hall" }),
      feature(0, { name: "hall", level: "2" }),
      feature(2, {}),
      feature(1, { name: "room" }),
      feature(0, { name: "yard", level: 2 }),
      feature(1, { name: "desk", parent: "hall" }, { id: "x" })
    ]
    const { sent, skipped, refused } = run(file, there)
    assert.deepStrictEqual([skipped, refused], [3, []])
    assert.deepStrictEqual(
      sent[0]!.map(({ properties: { name, parent } }) => [name, parent]),
      [
        ["room", null],
        ["yard", null],
        ["desk", 1]
      ]
    )
  })

  it("is several requests where it is long, whose places are parents of later ones", () => {
    const rooms = Array.from({ length: 4_500 }, (_, n) =>
      feature(n, { name: `${n}`, parent: n === 0 ? undefined : "0" })
    )
    const { sent } = run(rooms)
    assert.deepStrictEqual(
      sent.map(({ length }) => length),
      [2_000, 2_000, 500]
    )
    assert.strictEqual(parentsOf(sent[0]!)[1], "feature 0 of the file")
    assert.strictEqual(parentsOf(sent[1]!)[0], 100)
  })

  it("has refusals by the indices of the file", () => {
    const { refused, sent } = run(
      [
        feature(0, { name: "a", parent: "b" }),
        feature(1, { name: "b" }),
        feature(2, { parent: "none" }),
        feature(3, { name: "x", parent: "y" }),
        feature(4, { name: "y", parent: "x" }),
        5
      ],
      [],
      (one) =>
        one === 5 ? "It is no Feature." : one.properties.name === "a" ? "Its parent, feature 0, is refused." : "No."
    )
    assert.strictEqual(sent.length, 1)
    assert.deepStrictEqual(refused, [
      { feature: 0, reason: "Its parent, feature 1, is refused." },
      { feature: 1, reason: "No." },
      { feature: 2, reason: "Its parent is neither another feature nor a placeId." },
      { feature: 3, reason: "A place cannot be a part of itself." },
      { feature: 4, reason: "A place cannot be a part of itself." },
      { feature: 5, reason: "It is no Feature." }
    ])
  })
})
