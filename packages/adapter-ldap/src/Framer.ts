/** Splits the bytes of an LDAP connection into whole messages, within a bound of their length. */
import { BerReader } from "ldapts"
import { MALFORMED, SEQUENCE } from "./Message.ts"

/** The answers are longer than they may be. */
export const TOO_LONG = "too long"

/** The longest message in bytes. An entry has four attributes that are asked for; reading one of 64 KiB takes some milliseconds. */
export const LONGEST_MESSAGE = 64 * 1024

/** Bytes of a message that has not all arrived. */
export interface Framer {
  /** The messages that are complete with these bytes, in their order. */
  readonly push: (chunk: Buffer) => ReadonlyArray<Buffer> | typeof MALFORMED | typeof TOO_LONG
  /** Whether a message has begun that is not complete. */
  readonly isInside: () => boolean
}

/** How long the first message is, as far as its header has arrived; one of more than 2 GiB counts as infinite. */
const lengthOfFirst = (bytes: Buffer): number | undefined => {
  const reader = new BerReader(bytes)
  if (reader.readSequence(SEQUENCE) === null) return undefined
  return reader.length < 0 ? Infinity : reader.offset + reader.length
}

/** Cuts a stream of bytes into LDAP messages. All of the stream is `longest` bytes at most, and each message {@link LONGEST_MESSAGE}. */
export const makeFramer = (longest: number): Framer => {
  let waiting: Buffer = Buffer.alloc(0)
  let received = 0
  return {
    isInside: () => waiting.length > 0,
    push(chunk) {
      received += chunk.length
      if (received > longest) return TOO_LONG
      waiting = Buffer.concat([waiting, chunk])
      const messages: Array<Buffer> = []
      try {
        for (let length = lengthOfFirst(waiting); length !== undefined; length = lengthOfFirst(waiting)) {
          if (length > Math.min(longest, LONGEST_MESSAGE)) return TOO_LONG
          if (length > waiting.length) break
          messages.push(waiting.subarray(0, length))
          waiting = waiting.subarray(length)
        }
      } catch {
        return MALFORMED
      }
      return messages
    }
  }
}
