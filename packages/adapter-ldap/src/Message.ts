/** Reads LDAP messages with ldapts's own classes, on a reader that refuses lengths that do not fit. */
import {
  BerReader,
  BindResponse,
  ExtendedResponse,
  InvalidAsn1Error,
  type MessageResponse,
  SearchEntry,
  SearchResponse
} from "ldapts"

export const SEQUENCE = 0x30
const SET = 0x31
const INTEGER = 0x02
const OCTETS = 0x04

/** Bytes that are no message of a server, as far as this adapter asks for one. */
export const MALFORMED = "malformed"

/** What a server may say (RFC 4511, section 4), as far as this adapter ever asks for it. */
export type Message =
  /** The answer that ends a request. */
  | { readonly _tag: "Result"; readonly messageId: number; readonly code: number }
  | { readonly _tag: "Entry"; readonly messageId: number; readonly values: number }
  /** A referral to another server, which is not followed, or an intermediate response, which is not read. */
  | { readonly _tag: "Ignored"; readonly messageId: number }

/** The operations of servers, by their tags. */
const BIND = 0x61
const ENTRY = 0x64
const SEARCH = 0x65
const REFERENCE = 0x73
const EXTENDED = 0x78
const INTERMEDIATE = 0x79

/**
 * The loops of ldapts read on until the end that a length announces, and its reader does not advance beyond the end of the bytes: an
 * entry of 11 bytes with a length too large makes it fill the memory. Where every length fits, each step of a loop advances.
 */
class StrictReader extends BerReader {
  override readLength(startOffset?: number): number {
    const start = super.readLength(startOffset)
    if (start === null || this.length < 0 || start + this.length > this.buffer.length) {
      throw new InvalidAsn1Error("a length does not fit")
    }
    return start
  }

  /** Without a sequence its length would be that of what was read before. */
  override readSequence(expectedTag?: number): number {
    const tag = super.readSequence(expectedTag)
    if (tag === null) throw new InvalidAsn1Error("a sequence is missing")
    return tag
  }

  /** A result without a code would count as a success. */
  override readTag(tag: number): number {
    const value = super.readTag(tag)
    if (value === null || this.length === 0) throw new InvalidAsn1Error("a number is missing")
    return value
  }

  /** Enters a sequence or set, and returns where it ends. */
  enter(tag?: number): number {
    this.readSequence(tag)
    return this.offset + this.length
  }

  /** Reads over octets. */
  skipOctets(): void {
    if (this.peek() !== OCTETS) throw new InvalidAsn1Error("octets are missing")
    this.offset = this.readLength(this.offset + 1) + this.length
  }
}

/** Reads an entry in the steps of ldapts and counts its values, which are not decoded: some thousand of them take long. */
class CountedEntry extends SearchEntry {
  values = 0

  override parseMessage(reader: StrictReader): void {
    reader.skipOctets()
    const end = reader.enter()
    while (reader.offset < end) {
      reader.enter()
      reader.skipOctets()
      this.values++
      const endOfValues = reader.enter(SET)
      for (; reader.offset < endOfValues; this.values++) reader.skipOctets()
    }
  }
}

const parsed = <M extends MessageResponse>(message: M, reader: StrictReader): M => {
  message.parse(reader, [])
  return message
}

const resultOf = (message: MessageResponse, reader: StrictReader): Message => ({
  _tag: "Result",
  messageId: message.messageId,
  code: parsed(message, reader).status
})

const readUnsafe = (bytes: Buffer): Message | typeof MALFORMED => {
  const reader = new StrictReader(bytes)
  reader.readSequence(SEQUENCE)
  if (reader.remain !== reader.length) return MALFORMED
  const messageId = reader.readTag(INTEGER)
  if (messageId < 0) return MALFORMED
  switch (reader.readSequence()) {
    case BIND:
      return resultOf(new BindResponse({ messageId }), reader)
    case SEARCH:
      return resultOf(new SearchResponse({ messageId }), reader)
    case EXTENDED:
      return resultOf(new ExtendedResponse({ messageId }), reader)
    case ENTRY:
      return { _tag: "Entry", messageId, values: parsed(new CountedEntry({ messageId }), reader).values }
    case REFERENCE:
    case INTERMEDIATE:
      return { _tag: "Ignored", messageId }
    default:
      return MALFORMED
  }
}

/** Reads one whole message. One that is not malformed can be given to ldapts, which reads it to its end. */
export const read = (bytes: Buffer): Message | typeof MALFORMED => {
  try {
    return readUnsafe(bytes)
  } catch {
    return MALFORMED
  }
}
