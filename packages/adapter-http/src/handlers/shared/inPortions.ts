/** Writes bodies of long lists in portions, so that other requests do not wait until one is written. */
import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"

/** The number of items that are written at once, which takes a millisecond or two. */
const PORTION_ITEMS = 1_000

/** A list of any length in a body. */
export interface LongList<Item> {
  /** The text before the items, and between two of them. */
  readonly before: string
  readonly between: string
  readonly items: ReadonlyArray<Item>
  readonly write: (item: Item) => string
  /** Whether bodies of the same items and function share their bytes, which are kept as long as the items. */
  readonly isShared?: boolean
}

const encoder = new TextEncoder()

/** The written portions of shared items, by the function that wrote them. */
const written = new WeakMap<ReadonlyArray<unknown>, Map<unknown, Map<number, Uint8Array>>>()

const shared = ({ items, write }: LongList<any>): Map<number, Uint8Array> => {
  const byWrite = written.get(items) ?? new Map<unknown, Map<number, Uint8Array>>()
  written.set(items, byWrite)
  const portions = byWrite.get(write) ?? new Map<number, Uint8Array>()
  byWrite.set(write, portions)
  return portions
}

/** The text of a list in portions, with `between` at the beginning of all but the first. */
const portionsOf = function* (list: LongList<any>): Generator<Uint8Array> {
  const { between, items, write, isShared = false } = list
  const cache = isShared ? shared(list) : new Map<number, Uint8Array>()
  for (let from = 0; from < items.length; from += PORTION_ITEMS) {
    const cached = cache.get(from)
    const portion =
      cached ??
      encoder.encode(
        (from === 0 ? "" : between) +
          items
            .slice(from, from + PORTION_ITEMS)
            .map(write)
            .join(between)
      )
    if (isShared) cache.set(from, portion)
    yield portion
  }
}

/** The chunks of a body. Each step writes less than two portions: short lists are collected. */
const chunksOf = function* (lists: ReadonlyArray<LongList<any>>, after: string): Generator<ReadonlyArray<Uint8Array>> {
  let text = ""
  let collected = 0
  for (const list of lists) {
    const { before, between, items, write } = list
    text += before
    if (items.length > PORTION_ITEMS) {
      for (const portion of portionsOf(list)) {
        yield text === "" ? [portion] : [encoder.encode(text), portion]
        text = ""
      }
      collected = 0
      continue
    }
    text += items.map(write).join(between)
    collected += items.length
    if (collected < PORTION_ITEMS) continue
    yield [encoder.encode(text)]
    text = ""
    collected = 0
  }
  if (text + after !== "") yield [encoder.encode(text + after)]
}

/** One portion is written between two turns of the event loop, however many bodies are. */
const turns = Semaphore.makeUnsafe(1)

/** The lists as a body, with `after` at its end. Only one of more than {@link PORTION_ITEMS} items is a stream. */
export const inPortions = (
  lists: ReadonlyArray<LongList<any>>,
  after: string,
  contentType: string
): HttpBody.Uint8Array | HttpBody.Stream => {
  if (lists.reduce((sum, { items }) => sum + items.length, 0) <= PORTION_ITEMS) {
    const text = lists.map(({ before, between, items, write }) => before + items.map(write).join(between)).join("")
    return HttpBody.text(text + after, contentType)
  }
  const chunks = Stream.suspend(() => {
    const remaining = chunksOf(lists, after)
    const next = turns.withPermit(Effect.andThen(Effect.yieldNow, () => Effect.sync(() => remaining.next())))
    return Stream.paginate(undefined, () =>
      Effect.map(
        next,
        ({ value, done }) =>
          [done === true ? [] : value, done === true ? Option.none() : Option.some(undefined)] as const
      )
    )
  })
  return HttpBody.stream(chunks, contentType)
}

/** A member of an object: a list of any length. */
export interface ListMember<Item> extends Pick<LongList<Item>, "items" | "write"> {
  readonly name: string
}

/** A JSON object whose members are those of `head`, a JSON object that is not empty, and the lists. */
export const objectInPortions = (
  head: string,
  members: ReadonlyArray<ListMember<any>>
): HttpBody.Uint8Array | HttpBody.Stream =>
  inPortions(
    members.map(({ name, items, write }, nth) => ({
      before: `${nth === 0 ? head.slice(0, -1) : "]"},${JSON.stringify(name)}:[`,
      between: ",",
      items,
      write
    })),
    "]}",
    "application/json"
  )
