/** Texts and areas that keep the service busy: each ends, where it is slow the file does. */
import { assert, describe, it } from "@effect/vitest"
import { whyInvalid } from "../../../src/domain/areas/geometry/Validity.ts"
import * as Area from "../../../src/domain/areas/TrackingArea.ts"
import type {
  NotInside,
  Overlap,
  Polygons,
  Position,
  TrackingAreaFault
} from "../../../src/domain/areas/TrackingArea.ts"
import { chain, saws, spikes, tips, turned } from "./TrackingArea.hostile.ts"
import {
  areaOf,
  circle,
  faultOf,
  multi,
  older,
  polygon,
  rect,
  ring,
  SQUARE,
  whyNotInside,
  whyOverlap
} from "./TrackingArea.texts.ts"

describe("a hostile or heavy text", () => {
  /** What is left of the longest text beside a square. */
  const ROOM = Area.MAX_TEXT_BYTES - 128
  const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`

  it.each<readonly [string, string, TrackingAreaFault["_tag"] | undefined]>([
    ["arrays nested as deep as there is room", nested(Area.MAX_TEXT_BYTES / 2), "UnknownShape"],
    ["arrays nested and left open", "[".repeat(Area.MAX_TEXT_BYTES), "NotJson"],
    ["objects nested 14,000 deep", '{"type":'.repeat(14_000) + "1" + "}".repeat(14_000), "UnknownShape"],
    ["deep coordinates", `{"type":"Polygon","coordinates":${nested(ROOM / 2)}}`, "UnknownShape"],
    ["a deep position", `{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],${nested(ROOM / 2)}]]}`, "UnknownShape"],
    [
      "deep properties",
      `{"type":"Feature","properties":${nested(ROOM / 2 - 20)},"geometry":${polygon(SQUARE)}}`,
      undefined
    ],
    ["one number of many digits", older(["1".repeat(ROOM), "1"], [0, 0], [1, 1]), "PositionOutOfRange"],
    ["many digits that end badly", older([`${"1".repeat(ROOM)}x`, "1"], [0, 0], [1, 1]), "UnknownShape"],
    ["many positions", polygon(Array.from({ length: ROOM / 6 }, () => [1, 1])), "TooManyPoints"],
    ["many empty rings", `{"type":"Polygon","coordinates":[${"[],".repeat(ROOM / 3)}[]]}`, "UnknownShape"],
    ["many rings of one position", `{"type":"Polygon","coordinates":[${"[1],".repeat(ROOM / 4)}[1]]}`, "TooManyPoints"],
    ["many altitudes", polygon([Array.from({ length: ROOM / 2 }, () => 1), [4, 0], [4, 4], [1, 1]]), undefined],
    [
      "one member written many times",
      `{${'"type":1,'.repeat(ROOM / 9)}"type":"Polygon","coordinates":[${JSON.stringify(SQUARE)}]}`,
      undefined
    ],
    ["many blanks", `${" ".repeat(ROOM)}${polygon(SQUARE)}`, undefined],
    ["10 MB of blanks", `${" ".repeat(10_000_000)}${polygon(SQUARE)}`, "TextTooLong"],
    ["arrays nested 1,000,000 deep", nested(1_000_000), "TextTooLong"]
  ])("%s", (_, text, tag) => {
    assert.strictEqual(faultOf(text)?._tag, tag)
  })

  it.each<readonly [string, string]>([
    ["a circle of 1,000 positions", polygon(circle(1000))],
    [
      "199 holes",
      polygon(
        rect(-1, -1, 41, 41),
        ...Array.from({ length: 199 }, (__, i) =>
          rect((i % 20) * 2, Math.floor(i / 20) * 2, (i % 20) * 2 + 1, Math.floor(i / 20) * 2 + 1)
        )
      )
    ]
  ])("%s is parsed, measured and compared with itself", (_, text) => {
    const area = areaOf(text)
    assert.isAbove(Area.squareMetres(area), 0)
    assert.isUndefined(whyNotInside(area, area))
    assert.strictEqual(whyOverlap(area, area)?._tag, "SideBySide")
  })
})

describe("hostile areas", () => {
  const textOf = (polygons: Polygons) => multi(...polygons)
  const squares = (count: number, size: number, from: number): Polygons =>
    Array.from({ length: count }, (_, i) => {
      const [x, y] = [(i % 20) * 2 + from, Math.floor(i / 20) * 2 + from]
      return [rect(x, y, x + size, y + size)]
    })
  const slanted = (by: number, gap: number, climb = 0) =>
    saws(497, 400, gap, climb).map((saw) => turned(saw, by, 0.005)) as [Polygons, Polygons]
  const jagged = spikes(499, 0.9, 1)
  const starIn = (size: number): readonly [Polygons, Polygons] => [
    [[rect(-2, -2, 2, 2), spikes(496, 0.2, 1)]],
    [[spikes(496, 0.2 * size, size)]]
  ]

  type Tag = NotInside["_tag"] | Overlap["_tag"] | undefined
  const cases: ReadonlyArray<readonly [string, readonly [Polygons, Polygons], Tag, Tag]> = [
    ["saws", slanted(0, 2), undefined, "EdgeOutside"],
    ["saws, turned more", slanted(0.8, 2), undefined, "EdgeOutside"],
    ["saws whose teeth climb past each other", slanted(0.1, 2, 300), undefined, "EdgeOutside"],
    ["saws with one border", slanted(0.7, 0), undefined, "BackToBack"],
    ["rows of teeth, tip to tip", tips(997), undefined, "EdgeOutside"],
    ["a chain of corners that all touch", chain(990), undefined, "EdgeOutside"],
    ["jagged areas with one border", [[[jagged]], [[jagged]]], "SideBySide", undefined],
    ["200 parts among 200", [squares(200, 1, 0), squares(200, 0.5, 1.2)], undefined, "EdgeOutside"],
    ["200 parts corner to corner", [squares(200, 1, 0), squares(200, 1, 1)], undefined, "EdgeOutside"],
    [
      "parts that fill 198 holes",
      [[[rect(-1, -1, 41, 41), ...squares(198, 1, 0).flat()]], squares(198, 1, 0)],
      undefined,
      "BackToBack"
    ],
    ["a star in a hole that is one", starIn(0.9), undefined, "EdgeOutside"],
    ["a star that fills a hole", starIn(1), undefined, "BackToBack"],
    [
      "stars that cross everywhere",
      [[[spikes(498, 0.2, 1)]], [[spikes(497, 0.2, 1, 0.5)]]],
      "BordersCross",
      "BordersCross"
    ]
  ]
  it.each(cases)("relate as they are drawn: %s", (_, [one, other], overlap, inside) => {
    const [a, b] = [areaOf(textOf(one)), areaOf(textOf(other))]
    assert.strictEqual(whyOverlap(a, b)?._tag, overlap)
    assert.isTrue((whyOverlap(b, a) !== undefined) === (overlap !== undefined))
    assert.strictEqual(whyNotInside(a, b)?._tag, inside)
  })

  it("are refused where a ring crosses itself everywhere", () => {
    const scribble = ring(...Array.from({ length: 999 }, (_, i): Position => [Math.cos(i * 3.1), Math.sin(i * 3.1)]))
    assert.strictEqual(whyInvalid([[scribble]])?._tag, "EdgesCross")
  })
})
