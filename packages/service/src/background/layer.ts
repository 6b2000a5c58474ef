/** All background work of a service, with the defaults of a service on its own. */
import { Duration, Layer } from "effect"
import type { SenderOptions } from "../webhooks/HttpsSender.ts"
import { layerWebhooks } from "../webhooks/layer.ts"
import { layerUpkeep } from "./Upkeep.ts"

/** The interval of sweeps and the retentions of a service that sets none. */
export const UPKEEP_DEFAULTS = {
  sweepInterval: Duration.minutes(1),
  feedRetention: Duration.days(7),
  historyRetention: Duration.days(90),
  musterRetention: Duration.days(30),
  auditRetention: Duration.days(400)
} as const satisfies Partial<Record<keyof BackgroundOptions, Duration.Duration>>

/** The interval of sweeps, the retentions, and how webhooks are sent. */
export interface BackgroundOptions extends SenderOptions {
  /** How often stay policies are applied; every minute by default. */
  readonly sweepInterval?: Duration.Input | undefined
  /** How long presence events are kept; 7 days by default. */
  readonly feedRetention?: Duration.Input | undefined
  /** How long the minutes of histories are kept; 90 days by default. Hours and days are kept for good. */
  readonly historyRetention?: Duration.Input | undefined
  /** How long musters are kept after their end; 30 days by default. */
  readonly musterRetention?: Duration.Input | undefined
  /** How long entries of the audit are kept; 400 days by default. */
  readonly auditRetention?: Duration.Input | undefined
}

/**
 * Applies stay policies, keeps the histories, forgets what was kept for long enough, and delivers webhooks, while the scope is open.
 * Processes on one database share the work. `WebhookReceivers` of core decides which receivers are allowed: by default any https server
 * but those at special addresses, such as loopback.
 */
export const layerBackgroundWork = ({
  sweepInterval = UPKEEP_DEFAULTS.sweepInterval,
  feedRetention = UPKEEP_DEFAULTS.feedRetention,
  historyRetention = UPKEEP_DEFAULTS.historyRetention,
  musterRetention = UPKEEP_DEFAULTS.musterRetention,
  auditRetention = UPKEEP_DEFAULTS.auditRetention,
  ...sending
}: BackgroundOptions = {}) =>
  Layer.merge(
    layerUpkeep({
      sweepInterval: Duration.fromInputUnsafe(sweepInterval),
      feedRetention: Duration.fromInputUnsafe(feedRetention),
      historyRetention: Duration.fromInputUnsafe(historyRetention),
      musterRetention: Duration.fromInputUnsafe(musterRetention),
      auditRetention: Duration.fromInputUnsafe(auditRetention)
    }),
    layerWebhooks(sending)
  )
