/** The candidates of the comparison, and the command that starts each. */
import { fileURLToPath } from "node:url"
import { type ScenarioName, SCENARIOS, SHARED } from "./scenarios.ts"
import type { Command } from "./Server.ts"

/** What a candidate is started with. */
export interface Place {
  /** Empty for one without a database. */
  readonly databaseUrl: string
  /** A directory of its own, with the issuer's key. */
  readonly directory: string
  /** The public half of the issuer's key, in PEM. */
  readonly publicKey: string
  readonly isPeerTokenCacheOn: boolean
}

/** Something that serves the interface, or a part of it, as a process of its own. */
export interface Candidate {
  readonly name: string
  /** Whose tables it has: those that Sojourn makes, those of the peers, or none. */
  readonly tables: "sojourn" | "peer" | "none"
  readonly scenarios: ReadonlyArray<ScenarioName>
  /** Measured only when it is asked for. */
  readonly isVariant: boolean
  readonly command: (place: Place) => Command
}

/** The bundle that SOJOURN_BUNDLE names, else the sources. */
const SOJOURN =
  process.env.SOJOURN_BUNDLE || fileURLToPath(new URL("../../packages/server/src/main.ts", import.meta.url))

/** The `sojourn` command line. */
export const sojournCommand = (...args: ReadonlyArray<string>): Command => ({
  args: ["--conditions=source", SOJOURN, ...args],
  env: {}
})

/** The bundle of another version, to be measured in turns with this one: SOJOURN_BUNDLE_BEFORE names it. */
const BEFORE = process.env.SOJOURN_BUNDLE_BEFORE

const ALL = Object.keys(SCENARIOS) as ReadonlyArray<ScenarioName>

type Choices = Partial<Omit<Candidate, "name" | "command">>

/** The server, and more flags of `serve`. */
const sojourn = (
  name: string,
  choices: Choices = {},
  flags: ReadonlyArray<string> = [],
  program = SOJOURN
): Candidate => ({
  name,
  tables: "sojourn",
  scenarios: ALL,
  isVariant: false,
  ...choices,
  command: ({ databaseUrl, directory }) => ({
    args: [
      "--conditions=source",
      program,
      "serve",
      "--storage",
      "postgres",
      "--port",
      "0",
      "--data",
      directory,
      ...flags
    ],
    env: { SOJOURN_DATABASE_URL: databaseUrl }
  })
})

/** A program of `peers/`. */
const peer = (name: string, choices: Choices = {}): Candidate => ({
  name,
  tables: "peer",
  scenarios: SHARED,
  isVariant: false,
  ...choices,
  command: ({ databaseUrl, publicKey, isPeerTokenCacheOn }) => ({
    args: [fileURLToPath(new URL(`peers/${name}.ts`, import.meta.url))],
    env: {
      DATABASE_URL: databaseUrl,
      PUBLIC_KEY: publicKey,
      TOKEN_CACHE: isPeerTokenCacheOn ? "on" : "off"
    }
  })
})

/** What every other candidate is compared with. */
export const REFERENCE = "fastify-pg"

/** What nothing with a database reaches. */
export const CEILING = "bare"

/** Everything that can be measured. */
export const CANDIDATES: ReadonlyArray<Candidate> = [
  sojourn("sojourn"),
  sojourn("sojourn-no-group-commit", { scenarios: ["pairs"], isVariant: true }, ["--no-group-commit"]),
  ...(BEFORE === undefined ? [] : [sojourn("sojourn-before", { isVariant: true }, [], BEFORE)]),
  peer(REFERENCE),
  peer("fastify-pg-group-commit"),
  peer(CEILING, { tables: "none", scenarios: ["pairs"] })
]
