import type * as Command from "effect/cli/Command"
import { Duration, Effect } from "effect"
import { UPKEEP_DEFAULTS } from "@sojourn/service"
import { text } from "./flags.ts"
import { parseSeconds, secondsOf, valueOf } from "./values.ts"

/** The flags for what a server does at intervals: it applies stay policies, and forgets what was kept for long enough. */
export const upkeepFlags = {
  sweepInterval: text(
    "sweep-interval",
    "How often stays are abandoned and accesses forgotten by stay policies: a number and s, m, h or d; 0: never by this server",
    Duration.format(UPKEEP_DEFAULTS.sweepInterval)
  ),
  feedRetention: text(
    "feed-retention",
    "How long presence events are kept, for streams that go on after one",
    Duration.format(UPKEEP_DEFAULTS.feedRetention)
  ),
  historyRetention: text(
    "history-retention",
    "How long the minutes of histories are kept; hours and days are kept for good",
    Duration.format(UPKEEP_DEFAULTS.historyRetention)
  ),
  musterRetention: text(
    "muster-retention",
    "How long musters are kept after their end, with the names of people: a number and s, m, h or d",
    Duration.format(UPKEEP_DEFAULTS.musterRetention)
  ),
  auditRetention: text(
    "audit-retention",
    "How long entries of the audit are kept: a number and s, m, h or d",
    Duration.format(UPKEEP_DEFAULTS.auditRetention)
  )
}

/** The interval of sweeps; none where the server never sweeps. */
const sweepIntervalOf = (value: string) =>
  value === "0"
    ? Effect.undefined
    : Effect.map(
        valueOf("sweep-interval", value, "0, or a number and s, m, h or d, as in 1m", parseSeconds(value)),
        Duration.seconds
      )

/** Reads the interval and the retentions of the flags. */
export const upkeepOf = (flags: Command.Command.Config.Infer<typeof upkeepFlags>) =>
  Effect.all({
    sweepInterval: sweepIntervalOf(flags.sweepInterval),
    feedRetention: secondsOf("feed-retention", flags.feedRetention, "1h"),
    historyRetention: secondsOf("history-retention", flags.historyRetention, "1h"),
    musterRetention: secondsOf("muster-retention", flags.musterRetention, "30d"),
    auditRetention: secondsOf("audit-retention", flags.auditRetention, "400d")
  })
