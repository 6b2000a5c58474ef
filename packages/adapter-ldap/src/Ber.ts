/** An element of LDAP's encoding (BER, X.690): its tag, and where its content lies. */
export interface Element {
  readonly tag: number
  readonly start: number
  /** One past the last byte of the content. */
  readonly end: number
}

export const SEQUENCE = 0x30
export const SET = 0x31
export const BOOLEAN = 0x01
export const INTEGER = 0x02
export const OCTETS = 0x04
export const ENUMERATED = 0x0a

/** Bytes that no honest server sends: what they announce does not fit into what is there, or is not LDAP's BER. */
export const MALFORMED = "malformed"

/** The length of an element is not all there yet. */
export const INCOMPLETE = "incomplete"

/**
 * The element whose tag stands at `at`. Its content may reach beyond the bytes at hand. LDAP (RFC 4511, section 5.1) has
 * definite lengths alone, and no tag of it needs a second byte.
 */
export const headerAt = (bytes: Uint8Array, at: number): Element | typeof MALFORMED | typeof INCOMPLETE => {
  const tag = bytes[at]
  if (tag === undefined) return INCOMPLETE
  if ((tag & 0x1f) === 0x1f) return MALFORMED
  const first = bytes[at + 1]
  if (first === undefined) return INCOMPLETE
  if (first < 0x80) return { tag, start: at + 2, end: at + 2 + first }
  const count = first & 0x7f
  if (count === 0 || count > 4) return MALFORMED
  let length = 0
  for (let i = 0; i < count; i++) {
    const byte = bytes[at + 2 + i]
    if (byte === undefined) return INCOMPLETE
    length = length * 256 + byte
  }
  return { tag, start: at + 2 + count, end: at + 2 + count + length }
}

/** The elements that fill this range exactly, one after the other. */
export const elementsOf = (
  bytes: Uint8Array,
  { start, end }: Pick<Element, "start" | "end">
): ReadonlyArray<Element> | typeof MALFORMED => {
  const elements: Array<Element> = []
  let at = start
  while (at < end) {
    const element = headerAt(bytes, at)
    if (typeof element === "string" || element.end > end) return MALFORMED
    elements.push(element)
    at = element.end
  }
  return elements
}

/** A whole number of 1 to 4 bytes. */
export const integerOf = (bytes: Uint8Array, { start, end }: Element): number | typeof MALFORMED => {
  if (end - start < 1 || end - start > 4) return MALFORMED
  let value = ((bytes[start] ?? 0) & 0x80) === 0 ? 0 : -1
  for (let at = start; at < end; at++) value = value * 256 + (bytes[at] ?? 0)
  return value
}
