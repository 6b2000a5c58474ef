/** Writes a JSON object of long lists in portions, so that other requests do not wait until all of it is written. */
import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"

/** The number of items that are written at once, which takes a millisecond or two. */
const PORTION = 1_000

/** A member of the object: a list of any length. */
export interface LongList<Item> {
  readonly name: string
  readonly items: ReadonlyArray<Item>
  readonly write: (item: Item) => string
}

/** The text of the object: `head` has its first members. Every portion but the last has {@link PORTION} items more. */
const portionsOf = function* (head: string, lists: ReadonlyArray<LongList<any>>): Generator<string, string> {
  let text = head.slice(0, -1)
  let written = 0
  for (const { name, items, write } of lists) {
    text += `,${JSON.stringify(name)}:[`
    for (const [nth, item] of items.entries()) {
      text += nth === 0 ? write(item) : `,${write(item)}`
      if (++written % PORTION !== 0) continue
      yield text
      text = ""
    }
    text += "]"
  }
  return `${text}}`
}

const encoder = new TextEncoder()

/** One portion is written between two turns of the event loop, however many objects are. */
const turns = Semaphore.makeUnsafe(1)

/** An object whose members are those of `head`, a JSON object that is not empty, and the lists. Only a long one is a stream. */
export const objectInPortions = (
  head: string,
  lists: ReadonlyArray<LongList<any>>
): HttpBody.Uint8Array | HttpBody.Stream => {
  const portions = portionsOf(head, lists)
  const first = portions.next()
  if (first.done === true) return HttpBody.text(first.value, "application/json")
  const next = turns.withPermit(Effect.andThen(Effect.yieldNow, () => Effect.sync(() => portions.next())))
  const chunks = Stream.paginate(Effect.succeed<IteratorResult<string, string>>(first), (portion) =>
    Effect.map(
      portion,
      ({ value, done }) => [[encoder.encode(value)], done === true ? Option.none() : Option.some(next)] as const
    )
  )
  return HttpBody.stream(chunks, "application/json")
}
