/** The parameters of a comparison, and their usual values. */
import { availableParallelism } from "node:os"
import type { Candidate } from "./Candidate.ts"
import type { ScenarioName } from "./scenarios.ts"

/** What is compared and how it is measured. */
export interface Comparison {
  readonly candidates: ReadonlyArray<Candidate>
  readonly scenarios: ReadonlyArray<ScenarioName>
  readonly connections: ReadonlyArray<number>
  /** How many rounds are counted; each candidate has its turn in each. */
  readonly rounds: number
  /** How long a turn takes. */
  readonly seconds: number
  /** How long a turn takes before the first round, uncounted. */
  readonly warmUpSeconds: number
  /** How many requests each candidate has answered in such turns at least, with as many connections as are measured. */
  readonly warmUpRequests: number
  /** How many users there are. */
  readonly users: number
  /** How many people are inside while it is measured. */
  readonly crowd: number
  /** How many lists of accesses there are to ask for. */
  readonly lists: number
  /** How often the start is measured with each storage; 0: not at all. */
  readonly starts: number
  readonly isPeerTokenCacheOn: boolean
  /** Whether PostgreSQL waits for the disk. */
  readonly durability: "durable" | "fast"
  /** How much longer it waits, in milliseconds. */
  readonly commitDelay: number
  /** How far the candidates are from PostgreSQL, in milliseconds each way. */
  readonly wireDelay: number
}

/** What is measured unless the command line says otherwise. */
export const USUAL = {
  connections: [1, 64, 256],
  rounds: 5,
  seconds: 3,
  warmUpSeconds: 2,
  warmUpRequests: 20_000,
  users: 1000,
  crowd: 200,
  lists: 10,
  starts: 5,
  isPeerTokenCacheOn: true,
  durability: "durable",
  commitDelay: 0,
  wireDelay: 0
} as const satisfies Partial<Comparison>

/** Everything once, in seconds: whether it works, and nothing about how quick it is. */
export const SHORT = {
  ...USUAL,
  connections: [1, 8],
  rounds: 2,
  seconds: 0.2,
  warmUpSeconds: 0.1,
  warmUpRequests: 1,
  users: 20,
  crowd: 5,
  lists: 1,
  starts: 1
} as const satisfies Partial<Comparison>

/** The machine in words. */
export const machine = (): string =>
  `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} processors`
