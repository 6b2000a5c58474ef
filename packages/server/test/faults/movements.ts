import { type Answer, type Asked, bodyOf } from "./asking.ts"
import type { Movement, Stay } from "./Ledger.ts"
import type { Premises } from "./town.ts"

/** What an answer says of the movement that it acknowledges. */
export const movementOf = (answer: Answer): Movement => bodyOf<Movement>(answer)

/** A request to track a movement, with an Idempotency-Key or without. */
export const tracking = (token: string, { kind, id }: Premises, movement: object, key?: string): Asked => ({
  method: "POST",
  path: `/movement/track/${kind}`,
  token,
  json: { [`${kind}Id`]: id, ...movement },
  ...(key !== undefined && { headers: { "idempotency-key": key } })
})

/** A request to leave, at a time or now. */
export const exitOf = (token: string, stay: Stay, timestamp?: string): Asked =>
  tracking(token, stay.premises, {
    movementType: -1,
    exitToken: stay.exitToken,
    ...(timestamp !== undefined && { timestamp })
  })

let keys = 0
/** An Idempotency-Key that was never used. */
export const nextKey = () => `key-${++keys}`
