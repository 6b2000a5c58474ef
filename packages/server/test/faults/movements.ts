/** Movements of simulated clients as requests. */
import { type Answer, type ClientRequest, bodyOf } from "./client.ts"
import type { Movement, Stay } from "./Ledger.ts"
import type { Premises } from "./town.ts"

/** The movement in the body of an answer. */
export const movementOf = (answer: Answer): Movement => bodyOf<Movement>(answer)

/** A request to track a movement, with an Idempotency-Key or without. */
export const tracking = (token: string, { kind, id }: Premises, movement: object, key?: string): ClientRequest => ({
  method: "POST",
  path: `/movement/track/${kind}`,
  token,
  json: { [`${kind}Id`]: id, ...movement },
  ...(key !== undefined && { headers: { "idempotency-key": key } })
})

/** An exit of a stay, with a timestamp or without. */
export const exitOf = (token: string, stay: Stay, timestamp?: string): ClientRequest =>
  tracking(token, stay.premises, {
    movementType: -1,
    exitToken: stay.exitToken,
    ...(timestamp !== undefined && { timestamp })
  })

let keys = 0
/** A new Idempotency-Key. */
export const nextKey = () => `key-${++keys}`
