/** Answers lists of any length with the memory of a few pages. */
import type { Page } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import { RawBody } from "../../pipeline/endpoint.ts"
import { compileJsonEncoder } from "../../wire/shared/jsonEncoder.ts"

/** How many pages of long lists are read and encoded at once, over all requests to an endpoint: each takes memory and time. */
const AT_ONCE = 2

/**
 * A list of any length as the interface answers it. One of a single page, as most are, is answered like any other list. Of
 * a longer one each page is read, encoded and written before the next one is read, and the event loop serves other requests
 * between two pages. The pages are of different moments: an item that comes or goes meanwhile is in the list or not.
 */
export const makeListedInPages = <Item extends { readonly id: unknown }, Wire extends Schema.Codec<any, any>>(
  wire: Wire,
  toWire: (item: Item) => Wire["Type"]
) => {
  const turns = Semaphore.makeUnsafe(AT_ONCE)
  const encode = compileJsonEncoder(wire)
  const encoder = new TextEncoder()

  /** The items of a page as JSON, without the brackets of the list. */
  const itemsOf = ({ items }: Page<Item>): string => items.map((item) => encode(toWire(item))).join(",")

  return <E, R>(pageAfter: (after?: Item["id"]) => Effect.Effect<Page<Item>, E, R>) =>
    Effect.gen(function* () {
      const first = yield* pageAfter()
      if (!first.hasMore) return first.items.length === 0 ? undefined : first.items.map((item) => toWire(item))

      const chunks = Stream.paginate(undefined as Item["id"] | undefined, (after) =>
        Semaphore.withPermit(
          turns,
          Effect.flatMap(after === undefined ? Effect.succeed(first) : pageAfter(after), (page) => {
            const items = itemsOf(page)
            const last = page.hasMore ? page.items.at(-1)?.id : undefined
            const text = (after === undefined ? "[" : items && ",") + items + (last === undefined ? "]" : "")
            return Effect.as(Effect.yieldNow, [[encoder.encode(text)], Option.fromUndefinedOr(last)] as const)
          })
        )
      )
      const context = yield* Effect.context<R>()
      return new RawBody(200, HttpBody.stream(Stream.provideContext(chunks, context), "application/json"))
    })
}
