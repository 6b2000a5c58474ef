/** Positions in lists of accesses as callers hold them: texts that say nothing, and that no caller can make. */
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { equal } from "@stablelib/constant-time"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { AccessId, StayId } from "../shared/Ids.ts"
import { TaggedError } from "../shared/TaggedError.ts"
import { Timestamp } from "../shared/Timestamp.ts"
import { purposeMac, type SecretKey } from "./SecretKey.ts"
import { makePositionCipher } from "./StayIdCipher.ts"

/**
 * How far a list was read: before `entrance` everything; at `entrance` the stays up to `after`, and of the run of those up to `until` the
 * accesses up to `last`.
 *
 * A store knows the order of stays and not that of accesses, whose ids are encrypted. So the accesses of one instant are read together.
 */
export interface AccessPosition {
  readonly entrance: Timestamp
  readonly after: StayId
  readonly until: StayId
  readonly last: AccessId
}

/** The text is no position of this list. */
export class PositionUnknown extends TaggedError("PositionUnknown", "the position is none of this list")<{}> {}

/** Writes and reads positions in lists, which a text distinguishes. */
export interface AccessPositions {
  readonly write: (list: string, position: AccessPosition) => string
  /** The position that a text stands for; fails for any text that was not written for this list. */
  readonly read: (list: string, text: string) => Result.Result<AccessPosition, PositionUnknown>
}

const PURPOSE = utf8ToBytes("sojourn/access-position/1")
const BLOCK_AT = 16
const MAC_AT = 32
const MAC_BYTES = 16
const BYTES = MAC_AT + MAC_BYTES
const LENGTH = (BYTES * 4) / 3

/** The positions under a key: entrance and access as they are, the stays encrypted, and an HMAC over these and the list. */
export const makeAccessPositions = (key: SecretKey): AccessPositions => {
  const mac = purposeMac(key, PURPOSE)
  const cipher = makePositionCipher(Redacted.value(key.secret))
  const sign = (list: string, bytes: Uint8Array) =>
    mac.clone().update(bytes.subarray(0, MAC_AT)).update(utf8ToBytes(list)).digest().subarray(0, MAC_BYTES)
  return {
    write: (list, { entrance, after, until, last }) => {
      const bytes = new Uint8Array(BYTES)
      const view = new DataView(bytes.buffer)
      view.setBigInt64(0, BigInt(entrance))
      view.setBigInt64(8, last)
      view.setBigInt64(BLOCK_AT, after)
      view.setBigInt64(BLOCK_AT + 8, until)
      cipher.encrypt(bytes.subarray(BLOCK_AT, MAC_AT))
      bytes.set(sign(list, bytes), MAC_AT)
      return Base64Url.encode(bytes)
    },
    read: (list, text) => {
      const decoded = text.length === LENGTH ? Base64Url.decode(text) : undefined
      if (decoded === undefined || Result.isFailure(decoded)) return Result.fail(new PositionUnknown())
      const bytes = decoded.success
      if (!equal(sign(list, bytes), bytes.subarray(MAC_AT))) return Result.fail(new PositionUnknown())
      cipher.decrypt(bytes.subarray(BLOCK_AT, MAC_AT))
      const view = new DataView(bytes.buffer, bytes.byteOffset)
      return Result.succeed({
        entrance: Timestamp(Number(view.getBigInt64(0))),
        last: view.getBigInt64(8) as AccessId,
        after: view.getBigInt64(BLOCK_AT) as StayId,
        until: view.getBigInt64(BLOCK_AT + 8) as StayId
      })
    }
  }
}
