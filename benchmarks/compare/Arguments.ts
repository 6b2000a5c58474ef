/** The command line of `npm run compare`. */
import { parseArgs } from "node:util"
import type { Effect } from "effect"
import { positive as positiveOf, reading, type WrongArguments } from "../shared/Arguments.ts"
import { CANDIDATES } from "./Candidate.ts"
import { type Comparison, SHORT, USUAL } from "./Comparison.ts"
import { type ScenarioName, SCENARIOS, SHARED } from "./scenarios.ts"

const names = CANDIDATES.map(({ name }) => name)
const usualNames = CANDIDATES.flatMap(({ name, isVariant }) => (isVariant ? [] : [name]))
const scenarios = Object.keys(SCENARIOS) as ReadonlyArray<ScenarioName>

export const USAGE = `usage: npm run compare -- [options]

  --only NAMES           some of ${names.join(",")}
                         (default ${usualNames.join(",")})
  --scenario NAMES       some of ${scenarios.join(",")}
                         (default ${SHARED.join(",")})
  --connections NUMBERS  how many connections work at once, such as 1,64 (default ${USUAL.connections.join(",")})
  --rounds N             how many rounds are counted (default ${USUAL.rounds})
  --seconds N            how long each candidate's turn takes (default ${USUAL.seconds})
  --no-starts            leave out how Sojourn starts
  --no-peer-token-cache  let the peers compute the signature of every token, also of one they have verified
  --commit-delay MS      how much longer each commit takes, up to 100, as of a slow disk (default 0)
  --wire-delay MS        how far the candidates are from PostgreSQL each way, up to 100 (default 0)
  --short                everything once, in some seconds: whether it works, and nothing about how quick it is
  --out DIRECTORY        where compare.svg and compare.json are written (default .)`

/** What the command line asks for. */
export interface Arguments {
  readonly comparison: Comparison
  /** Where the chart and the figures go. */
  readonly out: string
}

const some = <Name extends string>(
  text: string | undefined,
  all: ReadonlyArray<Name>,
  usual = all
): ReadonlyArray<Name> => {
  if (text === undefined) return usual
  const wanted = text.split(",")
  const unknown = wanted.find((name) => !(all as ReadonlyArray<string>).includes(name))
  if (unknown !== undefined) throw new Error(`${JSON.stringify(unknown)} is none of ${all.join(", ")}`)
  return all.filter((name) => wanted.includes(name))
}

const counts = (text: string | undefined, usual: ReadonlyArray<number>): ReadonlyArray<number> => {
  if (text === undefined) return usual
  if (!/^[1-9]\d{0,3}(,[1-9]\d{0,3})*$/.test(text)) throw new Error(`${JSON.stringify(text)} is no list of numbers`)
  return text.split(",").map(Number)
}

const UP_TO_100 = /^(100|\d{1,2})$/

const positive = (text: string | undefined, usual: number, pattern: RegExp): number =>
  text === undefined ? usual : positiveOf(text, pattern)

/** Reads the command line. */
export const readArguments = (args: ReadonlyArray<string>): Effect.Effect<Arguments, WrongArguments> =>
  reading(USAGE, () => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        only: { type: "string" },
        scenario: { type: "string" },
        connections: { type: "string" },
        rounds: { type: "string" },
        seconds: { type: "string" },
        "no-starts": { type: "boolean", default: false },
        "no-peer-token-cache": { type: "boolean", default: false },
        "commit-delay": { type: "string" },
        "wire-delay": { type: "string" },
        short: { type: "boolean", default: false },
        out: { type: "string", default: "." }
      }
    })
    const usual = values.short ? SHORT : USUAL
    const chosen = some(values.only, names, usualNames)
    return {
      comparison: {
        ...usual,
        candidates: CANDIDATES.filter(({ name }) => chosen.includes(name)),
        scenarios: some(values.scenario, scenarios, SHARED),
        connections: counts(values.connections, usual.connections),
        rounds: positive(values.rounds, usual.rounds, /^\d{1,3}$/),
        seconds: positive(values.seconds, usual.seconds, /^\d{1,3}(\.\d+)?$/),
        commitDelay: positive(values["commit-delay"], usual.commitDelay, UP_TO_100),
        wireDelay: positive(values["wire-delay"], usual.wireDelay, UP_TO_100),
        starts: values["no-starts"] ? 0 : usual.starts,
        isPeerTokenCacheOn: !values["no-peer-token-cache"]
      },
      out: values.out
    }
  })
