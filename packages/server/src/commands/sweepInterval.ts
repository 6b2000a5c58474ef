import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { CommandFailed } from "../CommandFailed.ts"
import { parseSeconds } from "./durations.ts"
import { text } from "./flags.ts"

/** How often a server sweeps. */
export const sweepInterval = text(
  "sweep-interval",
  "How often stays are abandoned and accesses forgotten by stay policies: a number and s, m, h or d; 0: never by this server",
  "1m"
)

/** The interval that the flag says; none where the server never sweeps. */
export const sweepIntervalOf = (interval: string): Effect.Effect<Option.Option<Duration.Duration>, CommandFailed> =>
  interval === "0"
    ? Effect.succeedNone
    : Option.match(parseSeconds(interval), {
        onNone: () =>
          Effect.fail(
            new CommandFailed({ message: `--sweep-interval is 0, or a number and s, m, h or d, as in 1m: ${interval}` })
          ),
        onSome: (seconds) => Effect.succeedSome(Duration.seconds(seconds))
      })
