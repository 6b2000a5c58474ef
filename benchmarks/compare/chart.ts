/** The chart of docs/performance.md: the ratios of every heat as an SVG. */
import { CEILING } from "./Candidate.ts"
import type { Compared } from "./compare.ts"
import { referenceOf, standings, type Standing } from "./ratios.ts"
import { titleOf } from "./tables.ts"

const NAMES = 190
const BARS = 460
const VALUES = 110
const ROW = 18
const TITLE = 30
const WIDTH = NAMES + BARS + VALUES

const COLOURS: Readonly<Record<string, string>> = {
  sojourn: "#2a6f97",
  "sojourn-no-group-commit": "#61a5c2",
  "fastify-pg": "#8d99ae",
  "fastify-pg-group-commit": "#5c677d",
  bare: "#dfe3ea"
}

const OTHER = "#adb5bd"

const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

/** A bar as long as the ratio, a line from the least round to the most, and the ratio in figures. */
const bar = ({ candidate, ratio }: Standing, y: number, scale: (value: number) => number) => {
  const middle = y + ROW / 2
  const [least, most] = [scale(ratio.least), scale(ratio.most)].map((x) => x.toFixed(1))
  return [
    `<text x="${NAMES - 8}" y="${middle + 4}" text-anchor="end">${escape(candidate)}</text>`,
    `<rect x="${NAMES}" y="${y + 3}" width="${(scale(ratio.median) - NAMES).toFixed(1)}" height="${ROW - 6}" fill="${COLOURS[candidate] ?? OTHER}"/>`,
    `<line x1="${least}" x2="${most}" y1="${middle}" y2="${middle}" stroke="#222"/>`,
    `<text x="${NAMES + BARS + 8}" y="${middle + 4}">${ratio.median.toFixed(2)} (${ratio.least.toFixed(2)}-${ratio.most.toFixed(2)})</text>`
  ].join("")
}

/**
 * The ratios of every heat as an SVG: how many times the reference's rate, each heat with a scale of its own, which the ceiling
 * may leave.
 */
export const chart = ({ heats, database }: Compared): string => {
  const parts: Array<string> = []
  let y = 8
  for (const heat of heats) {
    const all = standings(heat)
    const shown = all.filter(({ candidate }) => candidate !== CEILING)
    const largest = Math.max(1, ...(shown.length > 0 ? shown : all).map(({ ratio }) => ratio.most))
    const scale = (value: number) => NAMES + (Math.min(value, largest) / largest) * BARS
    parts.push(`<text x="8" y="${y + 18}" font-weight="bold">${escape(titleOf(heat))}</text>`)
    y += TITLE
    const end = y + all.length * ROW
    for (const standing of all) {
      parts.push(bar(standing, y, scale))
      y += ROW
    }
    const one = scale(1).toFixed(1)
    parts.push(
      `<line x1="${one}" x2="${one}" y1="${end - all.length * ROW}" y2="${end}" stroke="#c1121f" stroke-dasharray="3 3"/>`
    )
    y += 8
  }
  const reference = heats[0] === undefined ? "" : `times ${referenceOf(heats[0]).candidate}; ${database}`
  parts.push(`<text x="8" y="${y + 14}" fill="#555">${escape(reference)}</text>`)
  y += 24
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/>${parts.join("\n")}</svg>\n`
}
