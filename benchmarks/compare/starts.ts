/** The time from the start of a Sojourn process to its first answer, and its idle memory. */
import { join } from "node:path"
import { type Duration, Effect } from "effect"
import { median } from "../shared/median.ts"
import { residentMemory } from "../shared/Processes.ts"
import { makeApi } from "./Api.ts"
import { sojournCommand } from "./Candidate.ts"
import { expected } from "./check.ts"
import { temporaryDirectory } from "./Databases.ts"

import { startServer } from "./Server.ts"

/** How Sojourn starts with a storage. */
export interface Start {
  readonly storage: "memory" | "embedded"
  /** Milliseconds from its process to its first answer, of each start. */
  readonly times: ReadonlyArray<number>
  /** Bytes of the server itself, some moments later, in the middle; none where it is not known. */
  readonly idleMemory: number | undefined
}

/** How long a server is left alone before its idle memory is read. */
const REST = "1 second"

/** Starts it, asks it something, and stops it again. */
const start = Effect.fnUntraced(function* (storage: Start["storage"], data: string, rest: Duration.Input) {
  const began = performance.now()
  const server = yield* startServer(sojournCommand("serve", "--storage", storage, "--port", "0", "--data", data))
  yield* expected("a counter without a token", yield* makeApi(server).counter(undefined, 1), 401)
  const time = performance.now() - began
  yield* Effect.sleep(rest)
  return { time, memory: residentMemory(server.processId) }
}, Effect.scoped)

/** Measures so many starts with the data of an earlier one. */
export const measureStarts = Effect.fnUntraced(function* (storage: Start["storage"], times: number) {
  const data = join(yield* temporaryDirectory, "data")
  yield* start(storage, data, 0)
  const starts = yield* Effect.forEach(Array.from({ length: times }), () => start(storage, data, REST))
  const memories = starts.flatMap(({ memory }) => memory ?? [])
  return {
    storage,
    times: starts.map(({ time }) => time),
    idleMemory: memories.length === 0 ? undefined : median(memories)
  } satisfies Start
}, Effect.scoped)
