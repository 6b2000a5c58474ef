import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { CommandFailed } from "../CommandFailed.ts"
import { parseSeconds } from "./durations.ts"
import { text } from "./flags.ts"

/** How long musters are kept. */
export const musterRetention = text(
  "muster-retention",
  "How long musters are kept after their end, with the names of people: a number and s, m, h or d",
  "30d"
)

/** Reads the retention of musters of the flag. */
export const musterRetentionOf = (retention: string): Effect.Effect<Duration.Duration, CommandFailed> =>
  Option.match(parseSeconds(retention), {
    onNone: () =>
      Effect.fail(
        new CommandFailed({
          message: `--muster-retention is a number and s, m, h or d, above zero, as in 30d: ${retention}`
        })
      ),
    onSome: (seconds) => Effect.succeed(Duration.seconds(seconds))
  })
