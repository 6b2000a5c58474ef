import { Effect } from "effect"

/** The number of rows that are mapped before the event loop serves other requests. */
const PORTION_ROWS = 2_000

/** Maps rows, which may be very many. Between portions of them the event loop serves other requests. */
export const mapInPortions = <Row, A>(rows: ReadonlyArray<Row>, map: (row: Row) => A): Effect.Effect<Array<A>> =>
  Effect.gen(function* () {
    const mapped: Array<A> = []
    for (let from = 0; from < rows.length; from += PORTION_ROWS) {
      if (from > 0) yield* Effect.yieldNow
      for (const row of rows.slice(from, from + PORTION_ROWS)) mapped.push(map(row))
    }
    return mapped
  })
