import { type Allowance, AllowanceStore } from "@sojourn/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import { arrays } from "./columns.ts"
import { type Database, makeDatabase, StoreReadiness } from "./Database.ts"
import type { Batched } from "./lane/Batched.ts"
import { makeLane } from "./lane/Lane.ts"

/**
 * Spends for every name at once, and answers how much is used then and how long the window lasts, in milliseconds. It says in
 * SQL what `spend` says: a window that is over begins anew. The names are in order, so that servers do not hold each other up
 * crosswise.
 */
const SPEND = `
  insert into allowance as a (name, used, ends_at)
  select asked.name, asked.times, now() + asked.milliseconds * interval '1 millisecond'
  from unnest($1::text[], $2::int2[], $3::int8[]) as asked (name, times, milliseconds)
  order by asked.name
  on conflict (name) do update set
    used = case when a.ends_at <= now() then excluded.used else a.used + excluded.used end,
    ends_at = case when a.ends_at <= now() then excluded.ends_at else a.ends_at end
  returning name, used, ceil(extract(epoch from ends_at - now()) * 1000)::int8 as milliseconds`

interface SpentRow {
  readonly name: string
  readonly used: number
  readonly milliseconds: bigint
}

interface Asked {
  readonly name: string
  readonly allowance: Allowance
}

/** The waits of those who ask for one name, in their order: as many are granted as were left. */
const waits = (row: SpentRow, asked: ReadonlyArray<Asked>): ReadonlyArray<number> => {
  const before = row.used - asked.length
  return asked.map(({ allowance }, nth) => (before + nth < allowance.most ? 0 : Math.max(1, Number(row.milliseconds))))
}

const batched = (db: Database): Batched<Asked, number, never> => ({
  operation: "spend of allowances",
  run: (all) => {
    const byName = Map.groupBy(all, ({ name }) => name)
    const names = [...byName.keys()]
    const parameters = [
      arrays.texts(names, (name) => name),
      arrays.smallints(names, (name) => byName.get(name)!.length),
      arrays.bigints(names, (name) => BigInt(byName.get(name)![0]!.allowance.window))
    ]
    return Effect.map(db.run<SpentRow>(SPEND, parameters), (rows) => {
      const told = new Map<Asked, number>()
      for (const row of rows) {
        const asked = byName.get(row.name) ?? []
        waits(row, asked).forEach((wait, nth) => told.set(asked[nth]!, wait))
      }
      return all.map((asked) => Exit.succeed(told.get(asked) ?? 0))
    })
  }
})

/** How many spend by one statement, and how many may wait to. */
const BOUNDS = { largestBatch: 256, abreast: 1, mostWaiting: 10_000 } as const

/** How many names are known to have nothing left. */
const MOST_SPENT = 10_000

/** Forgets what is over now and then: it is of no use, and tells that somebody was there. */
const FORGET = "delete from allowance where ends_at < now()"

/**
 * Allowances in PostgreSQL, which several servers share. Requests of one moment spend together. A name that has nothing left is
 * refused without asking until its window is over, so that whoever asks too often costs the database nothing.
 */
export const layerAllowances: Layer.Layer<AllowanceStore, never, SqlClient.SqlClient> = Layer.effect(
  AllowanceStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const ready = yield* StoreReadiness
    const { db } = makeDatabase(sql, ready)
    const lane = yield* makeLane({ name: "allowances", ready, ...BOUNDS })
    const spending = batched(db)
    const clock = yield* Clock.Clock
    /** Until when a name has nothing left. */
    const spent = new Map<string, number>()

    const remember = (name: string, wait: number) => {
      if (wait === 0) return
      if (spent.size >= MOST_SPENT) spent.clear()
      spent.set(name, clock.currentTimeMillisUnsafe() + wait)
    }

    yield* Effect.forkScoped(Effect.repeat(Effect.ignore(sql.unsafe(FORGET)), Schedule.spaced("1 minute")))
    return {
      spend: (name, allowance) =>
        Effect.suspend(() => {
          const until = spent.get(name)
          if (until !== undefined) {
            const left = until - clock.currentTimeMillisUnsafe()
            if (left > 0 && left <= allowance.window) return Effect.succeed(left)
            spent.delete(name)
          }
          return Effect.tap(lane.ride(spending, { name, allowance }, { line: spending }), (wait) =>
            Effect.sync(() => remember(name, wait))
          )
        })
    }
  })
)
