/** The tables of a run. */
import type { Score } from "@sojourn/testing"
import { markdown } from "../shared/markdown.ts"
import type { Cost } from "./speed.ts"

const percent = (value: number) => `${(100 * value).toFixed(2)} %`
const rate = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(2))
const seconds = (value: number) => `${value.toFixed(1)} s`

const MEASURES: ReadonlyArray<readonly [name: string, key: keyof Score, text: (value: number) => string]> = [
  ["transitions a day, at rest inside an area 60 m wide", "still", rate],
  ["transitions a day, at rest 10 m outside", "near", rate],
  ["transitions a day, at rest 30 to 100 m outside", "apart", rate],
  ["visits of 5 minutes and longer missed", "missed", percent],
  ["reported visits that were none", "invented", percent],
  ["delay of an entrance, 95th percentile", "entranceDelay", seconds],
  ["delay of an exit, 95th percentile", "exitDelay", seconds],
  ["error of the timestamp, median", "timestampError", seconds]
]

/** What is aimed at. */
export type Goals = Readonly<Record<keyof Score, number>>

/** The scores of several rules, beside what is aimed at. */
export const scoreTable = (goals: Goals, scores: Readonly<Record<string, Score>>): string =>
  markdown([
    ["Measure", "Goal", ...Object.keys(scores)],
    ...MEASURES.map(([name, key, text]) => [
      name,
      `≤ ${text(goals[key])}`,
      ...Object.values(scores).map((score) => text(score[key]))
    ])
  ])

/** Which goals a score misses, as sentences. */
export const missedGoals = (title: string, goals: Goals, score: Score): ReadonlyArray<string> =>
  MEASURES.filter(([, key]) => score[key] > goals[key]).map(
    ([name, key, text]) => `${title}: ${name}: ${text(score[key])}, aimed at ${text(goals[key])}`
  )

/** What a fix costs, with the last row as the measure of the others. */
export const speedTable = (costs: ReadonlyArray<Cost>): string => {
  const reference = costs.at(-1)!.microseconds
  return markdown([
    ["One fix, 1,000 areas of 100 points", "us", "times as fast", "bytes"],
    ...costs.map(({ name, microseconds, bytes }, i) => [
      name,
      microseconds.toFixed(2),
      (reference / microseconds).toFixed(0),
      i === costs.length - 1 ? "-" : bytes.toFixed(0)
    ])
  ])
}
