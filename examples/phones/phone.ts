/** A phone: it tells of its owner's visits, as often as it takes, and keeps the exit tokens. */
import { Effect } from "effect"
import type { Client, Visit } from "./city.ts"
import { insist } from "./network.ts"

/** Who watches the phones. */
export interface Watcher {
  readonly onMovement: Effect.Effect<void>
  readonly onRetry: Effect.Effect<void>
}

/** A visit that was told of, and the token that proves whose it is. */
export interface Reported extends Visit {
  readonly exitToken: string
}

/** Tells of a visit: the entrance, and the exit if there was one. */
export const report = (client: Client, { onMovement, onRetry }: Watcher) =>
  Effect.fnUntraced(function* (visit: Visit) {
    const { id: placeId } = visit.place
    const patiently = insist(onRetry)

    // One key for one entrance: however often it is sent, it opens one stay.
    const headers = { "idempotency-key": crypto.randomUUID() }
    const entrance = { movementType: "entrance", placeId, timestamp: visit.entrance } as const
    const { exitToken } = yield* patiently(client.movement.trackPlace({ headers, payload: entrance }))
    yield* onMovement

    if (visit.exit !== undefined) {
      // The same token at the same time: however often it is sent, it closes the stay once.
      const exit = { movementType: "exit", placeId, exitToken, timestamp: visit.exit } as const
      yield* patiently(client.movement.trackPlace({ headers: {}, payload: exit }))
      yield* onMovement
    }
    return { ...visit, exitToken } satisfies Reported
  })
