/** Answers the endpoints of `api/shared/health.ts`. */
import * as Effect from "effect/Effect"
import { ServiceUnavailable } from "../../api/shared/refusals.ts"
import type { HealthGroup } from "../../api/shared/health.ts"
import { VERSION } from "../../api/shared/version.ts"
import type { GroupHandlers } from "../../pipeline/endpoint.ts"
import { Readiness } from "./readiness.ts"

const UP = { status: "up", version: VERSION } as const

/** Answers the endpoints for the server's health (spec: server#health). */
export const healthHandlers = Effect.map(Readiness, (readiness): GroupHandlers<typeof HealthGroup> => ({
  live: () => Effect.succeed(UP),
  ready: () =>
    Effect.flatMap(readiness, (isReady) =>
      isReady
        ? Effect.succeed(UP)
        : Effect.fail(new ServiceUnavailable({ detail: "The server does not take requests now." }))
    )
}))
