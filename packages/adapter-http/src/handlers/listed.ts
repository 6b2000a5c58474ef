import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** A list as the interface answers it: 200 with its items, or 204 and nothing when it is empty. */
export const listed =
  <Item, Wire>(toWire: (item: Item) => Wire) =>
  <E, R>(list: Effect.Effect<ReadonlyArray<Item>, E, R>): Effect.Effect<ReadonlyArray<Wire> | undefined, E, R> =>
    Effect.map(list, (items) => (items.length === 0 ? undefined : items.map(toWire)))

/** The same list as the text of JSON that it is. */
export const listedAsText =
  <Item>(asJson: (items: ReadonlyArray<Item>) => string) =>
  <E, R>(list: Effect.Effect<ReadonlyArray<Item>, E, R>): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> =>
    Effect.map(list, (items) =>
      items.length === 0
        ? HttpServerResponse.empty({ status: 204 })
        : HttpServerResponse.text(asJson(items), { contentType: "application/json" })
    )

/** The same list from items that are JSON already: the schema would take longer over many than everything before it. */
export const listedAsJson =
  <Item, Json>(toJson: (item: Item) => Json) =>
  <E, R>(list: Effect.Effect<ReadonlyArray<Item>, E, R>): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> =>
    Effect.map(list, (items) =>
      items.length === 0
        ? HttpServerResponse.empty({ status: 204 })
        : HttpServerResponse.jsonUnsafe(items.map((item) => toJson(item)))
    )
