/** Texts that are meant to keep the service busy, or that do so without meaning to. */
import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as Area from "../../src/domain/TrackingArea.ts"
import type { Position, TrackingAreaFault } from "../../src/domain/TrackingArea.ts"
import { areaOf, circle, faultOf, multi, older, polygon, rect, ring, type Ring, SQUARE } from "./TrackingArea.texts.ts"

/** A comb: every long side spans all the longitudes, which is hardest on a sweep from west to east. */
const comb = (teeth: number, turn = 0): Ring => {
  const corners: Array<Position> = [[0, 0]]
  for (let i = 0; i < teeth; i++) {
    const y = i * 0.004
    corners.push([0.5, y], [10, y], [10, y + 0.002], [0.5, y + 0.002])
  }
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  return ring(
    ...[...corners, [0, teeth * 0.004] as const].map(([x, y]): Position => [x * cos - y * sin, x * sin + y * cos])
  )
}

describe("a hostile or heavy text", () => {
  /** Generous, as the machine may be busy: what these guard against takes minutes or the whole stack. */
  const quick = <A>(run: () => A): A => {
    const start = performance.now()
    const value = run()
    assert.isBelow(performance.now() - start, 30_000)
    return value
  }
  const MEBIBYTE = 2 ** 20

  it.each<readonly [string, string, TrackingAreaFault["_tag"] | undefined]>([
    ["arrays nested 200,000 deep", "[".repeat(200_000) + "]".repeat(200_000), "UnknownShape"],
    ["arrays nested and left open", "[".repeat(200_000), "NotJson"],
    ["objects nested 100,000 deep", '{"type":'.repeat(100_000) + "1" + "}".repeat(100_000), "UnknownShape"],
    [
      "deep coordinates",
      `{"type":"Polygon","coordinates":${"[".repeat(200_000)}${"]".repeat(200_000)}}`,
      "UnknownShape"
    ],
    [
      "a deep position",
      `{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],${"[".repeat(200_000)}${"]".repeat(200_000)}]]}`,
      "UnknownShape"
    ],
    [
      "deep properties",
      `{"type":"Feature","properties":${"[".repeat(200_000)}${"]".repeat(200_000)},"geometry":${polygon(SQUARE)}}`,
      undefined
    ],
    ["1 MiB of digits", older(["1".repeat(MEBIBYTE), "1"], [0, 0], [1, 1]), "PositionOutOfRange"],
    ["1 MiB of digits that end badly", older([`${"1".repeat(MEBIBYTE)}x`, "1"], [0, 0], [1, 1]), "UnknownShape"],
    ["1 MiB of positions", polygon(Array.from({ length: MEBIBYTE / 6 }, () => [1, 1])), "TooManyPoints"],
    ["1 MiB of empty rings", `{"type":"Polygon","coordinates":[${"[],".repeat(MEBIBYTE / 3)}[]]}`, "UnknownShape"],
    [
      "1 MiB of rings of one position",
      `{"type":"Polygon","coordinates":[${"[1],".repeat(MEBIBYTE / 4)}[1]]}`,
      "TooManyPoints"
    ],
    ["1 MiB of altitudes", polygon([Array.from({ length: MEBIBYTE / 2 }, () => 1), [4, 0], [4, 4], [1, 1]]), undefined],
    ["1 MiB of white space", `${" ".repeat(MEBIBYTE)}${polygon(SQUARE)}`, undefined]
  ])("%s", (_, text, tag) => {
    assert.strictEqual(quick(() => faultOf(text))?._tag, tag)
  })

  it.each<readonly [string, string]>([
    ["a circle of 1,000 positions", polygon(circle(1000))],
    ["a comb", polygon(comb(247))],
    ["a turned comb", polygon(comb(247, 0.7))],
    [
      "200 parts",
      multi(
        ...Array.from({ length: 200 }, (__, i) => [
          rect((i % 20) * 2, Math.floor(i / 20) * 2, (i % 20) * 2 + 1, Math.floor(i / 20) * 2 + 1)
        ])
      )
    ],
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
    quick(() => {
      const area = areaOf(text)
      assert.isAbove(Area.squareMetres(area), 0)
      assert.isTrue(Option.isNone(Area.whyNotInside(area, area)))
      assert.strictEqual(Option.getOrUndefined(Area.whyOverlap(area, area))?._tag, "SideBySide")
    })
  })
})
