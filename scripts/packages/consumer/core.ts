/** The core in another program, on stores in memory. */
import * as Memory from "@sojourn/adapter-memory"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { day } from "./day.ts"

assert.deepEqual(await Effect.runPromise(Effect.provide(day, Memory.layer)), [1, 0])
