/** The command line of the comparison. */
import { Option } from "effect"
import { Flag } from "effect/cli"
import { CANDIDATES } from "./candidates.ts"
import { type Comparison, SCENARIOS, type Scenario, SHORT, USUAL } from "./compare.ts"

const NAMES = CANDIDATES.map(({ name }) => name)

/** Those that are compared unless others are asked for. */
const USUAL_NAMES = USUAL.candidates.map(({ name }) => name)

const expected = (what: string): never => {
  throw new Error(what)
}

const oneOf =
  <Name extends string>(all: ReadonlyArray<Name>) =>
  (text: string): Name =>
    all.find((name) => name === text) ?? expected(`some of ${all.join(", ")}`)

const positive = (text: string): number => {
  const number = Number(text)
  return number > 0 && Number.isFinite(number) ? number : expected("a number above 0")
}

const whole = (text: string): number => {
  const number = Number(text)
  return number > 0 && Number.isSafeInteger(number) ? number : expected("a whole number above 0")
}

/** A flag whose text is parsed; left out, it is none. */
const parsed = <A>(name: string, description: string, parse: (text: string) => A) =>
  Flag.String(name).pipe(
    Flag.withDescription(description),
    Flag.mapTryCatch(parse, (error) => (error as Error).message),
    Flag.optional
  )

/** A flag of several values, separated by commas. */
const list = <A>(name: string, description: string, parse: (text: string) => A) =>
  parsed(name, description, (text): ReadonlyArray<A> => text.split(",").map((one) => parse(one.trim())))

/** The flags of the comparison. */
export const FLAGS = {
  only: list("only", `Some of ${NAMES.join(",")} (default ${USUAL_NAMES.join(",")})`, oneOf(NAMES)),
  scenario: list(
    "scenario",
    `Some of ${Object.keys(SCENARIOS).join(",")} (default all)`,
    oneOf(Object.keys(SCENARIOS) as ReadonlyArray<Scenario>)
  ),
  connections: list("connections", `How many connections work at once (default ${USUAL.connections.join(",")})`, whole),
  rounds: parsed("rounds", `How many rounds are counted (default ${USUAL.rounds})`, whole),
  seconds: parsed("seconds", `How many seconds the turn of a candidate takes (default ${USUAL.seconds})`, positive),
  commitDelay: Flag.Finite("commit-delay").pipe(
    Flag.withDescription("How many milliseconds longer each commit takes, as of a slow disk"),
    Flag.withDefault(0)
  ),
  wireDelay: Flag.Finite("wire-delay").pipe(
    Flag.withDescription("How many milliseconds the candidates are from PostgreSQL, each way"),
    Flag.withDefault(0)
  ),
  short: Flag.Boolean("short").pipe(
    Flag.withDescription("Everything briefly: whether it works, and nothing of speed"),
    Flag.withDefault(false)
  )
}

/** The values of the flags. */
export type Flags = {
  readonly [Name in keyof typeof FLAGS]: (typeof FLAGS)[Name] extends Flag.Flag<infer A> ? A : never
}

/** The comparison that the flags describe. */
export const comparisonOf = ({ only, scenario, connections, rounds, seconds, short, ...delays }: Flags): Comparison => {
  const usual = short ? SHORT : USUAL
  const chosen = Option.getOrElse(only, () => USUAL_NAMES)
  return {
    ...usual,
    ...delays,
    candidates: CANDIDATES.filter(({ name }) => chosen.includes(name)),
    scenarios: Option.getOrElse(scenario, () => usual.scenarios),
    connections: Option.getOrElse(connections, () => usual.connections),
    rounds: Option.getOrElse(rounds, () => usual.rounds),
    seconds: Option.getOrElse(seconds, () => usual.seconds)
  }
}
