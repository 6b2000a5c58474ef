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

type Portions = Array<Uint8Array | undefined>

/** The portions that were written, of the same items and by the same function. */
const written = new WeakMap<ReadonlyArray<unknown>, Map<unknown, Portions>>()

const portionsOf = (items: ReadonlyArray<unknown>, write: unknown): Portions => {
  const byWrite = written.get(items) ?? new Map<unknown, Portions>()
  written.set(items, byWrite)
  const portions = byWrite.get(write) ?? []
  byWrite.set(write, portions)
  return portions
}

/**
 * A text of any length as a body. A long one is written in portions, between which the event loop serves other requests. Bodies of
 * the same items by the same function have the same text between items, and share their bytes.
 */
export const inPortions = <Item>(
  { items, write, before, between, after }: LongText<Item>,
  contentType: string
): HttpBody.Uint8Array | HttpBody.Stream => {
  const textOf = (nth: number) =>
    items
      .slice(nth * PORTION, (nth + 1) * PORTION)
      .map(write)
      .join(between)
  if (items.length <= PORTION) return HttpBody.text(before + textOf(0) + after, contentType)
  const portions = portionsOf(items, write)
  const chunks = Stream.paginate(0, (nth) => {
    const isLast = (nth + 1) * PORTION >= items.length
    const portion = (portions[nth] ??= encoder.encode((nth === 0 ? "" : between) + textOf(nth)))
    const chunk = [
      ...(nth === 0 && before !== "" ? [encoder.encode(before)] : []),
      portion,
      ...(isLast && after !== "" ? [encoder.encode(after)] : [])
    ]
    return Effect.as(Effect.yieldNow, [chunk, isLast ? Option.none() : Option.some(nth + 1)] as const)
  })
  return HttpBody.stream(chunks, contentType)
}
