/** Pages of long lists: neither the store nor its caller holds a whole list at once. */
import * as Effect from "effect/Effect"

/**
 * A part of a list, in the order of the list. A store bounds it by its text: about {@link PAGE_TEXT} characters of tracking areas, and at
 * least one item where there is one.
 */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  /** Whether the list goes on after the last of these. */
  readonly hasMore: boolean
}

/** How many characters of tracking areas end a page. */
export const PAGE_TEXT = 256 * 1024

/** How many items a page has at most. */
export const PAGE_ITEMS = 1_000

/** All pages of a list, one after the other. */
export const allPages = <Id, A extends { readonly id: Id }, E>(
  pageAfter: (after?: Id) => Effect.Effect<Page<A>, E>
): Effect.Effect<ReadonlyArray<A>, E> =>
  Effect.gen(function* () {
    const all: Array<A> = []
    let page: Page<A>
    do {
      page = yield* pageAfter(all.at(-1)?.id)
      all.push(...page.items)
    } while (page.hasMore)
    return all
  })
