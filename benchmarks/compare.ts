/**
 * `npm run compare`: measures the server's bundle beside services written by hand, on one PostgreSQL. It fails when a candidate answers
 * wrongly, and judges no figure.
 */
import { Effect } from "effect"
import { Incorrect } from "./compare/api.ts"
import { CANDIDATES } from "./compare/candidates.ts"
import { compare, SCENARIOS, type Scenario, SHORT, USUAL } from "./compare/compare.ts"
import { report } from "./compare/tables.ts"
import { command, listOf, positive, requireWords } from "./shared/command.ts"
import { LoadFailed } from "./shared/jobs.ts"

const names = CANDIDATES.map(({ name }) => name)
const scenarios = Object.keys(SCENARIOS) as ReadonlyArray<Scenario>

const USAGE = `usage: npm run compare -- [options]

  --only NAMES           some of ${names.join(",")}
  --scenario NAMES       some of ${scenarios.join(",")}
  --connections NUMBERS  how many connections work at once (default ${USUAL.connections.join(",")})
  --rounds N             how many rounds are counted (default ${USUAL.rounds})
  --seconds N            how long each candidate's turn takes (default ${USUAL.seconds})
  --commit-delay MS      how much longer each commit takes, as of a slow disk (default 0)
  --wire-delay MS        how far the candidates are from PostgreSQL each way (default 0)
  --short                everything once, in some seconds: whether it works, and nothing about how fast it is`

const OPTIONS = {
  only: { type: "string" },
  scenario: { type: "string" },
  connections: { type: "string" },
  rounds: { type: "string" },
  seconds: { type: "string" },
  "commit-delay": { type: "string" },
  "wire-delay": { type: "string" },
  short: { type: "boolean" }
} as const

const oneOf =
  <Name extends string>(all: ReadonlyArray<Name>) =>
  (text: string): Name => {
    const found = all.find((name) => name === text)
    if (found === undefined) throw new Error(`${JSON.stringify(text)} is none of ${all.join(", ")}`)
    return found
  }

command(USAGE, OPTIONS, (args) => {
  requireWords(args, 0)
  const { values } = args
  const usual = values.short ? SHORT : USUAL
  const chosen = values.only === undefined ? names : listOf(values.only, oneOf(names))
  const number = (text: string | undefined, usual: number) => (text === undefined ? usual : positive(text))
  const comparison = {
    ...usual,
    candidates: CANDIDATES.filter(({ name }) => chosen.includes(name)),
    scenarios: values.scenario === undefined ? usual.scenarios : listOf(values.scenario, oneOf(scenarios)),
    connections: values.connections === undefined ? usual.connections : listOf(values.connections, positive),
    rounds: number(values.rounds, usual.rounds),
    seconds: number(values.seconds, usual.seconds),
    commitDelay: number(values["commit-delay"], usual.commitDelay),
    wireDelay: number(values["wire-delay"], usual.wireDelay)
  }
  const program = Effect.map(
    compare(comparison, (line) => console.error(line)),
    (compared) => {
      console.log(`\n${report(compared)}`)
      return 0
    }
  )
  const isFault = (error: unknown) => error instanceof Incorrect || error instanceof LoadFailed
  return Effect.catchIf(program, isFault, (error) => {
    console.error(error instanceof Error ? error.message : error)
    return Effect.succeed(1)
  })
})
