/** Drawings of areas that make the sweep of their edges work: long slanted teeth, spikes all around, borders that touch often. */
import type { Polygons, Position } from "../../../src/domain/areas/TrackingArea.ts"

type Ring = ReadonlyArray<Position>

const closed = (ring: Ring): Ring => [...ring, ring[0]!]

const each = (count: number, draw: (i: number) => ReadonlyArray<Position>): ReadonlyArray<Position> =>
  Array.from({ length: count }, (_, i) => draw(i)).flat()

/** Two saws with their teeth between each other's, `gap` apart from tip to root. Teeth climb by `climb` along their length. */
export const saws = (teeth: number, long: number, gap: number, climb = 0): readonly [Polygons, Polygons] => {
  const leaning = (ring: Ring): Ring => closed(ring.map(([x, y]) => [x, y + (climb * x) / long]))
  return [
    [
      [
        leaning([
          [-1, 0],
          ...each(teeth, (i) => [
            [0, i],
            [long, i + 0.5]
          ]),
          [0, teeth],
          [-1, teeth]
        ])
      ]
    ],
    [
      [
        leaning([
          [long + gap + 1, 0],
          [long + gap + 1, teeth],
          [long + gap, teeth],
          ...each(teeth, (i) => [
            [long + gap, teeth - i - 0.5],
            [gap, teeth - i - 1]
          ])
        ])
      ]
    ]
  ]
}

/** A star of `spikes` whose corners lie on two circles. */
export const spikes = (count: number, inner: number, outer: number, turn = 0): Ring =>
  closed(
    Array.from({ length: 2 * count }, (_, i): Position => {
      const direction = (Math.PI * i) / count + turn
      const radius = i % 2 === 0 ? outer : inner
      return [radius * Math.cos(direction), radius * Math.sin(direction)]
    })
  )

/** Two rows of teeth, tip to tip. */
export const tips = (corners: number): readonly [Polygons, Polygons] => {
  const row = (up: 1 | -1): Polygons => [
    [
      closed([
        ...each(corners, (i) => [[i * 0.01, i % 2 === 0 ? 0 : up / 2]]),
        [(corners - 1) * 0.01, up * 4],
        [0, up * 4]
      ])
    ]
  ]
  return [row(1), row(-1)]
}

/** Corners nearer than touching, in turn of one area and of the other: all of them are one spot. */
export const chain = (corners: number): readonly [Polygons, Polygons] => {
  const row = (from: number, up: 1 | -1): Polygons => [
    [closed([...each(corners, (i) => [[from + i * 3e-7, 0]]), [from + corners * 3e-7, up * 0.001], [from, up * 0.001]])]
  ]
  return [row(0, 1), row(1.5e-7, -1)]
}

export const turned = (polygons: Polygons, by: number, size = 1): Polygons =>
  polygons.map((rings) =>
    rings.map((ring) =>
      closed(
        ring
          .slice(0, -1)
          .map(([x, y]) => [size * (x * Math.cos(by) - y * Math.sin(by)), size * (x * Math.sin(by) + y * Math.cos(by))])
      )
    )
  )
