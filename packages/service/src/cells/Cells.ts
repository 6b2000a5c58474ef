/** The cells of a service: which one holds what an id names, and how answers of several become one. */
import type { MovedId } from "@sojourn/adapter-postgres"
import {
  type CellNumber,
  type CellStore,
  type DeletionRequestId,
  type DeviceId,
  type MusterId,
  type Organization,
  type OrganizationId,
  type Page,
  PAGE_ITEMS,
  PAGE_TEXT,
  type PlaceId,
  type Premises,
  type StoreError,
  type Stores,
  type WebhookId
} from "@sojourn/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { makeMoves, movedIdOf, type Moves } from "./Moves.ts"

/** A cell, with the stores on its schema. */
export interface Cell {
  readonly number: CellNumber
  /** How many new organizations it gets in proportion to the others; none with 0. */
  readonly weight: number
  readonly stores: Context.Context<Stores | CellStore>
}

/** One port of the cell that holds what an id names; of the home cell where no cell does, which knows no such id. A call waits while it moves. */
export interface At<S> {
  readonly organization: (id: OrganizationId) => S
  readonly premises: (premises: Premises) => S
  readonly place: (id: PlaceId) => S
  readonly muster: (id: MusterId) => S
  readonly webhook: (id: WebhookId) => S
  readonly device: (id: DeviceId) => S
  readonly deletionRequest: (id: DeletionRequestId) => S
}

/** One port of all cells. */
export interface OfCells<S> {
  readonly home: S
  readonly all: ReadonlyArray<S>
  /** All but the home cell's. */
  readonly others: ReadonlyArray<S>
  readonly at: At<S>
  /** Runs what asks for some organizations, which do not move meanwhile: it learns the store of each, and whether that is the home cell's. */
  readonly within: <A, E, R>(
    organizationIds: ReadonlyArray<OrganizationId>,
    use: (storeOf: (id: OrganizationId) => S, isHome: (id: OrganizationId) => boolean) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | StoreError, R>
  /** Those items of a store's answer whose organization is in its cell, and not only a copy of a move that goes on. */
  readonly own: <A>(store: S, items: ReadonlyArray<A>, idOf: (item: A) => OrganizationId) => ReadonlyArray<A>
}

/** The cells, of which the first is the home cell. */
export interface Cells {
  readonly all: readonly [Cell, ...ReadonlyArray<Cell>]
  /** The cell that an organization is in, or was before the move that goes on. */
  readonly at: (id: OrganizationId) => Cell
  readonly moves: Moves
  readonly ports: <I extends Stores | CellStore, S extends object>(port: Context.Key<I, S>) => OfCells<S>
}

type Operation = (...operands: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>

export const makeCells = (all: Cells["all"]): Cells => {
  const moves = makeMoves()
  const byNumber = new Map(all.map((cell) => [cell.number, cell] as const))
  const [home] = all
  const cellOf = (named: MovedId): Cell =>
    Option.getOrElse(
      Option.flatMap(moves.find(named), ({ cell }) => Option.fromUndefinedOr(byNumber.get(cell))),
      () => home
    )
  const organization = (id: OrganizationId): MovedId => ({ kind: "organization", id })
  return {
    all,
    moves,
    at: (id) => cellOf(organization(id)),
    ports: <I extends Stores | CellStore, S extends object>(port: Context.Key<I, S>): OfCells<S> => {
      const stores = new Map(all.map((cell) => [cell, Context.get(cell.stores, port)] as const))
      const [first, ...others] = stores.values()
      /** The operations of a store, each of which finds the cell when it is called. */
      class Routed {
        readonly named: MovedId
        constructor(named: MovedId) {
          this.named = named
        }
      }
      for (const [name, member] of Object.entries(first!)) {
        if (typeof member !== "function") continue
        Object.defineProperty(Routed.prototype, name, {
          value(this: Routed, ...operands: ReadonlyArray<unknown>) {
            const { named } = this
            return moves.enter([named], () =>
              (stores.get(cellOf(named)) as unknown as Readonly<Record<string, Operation>>)[name]!(...operands)
            )
          }
        })
      }
      const routed = (named: MovedId) => new Routed(named) as unknown as S
      const at: At<S> = {
        organization: (id) => routed(organization(id)),
        premises: (premises) => routed(movedIdOf(premises)),
        place: (id) => routed({ kind: "place", id }),
        muster: (id) => routed({ kind: "muster", id }),
        webhook: (id) => routed({ kind: "webhook", id }),
        device: (id) => routed({ kind: "device", id }),
        deletionRequest: (id) => routed({ kind: "deletion_request", id })
      }
      const storeOf = (id: OrganizationId) => stores.get(cellOf(organization(id)))!
      return {
        home: first!,
        all: [first!, ...others],
        others,
        at,
        within: (organizationIds, use) =>
          moves.enter(organizationIds.map(organization), () => use(storeOf, (id) => cellOf(organization(id)) === home)),
        own: (store, items, idOf) => items.filter((item) => storeOf(idOf(item)) === store)
      }
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
  { moves }: Cells,
  { all, own }: OfCells<S>,
  question: (store: S) => Effect.Effect<ReadonlyArray<A>, E>,
  idOf: (item: A) => OrganizationId,
  order: (one: A, other: A) => number
): Effect.Effect<Array<A>, E | StoreError> =>
  moves.whole(
    Effect.map(
      ask(all, (store) => Effect.map(question(store), (items) => own(store, items, idOf))),
      (lists) => lists.flat().sort(order)
    )
  )

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
export const askHolders = <S, Item, A, E>(
  { within }: OfCells<S>,
  items: ReadonlyArray<Item>,
  idOf: (item: Item) => OrganizationId,
  question: (store: S, items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<A>, E>
) =>
  within(
    items.map(idOf),
    Effect.fnUntraced(function* (storeOf) {
      const asked = Map.groupBy(items.entries(), ([, item]) => storeOf(idOf(item)))
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
  )

export const byBigInt =
  <A>(idOf: (item: A) => bigint) =>
  (one: A, other: A): number => {
    const [a, b] = [idOf(one), idOf(other)]
    return a < b ? -1 : a > b ? 1 : 0
  }

/** The page of a list in the order of ids, by the pages of some cells after the same id. */
export const askPages = <S, A, E>(
  { moves }: Cells,
  { own }: Pick<OfCells<S>, "own">,
  stores: Effect.Effect<ReadonlyArray<S>, StoreError>,
  question: (store: S) => Effect.Effect<Page<A>, E>,
  idOf: (item: A) => bigint,
  organizationOf: (item: A) => Pick<Organization, "id" | "trackingArea">
): Effect.Effect<Page<A>, E | StoreError> =>
  moves.whole(
    Effect.map(
      Effect.flatMap(stores, (found) =>
        ask(found, (store) =>
          Effect.map(question(store), (page) => ({
            ...page,
            own: own(store, page.items, (item) => organizationOf(item).id)
          }))
        )
      ),
      (pages) => {
        const merged = pages.flatMap((page) => page.own).sort(byBigInt(idOf))
        // What a cell has after its page may come before the last items of others.
        const ends = pages.flatMap(({ items, hasMore }) => (hasMore ? [idOf(items.at(-1)!)] : []))
        const items: Array<A> = []
        let text = 0
        for (const item of merged) {
          if (text >= PAGE_TEXT || items.length >= PAGE_ITEMS || ends.some((end) => idOf(item) > end)) break
          items.push(item)
          text += organizationOf(item).trackingArea.text.length
        }
        return { items, hasMore: items.length < merged.length || ends.length > 0 }
      }
    )
  )
