/** Splits the bytes of an LDAP connection into whole messages, within a bound of their length. */
import { headerAt, INCOMPLETE, MALFORMED, SEQUENCE } from "./Ber.ts"

/** The answers are longer than they may be. */
export const TOO_LONG = "too long"

/** The longest message in bytes. An entry has four attributes that are asked for; reading one of 64 KiB takes some milliseconds. */
export const LONGEST_MESSAGE = 64 * 1024

/** Bytes of a message that has not all arrived. */
export interface Framer {
  /** The messages that are complete with these bytes, in their order. */
  readonly push: (chunk: Buffer) => ReadonlyArray<Buffer> | typeof MALFORMED | typeof TOO_LONG
  /** Has a message begun that is not complete? */
  readonly isInside: () => boolean
}

/**
 * Cuts a stream of bytes into LDAP messages. All of the stream is `longest` bytes at most, and each message
 * {@link LONGEST_MESSAGE}; each byte is copied once or twice however it arrives.
 */
export const makeFramer = (longest: number): Framer => {
  let waiting: Array<Buffer> = []
  let waitingBytes = 0
  let allBytes = 0
  /** How many bytes must wait before there is anything to learn from them. */
  let needed = 2
  return {
    isInside: () => waitingBytes > 0,
    push(chunk) {
      allBytes += chunk.length
      if (allBytes > longest) return TOO_LONG
      waiting.push(chunk)
      waitingBytes += chunk.length
      if (waitingBytes < needed) return []
      const bytes = waiting.length === 1 ? chunk : Buffer.concat(waiting)
      const messages: Array<Buffer> = []
      let at = 0
      for (;;) {
        const header = headerAt(bytes, at)
        if (header === MALFORMED || (bytes[at] ?? SEQUENCE) !== SEQUENCE) return MALFORMED
        if (header === INCOMPLETE) {
          needed = bytes.length - at + 1
          break
        }
        if (header.end - at > Math.min(longest, LONGEST_MESSAGE)) return TOO_LONG
        if (header.end > bytes.length) {
          needed = header.end - at
          break
        }
        messages.push(bytes.subarray(at, header.end))
        at = header.end
      }
      waiting = at < bytes.length ? [bytes.subarray(at)] : []
      waitingBytes = bytes.length - at
      return messages
    }
  }
}
