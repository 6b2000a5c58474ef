/** How an area fault of the server becomes lines of the drawing and a sentence. */
import { assert, describe, it } from "vitest"
import type { Polygons } from "../src/browser/shared/area.ts"
import { describeFault, drawFault, faultSentence } from "../src/browser/areas/faults.ts"
import { formatsOf } from "../src/browser/shared/formats.ts"
import { loadAllWords } from "../src/browser/words/languages.ts"

const areaAt = (west: number): Polygons => [
  [
    [
      [west, 0],
      [west + 1, 0],
      [west + 1, 1],
      [west, 0]
    ]
  ]
]
const areas = { sent: areaAt(0), organization: areaAt(10), place: areaAt(20) }
const edge = (area: "sent" | "organization" | "place", from: number, to: number) => ({
  area,
  at: [0, 0, from],
  to: [0, 0, to]
})
const english = { words: await loadAllWords("en"), formats: formatsOf("en") }
const german = { words: await loadAllWords("de"), formats: formatsOf("de") }

describe("a fault of an area", () => {
  it("is drawn where it is: edges, corners, rings and parts, of whichever area", () => {
    const marks = [edge("place", 1, 2), edge("sent", 2, 0), { area: "sent" as const, at: [0, 0, 1] }]
    assert.deepStrictEqual(drawFault({ kind: "BordersCross", placeId: 7, marks }, areas), {
      lines: [
        [
          [21, 0],
          [21, 1]
        ],
        [
          [1, 1],
          [0, 0]
        ],
        [[1, 0]]
      ],
      corner: [0, 0, 2]
    })
    const ring = drawFault({ kind: "RingWithoutArea", marks: [{ area: "sent", at: [0, 0] }] }, areas)
    assert.deepStrictEqual(ring, { lines: [areas.sent[0]![0]!], corner: [0, 0, 0] })
    const part = drawFault({ kind: "PartInsidePart", marks: [{ area: "sent", at: [0] }] }, areas)
    assert.deepStrictEqual(part.lines, ring.lines)
    // The last position of a ring is its first corner.
    const last = drawFault({ kind: "Spike", marks: [{ area: "sent", at: [0, 0, 3] }] }, areas)
    assert.deepStrictEqual(last.corner, [0, 0, 0])
  })

  it("is nowhere where the page does not know the area", () => {
    const unknown = { ...areas, place: undefined }
    const fault = { kind: "EdgeInside", placeId: 7, marks: [edge("place", 0, 1)] }
    assert.deepStrictEqual(drawFault(fault, unknown), { lines: [], corner: undefined })
    assert.deepStrictEqual(drawFault({ kind: "NotJson", marks: [] }, areas), { lines: [], corner: undefined })
  })

  it("is said in words: of whom, what, and how many", () => {
    const crossing = { kind: "BordersCross", marks: [] }
    const outside = { ...crossing, rule: "PlaceOutsideOrganization" as const }
    assert.strictEqual(
      faultSentence(english, outside),
      "The place is not inside of the organization's area. The marked edges cross."
    )
    const hall = { name: "Hall", isPart: false }
    assert.strictEqual(
      faultSentence(english, { ...crossing, rule: "PlacesOverlap", placeId: 7 }, hall),
      "The area overlaps Hall. The marked edges cross."
    )
    assert.strictEqual(
      faultSentence(german, { ...outside, placeId: 7 }, { ...hall, name: "Halle" }),
      "Halle läge nicht mehr im Bereich der Organisation. Die markierten Kanten kreuzen sich."
    )
    const outsidePlace = { ...crossing, rule: "PlaceOutsidePlace" as const, placeId: 7 }
    assert.strictEqual(
      faultSentence(english, outsidePlace, hall),
      "The place is not inside of Hall, of which it is a part. The marked edges cross."
    )
    assert.strictEqual(
      faultSentence(english, outsidePlace, { ...hall, isPart: true }),
      "Hall, which is a part of it, would not be inside. The marked edges cross."
    )
    assert.strictEqual(faultSentence(english, { kind: "EdgesCross", marks: [] }), "The marked edges cross.")
    assert.strictEqual(
      faultSentence(german, { kind: "TooManyPoints", marks: [], actual: 1001, limit: 1000 }),
      "Der Bereich hat zu viele Punkte. 1.001; höchstens 1.000."
    )
    assert.isUndefined(faultSentence(english, { kind: "NotJson", marks: [] }))
  })

  it("names the place, the part or the feature that it is about, and shows its area", () => {
    const trackingArea = JSON.stringify({ type: "Polygon", coordinates: areas.place[0] })
    const hall = { id: 7, organizationId: 1, name: "Hall", trackingArea }
    const fault = { kind: "BordersCross", rule: "PlacesOverlap" as const, placeId: 7, marks: [edge("place", 1, 2)] }
    const { sent, organization } = areas
    const known = describeFault(english, fault, { sent, organization, places: [hall] })
    assert.match(known.sentence!, /^The area overlaps Hall\./)
    assert.lengthOf(known.lines, 1)
    const part = { ...fault, rule: "PlaceOutsidePlace" as const }
    const places = [{ ...hall, parentId: 3 }]
    assert.match(
      describeFault(english, part, { sent, organization, places, editedId: 3 }).sentence!,
      /^Hall, which is a part/
    )
    const other = { name: "Tower", polygons: areaAt(30) }
    const feature = describeFault(english, fault, { sent, organization, places: [hall], other })
    assert.match(feature.sentence!, /^The area overlaps Tower\./)
    assert.deepStrictEqual(feature.lines, [areaAt(30)[0]![0]!.slice(1, 3)])
    const unknown = describeFault(english, fault, { sent, organization })
    assert.match(unknown.sentence!, /Place 7/)
    assert.deepStrictEqual(unknown.lines, [])
  })
})
