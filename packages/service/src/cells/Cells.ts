/** The cells of a service: which one holds what an id names, and how answers of several become one. */
import { type CellNumber, cellOfId, type CellStore, type Page, PAGE_ITEMS, PAGE_TEXT, type Stores } from "@sojourn/core"
import { Context, Effect, Option } from "effect"

/** A cell, with the stores on its schema. */
export interface Cell {
  readonly number: CellNumber
  /** How many new organizations it gets in proportion to the others; none with 0. */
  readonly weight: number
  readonly stores: Context.Context<Stores | CellStore>
}

/** One port of all cells. */
export interface OfCells<S> {
  readonly home: S
  readonly all: ReadonlyArray<S>
  /** All but the home cell's. */
  readonly others: ReadonlyArray<S>
  /** The store of the cell that issued this id; the home cell's where no cell did, which knows no such id. */
  readonly at: (id: bigint) => S
}

/** The cells, of which the first is the home cell. */
export interface Cells {
  readonly all: readonly [Cell, ...ReadonlyArray<Cell>]
  readonly at: (id: bigint) => Cell
  readonly ports: <I extends Stores | CellStore, S>(port: Context.Key<I, S>) => OfCells<S>
}

export const makeCells = (all: Cells["all"]): Cells => {
  const byNumber = new Map(all.map((cell) => [cell.number, cell] as const))
  const [home] = all
  const at = (id: bigint): Cell =>
    Option.getOrElse(
      Option.flatMap(cellOfId(id), (number) => Option.fromUndefinedOr(byNumber.get(number))),
      () => home
    )
  return {
    all,
    at,
    ports: (port) => {
      const stores = new Map(all.map((cell) => [cell, Context.get(cell.stores, port)] as const))
      const [first, ...others] = stores.values()
      return { home: first!, all: [first!, ...others], others, at: (id) => stores.get(at(id))! }
    }
  }
}

/** Asks all cells at once. */
export const ask = <S, A, E, R>(
  stores: ReadonlyArray<S>,
  question: (store: S) => Effect.Effect<A, E, R>
): Effect.Effect<Array<A>, E, R> => Effect.forEach(stores, question, { concurrency: "unbounded" })

/** What a list of all cells is, in the order of the items. */
export const askAll = <S, A, E>(
  stores: ReadonlyArray<S>,
  question: (store: S) => Effect.Effect<ReadonlyArray<A>, E>,
  order: (one: A, other: A) => number
): Effect.Effect<Array<A>, E> => Effect.map(ask(stores, question), (lists) => lists.flat().sort(order))

/** Takes at most `most` in all, of one cell after the other, and answers how many. */
export const takeInTurn = Effect.fnUntraced(function* <S, E>(
  stores: ReadonlyArray<S>,
  most: number,
  take: (store: S, most: number) => Effect.Effect<number, E>
) {
  let taken = 0
  for (const store of stores) if (taken < most) taken += yield* take(store, most - taken)
  return taken
})

/** Asks each cell for those of the items that it holds, at once, and answers in the order of the items. */
export const askHolders = Effect.fnUntraced(function* <S, Item, A, E>(
  { at }: OfCells<S>,
  items: ReadonlyArray<Item>,
  idOf: (item: Item) => bigint,
  question: (store: S, items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<A>, E>
) {
  const asked = Map.groupBy(items.entries(), ([, item]) => at(idOf(item)))
  const answers: Array<A> = []
  yield* Effect.forEach(
    asked,
    ([store, own]) =>
      Effect.map(
        question(
          store,
          own.map(([, item]) => item)
        ),
        (answered) => answered.forEach((answer, n) => (answers[own[n]![0]] = answer))
      ),
    { concurrency: "unbounded" }
  )
  return answers
})

export const byBigInt =
  <A>(idOf: (item: A) => bigint) =>
  (one: A, other: A): number => {
    const [a, b] = [idOf(one), idOf(other)]
    return a < b ? -1 : a > b ? 1 : 0
  }

/** The page of a list in the order of ids, by the pages of some cells after the same id. */
export const askPages = <S, A, E>(
  stores: ReadonlyArray<S>,
  question: (store: S) => Effect.Effect<Page<A>, E>,
  idOf: (item: A) => bigint,
  textOf: (item: A) => string,
  limit = PAGE_ITEMS
): Effect.Effect<Page<A>, E> =>
  Effect.map(ask(stores, question), (pages) => {
    const merged = pages.flatMap(({ items }) => items).sort(byBigInt(idOf))
    // What a cell has after its page may come before the last items of others.
    const ends = pages.flatMap(({ items, hasMore }) => (hasMore ? [idOf(items.at(-1)!)] : []))
    const items: Array<A> = []
    let text = 0
    for (const item of merged) {
      if (text >= PAGE_TEXT || items.length >= limit || ends.some((end) => idOf(item) > end)) break
      items.push(item)
      text += textOf(item).length
    }
    return { items, hasMore: items.length < merged.length || ends.length > 0 }
  })
