import * as Effect from "effect/Effect"

/** A list as the interface answers it: 200 with its items, or 204 and nothing when it is empty. */
export const listed =
  <Item, Wire>(toWire: (item: Item) => Wire) =>
  <E, R>(list: Effect.Effect<ReadonlyArray<Item>, E, R>): Effect.Effect<ReadonlyArray<Wire> | undefined, E, R> =>
    Effect.map(list, (items) => (items.length === 0 ? undefined : items.map((item) => toWire(item))))
