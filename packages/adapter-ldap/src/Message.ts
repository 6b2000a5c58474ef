/** Decodes LDAP messages from bytes, and refuses malformed ones. */
import {
  BOOLEAN,
  type Element,
  elementsOf,
  ENUMERATED,
  INTEGER,
  integerOf,
  MALFORMED,
  OCTETS,
  SEQUENCE,
  SET
} from "./Ber.ts"

/** What a server may say (RFC 4511, section 4), as far as this adapter ever asks for it. */
export type Message =
  /** The answer that ends a request. */
  | { readonly _tag: "Result"; readonly messageId: number; readonly code: number }
  | { readonly _tag: "Entry"; readonly messageId: number; readonly values: number }
  /** A referral to another server, which is not followed, or an intermediate response, which is not read. */
  | { readonly _tag: "Ignored"; readonly messageId: number }

const RESULTS = { bind: 0x61, search: 0x65, extended: 0x78 } as const
const ENTRY = 0x64
const REFERENCE = 0x73
const INTERMEDIATE = 0x79
const CONTROLS = 0xa0
const REFERRAL = 0xa3

/** What may follow a result's code, name and text: where else to ask, SASL's answer, an extended answer's name and value. */
const AFTER_RESULT: ReadonlyMap<number, ReadonlyArray<number>> = new Map([
  [RESULTS.bind, [REFERRAL, 0x87]],
  [RESULTS.search, [REFERRAL]],
  [RESULTS.extended, [REFERRAL, 0x8a, 0x8b]]
])

/** Do the elements have exactly these tags, in this order? */
const areOf = (elements: ReadonlyArray<Element> | typeof MALFORMED, ...tags: ReadonlyArray<number>): boolean =>
  elements !== MALFORMED && elements.length === tags.length && elements.every(({ tag }, i) => tag === tags[i])

const areAllOf = (elements: ReadonlyArray<Element> | typeof MALFORMED, tag: number): boolean =>
  elements !== MALFORMED && elements.every((element) => element.tag === tag)

/** How many values an attribute has, and one for itself. */
const valuesOfAttribute = (bytes: Uint8Array, attribute: Element): number | typeof MALFORMED => {
  const parts = elementsOf(bytes, attribute)
  if (parts === MALFORMED || !areOf(parts, OCTETS, SET)) return MALFORMED
  const values = elementsOf(bytes, parts[1] as Element)
  return values !== MALFORMED && areAllOf(values, OCTETS) ? values.length + 1 : MALFORMED
}

/** How many attributes and values an entry has. */
const valuesOfEntry = (bytes: Uint8Array, operation: Element): number | typeof MALFORMED => {
  const parts = elementsOf(bytes, operation)
  if (parts === MALFORMED || !areOf(parts, OCTETS, SEQUENCE)) return MALFORMED
  const attributes = elementsOf(bytes, parts[1] as Element)
  if (attributes === MALFORMED || !areAllOf(attributes, SEQUENCE)) return MALFORMED
  let all = 0
  for (const attribute of attributes) {
    const values = valuesOfAttribute(bytes, attribute)
    if (values === MALFORMED) return MALFORMED
    all += values
  }
  return all
}

const resultCode = (bytes: Uint8Array, operation: Element): number | typeof MALFORMED => {
  const parts = elementsOf(bytes, operation)
  if (parts === MALFORMED || !areOf(parts.slice(0, 3), ENUMERATED, OCTETS, OCTETS)) return MALFORMED
  // Each of the optional parts at most once, in their order: the places of those that are there rise.
  const allowed = AFTER_RESULT.get(operation.tag) ?? []
  let next = 0
  for (const { tag } of parts.slice(3)) {
    const place = allowed.indexOf(tag, next)
    if (place < 0) return MALFORMED
    next = place + 1
  }
  return integerOf(bytes, parts[0] as Element)
}

const areControls = (bytes: Uint8Array, controls: Element): boolean => {
  const all = elementsOf(bytes, controls)
  if (all === MALFORMED || controls.tag !== CONTROLS) return false
  return all.every((control) => {
    const parts = elementsOf(bytes, control)
    return (
      control.tag === SEQUENCE &&
      [[OCTETS], [OCTETS, BOOLEAN], [OCTETS, OCTETS], [OCTETS, BOOLEAN, OCTETS]].some((tags) => areOf(parts, ...tags))
    )
  })
}

/**
 * Reads one whole message, strictly: every length fits, and every part is where the protocol puts it. What passes can be
 * given to ldapts, whose reader trusts lengths: an entry of 11 bytes with a length too large makes it fill the memory.
 */
export const read = (bytes: Uint8Array): Message | typeof MALFORMED => {
  const whole = elementsOf(bytes, { start: 0, end: bytes.length })
  if (whole === MALFORMED || !areOf(whole, SEQUENCE)) return MALFORMED
  const parts = elementsOf(bytes, whole[0] as Element)
  if (parts === MALFORMED || parts.length < 2 || parts.length > 3) return MALFORMED
  const [id, operation, controls] = parts as [Element, Element, Element?]
  const messageId = id.tag === INTEGER ? integerOf(bytes, id) : MALFORMED
  if (messageId === MALFORMED || messageId < 0) return MALFORMED
  if (controls !== undefined && !areControls(bytes, controls)) return MALFORMED
  switch (operation.tag) {
    case RESULTS.bind:
    case RESULTS.search:
    case RESULTS.extended: {
      const code = resultCode(bytes, operation)
      return code === MALFORMED ? MALFORMED : { _tag: "Result", messageId, code }
    }
    case ENTRY: {
      const values = valuesOfEntry(bytes, operation)
      return values === MALFORMED ? MALFORMED : { _tag: "Entry", messageId, values }
    }
    case REFERENCE:
    case INTERMEDIATE:
      return { _tag: "Ignored", messageId }
    default:
      return MALFORMED
  }
}
