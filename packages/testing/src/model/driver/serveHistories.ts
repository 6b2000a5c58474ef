/** Answers commands on the history of presence by the use cases. */
import { Histories, Timestamp } from "@sojourn/core"
import * as Effect from "effect/Effect"
import { each, nothing, type Serve, type Words } from "./words.ts"

export const makeServeHistories = Effect.fnUntraced(function* ({ administrator, premises }: Words) {
  const histories = yield* Histories
  return {
    ReadHistory: ({ by, at, step, from, to }) =>
      histories
        .rows(administrator(by), premises(at), { step, from: Timestamp(from), to: Timestamp(to) })
        .pipe(each((row) => row)),
    KeepHistory: ({ retention }) => nothing(Effect.andThen(histories.rollUp, histories.forgetMinutes(retention)))
  } satisfies Serve<"ReadHistory" | "KeepHistory">
})
