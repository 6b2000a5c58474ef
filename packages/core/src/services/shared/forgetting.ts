/** Deletes rows past a retention in batches, so that no statement of a store deletes without limit. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { Timestamp } from "../../domain/shared/Timestamp.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { now } from "./now.ts"

/** Repeats `forget` until it deletes fewer than `most`, and returns how many it deleted in all. */
export const forgetOlder = Effect.fnUntraced(function* (
  retention: Duration.Input,
  most: number,
  forget: (before: Timestamp, most: number) => Effect.Effect<number, StoreError>
) {
  const before = Timestamp((yield* now) - Duration.toMillis(Duration.fromInputUnsafe(retention)))
  let forgotten = 0
  let some: number
  do {
    some = yield* forget(before, most)
    forgotten += some
  } while (some >= most)
  return forgotten
})
