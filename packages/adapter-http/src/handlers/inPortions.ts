/** Writes long answers in portions, so that other requests do not wait until one is written. */
import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

/** The number of items that are written at once, which takes a millisecond or two. */
const PORTION = 1_000

/** A text of many items. */
export interface LongText<Item> {
  readonly items: ReadonlyArray<Item>
  readonly write: (item: Item) => string
  /** What is written before the items, between two of them, and after them. */
  readonly before: string
  readonly between: string
  readonly after: string
}

const encoder = new TextEncoder()

/** A text of any length as a body. A long one is written in portions, between which the event loop serves other requests. */
export const inPortions = <Item>(
  { items, write, before, between, after }: LongText<Item>,
  contentType: string
): HttpBody.Uint8Array | HttpBody.Stream => {
  const portion = (from: number) =>
    items
      .slice(from, from + PORTION)
      .map(write)
      .join(between)
  if (items.length <= PORTION) return HttpBody.text(before + portion(0) + after, contentType)
  const chunks = Stream.paginate(0, (from) => {
    const next = from + PORTION
    const isLast = next >= items.length
    const chunk = encoder.encode((from === 0 ? before : between) + portion(from) + (isLast ? after : ""))
    return Effect.as(Effect.yieldNow, [[chunk], isLast ? Option.none() : Option.some(next)] as const)
  })
  return HttpBody.stream(chunks, contentType)
}
