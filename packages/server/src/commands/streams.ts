import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { STREAM_BOUNDS } from "../admission/streams.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { countOf } from "./bounds.ts"
import { parseSeconds } from "./durations.ts"
import { text } from "./flags.ts"

/** The flags for presence streams, the events that they tell, and their history. */
export const streamFlags = {
  maxSubscribers: text(
    "max-subscribers",
    "How many presence streams there may be; further ones are answered 503",
    String(STREAM_BOUNDS.maxSubscribers)
  ),
  streamLifetime: text(
    "stream-lifetime",
    "How long a presence stream lives at most; its client then connects again and misses nothing",
    "1h"
  ),
  feedRetention: text("feed-retention", "How long presence events are kept, for streams that go on after one", "7d"),
  historyRetention: text(
    "history-retention",
    "How long the minutes of histories are kept; hours and days are kept for good",
    "90d"
  )
}

export type StreamFlags = { readonly [Flag in keyof typeof streamFlags]: string }

const secondsOf = (name: string, value: string) =>
  Option.match(parseSeconds(value), {
    onNone: () =>
      Effect.fail(
        new CommandFailed({ message: `--${name} is a number and s, m, h or d, above zero, as in 1h: ${value}` })
      ),
    onSome: (seconds) => Effect.succeed(Duration.seconds(seconds))
  })

/** Reads the bounds of presence streams, and the retention of events and histories, of the flags. */
export const streamsOf = (flags: StreamFlags) =>
  Effect.all({
    maxSubscribers: countOf("max-subscribers", flags.maxSubscribers),
    streamLifetime: secondsOf("stream-lifetime", flags.streamLifetime),
    feedRetention: secondsOf("feed-retention", flags.feedRetention),
    historyRetention: secondsOf("history-retention", flags.historyRetention)
  })
