/** Answers commands on the history of presence by the use cases. */
import { Histories, Timestamp } from "@sojourn/core"
import * as Effect from "effect/Effect"
import { each, nothing, type Serve, type Translation } from "./translation.ts"

export const makeServeHistory = Effect.fnUntraced(function* ({ administrator, premises }: Translation) {
  const histories = yield* Histories
  return {
    ReadHistory: ({ by, at, step, from, to }) =>
      histories
        .rows(administrator(by), premises(at), { step, from: Timestamp(from), to: Timestamp(to) })
        .pipe(each((row) => row)),
    KeepHistory: ({ retention }) => nothing(Effect.andThen(histories.rollUp, histories.forgetMinutes(retention)))
  } satisfies Partial<Serve>
})
