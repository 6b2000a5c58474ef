/** The core in another program, on stores in memory. */
import * as Memory from "@sojourn/adapter-memory"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { day } from "./day.ts"

assert.deepEqual(await Effect.runPromise(Effect.provide(day, Memory.layer)), [1, 0])

/** A module that is not public, under any name. */
for (const closed of ["@sojourn/core/domain/stays/Stay", "@sojourn/core/internal/Stay"]) {
  await assert.rejects(import(closed), { code: "ERR_PACKAGE_PATH_NOT_EXPORTED" })
}
