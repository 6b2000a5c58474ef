/** A picture of one noisy evening: how far from the border the fixes lie, and what each rule makes of them. */
import { type MakeDecider, type Track, walkTrack } from "@sojourn/testing"
import { metres } from "./rivals.ts"

const [LEFT, WIDTH, PLOT, ROW] = [150, 700, 220, 26]
const TOP = 60
/** The scale goes from so many metres inside to so many outside. */
const [LOWEST, HIGHEST] = [-80, 160]

type Span = readonly [from: number, to: number]

const spansOf = (track: Track, make: MakeDecider): ReadonlyArray<Span> => {
  const decider = make(track.area)
  const spans: Array<Span> = []
  for (const { fix } of track.fixes) {
    for (const { movement, timestamp } of decider.push(fix)) {
      if (movement === "entrance") spans.push([timestamp, track.to])
      else spans.push([spans.pop()![0], timestamp])
    }
  }
  return spans
}

/** The SVG of a track, with a row for each of these rules. */
export const evening = (seed: number, rules: Readonly<Record<string, MakeDecider>>): string => {
  const track = walkTrack(seed, { hours: 3 })
  const x = (time: number) => (LEFT + ((time - track.from) / (track.to - track.from)) * WIDTH).toFixed(1)
  const y = (distance: number) => {
    const shown = Math.min(HIGHEST, Math.max(LOWEST, distance))
    return (TOP + PLOT - ((shown - LOWEST) / (HIGHEST - LOWEST)) * PLOT).toFixed(1)
  }
  const bars = (spans: ReadonlyArray<Span>, top: number, height: number, colour: string) =>
    spans.map(
      ([from, to]) =>
        `<rect x="${x(from)}" y="${top}" width="${Math.max(0.8, Number(x(to)) - Number(x(from))).toFixed(1)}" height="${height}" fill="${colour}"/>`
    )
  const truth = track.visits.map(({ from, to }): Span => [from, to])
  const rows = [
    ["truth", truth] as const,
    ...Object.entries(rules).map(([name, make]) => [name, spansOf(track, make)] as const)
  ]
  const ring: ReadonlyArray<readonly [number, number]> = JSON.parse(track.area.trackingArea).coordinates[0]
  const bottom = TOP + PLOT + 20
  const height = bottom + rows.length * ROW + 30
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 870 ${height}" width="870" height="${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    `<text x="8" y="24" font-weight="bold">Three hours of a phone in a street: each dot is a fix, metres outside the border of an area</text>`,
    `<text x="8" y="42" fill="#555">The bands are when the person was inside. Dots at the upper edge lie farther away.</text>`,
    ...bars(truth, TOP, PLOT, "#e3eef4"),
    ...[-50, 0, 50, 100, 150].map(
      (metres) =>
        `<line x1="${LEFT}" x2="${LEFT + WIDTH}" y1="${y(metres)}" y2="${y(metres)}" stroke="${metres === 0 ? "#c1121f" : "#ddd"}"/><text x="${LEFT - 8}" y="${Number(y(metres)) + 4}" text-anchor="end">${metres} m</text>`
    ),
    ...track.fixes.map(
      ({ fix: { coords, timestamp } }) =>
        `<circle cx="${x(timestamp)}" cy="${y(metres(ring, coords.longitude, coords.latitude))}" r="1.3" fill="#444"/>`
    ),
    ...rows.flatMap(([name, spans], i) => {
      const top = bottom + i * ROW
      return [
        `<text x="${LEFT - 8}" y="${top + 15}" text-anchor="end">${name}</text>`,
        ...bars(spans, top + 4, ROW - 8, i === 0 ? "#5c677d" : i === 1 ? "#2a6f97" : "#adb5bd"),
        `<text x="${LEFT + WIDTH + 8}" y="${top + 15}" font-size="10">${spans.length}</text>`
      ]
    }),
    `<text x="${LEFT}" y="${height - 10}" fill="#555">Each bar is a visit; on the right their number.</text>`,
    `</svg>`
  ].join("\n")
}
