/** What clients report: crossings of a border, as they are received and as they are tracked. */
import type { ExitToken } from "../keys/ExitToken.ts"
import type { OrgAuthServerId } from "../shared/Ids.ts"
import type { Premises } from "../shared/Premises.ts"
import type { Timestamp } from "../shared/Timestamp.ts"

/** A crossing of the border inwards, as it is reported. */
export interface Entrance {
  readonly _tag: "Entrance"
  readonly premises: Premises
  /** When it happened; left out: now, by the service's clock. */
  readonly timestamp?: Timestamp | undefined
  /** The person whom the caller claims to be; it is checked and never believed. */
  readonly orgAuthServerId?: OrgAuthServerId | undefined
  /** With it, an entrance that is repeated within 24 hours opens no second stay. */
  readonly idempotencyKey?: string | undefined
  /** Exit tokens of stays in the same organization that end with it, as they were sent: 8 at most. */
  readonly leaves?: ReadonlyArray<string> | undefined
}

/** A crossing of the border outwards, as it is reported: there is none without a token. */
export interface Exit {
  readonly _tag: "Exit"
  readonly premises: Premises
  /** The token as it was sent: whether it is genuine is for the service to say. */
  readonly exitToken: string
  readonly timestamp?: Timestamp | undefined
  readonly orgAuthServerId?: OrgAuthServerId | undefined
}

/** One crossing of the border (spec: stays#movements). */
export type Movement = Entrance | Exit

/** A movement that was tracked: when, with which token, and as whom where the organization knows people. */
export interface TrackedMovement {
  readonly _tag: Movement["_tag"]
  readonly premises: Premises
  readonly timestamp: Timestamp
  readonly exitToken: ExitToken
  readonly orgAuthServerId?: OrgAuthServerId | undefined
}
