/** The storage in a PostgreSQL at an address. A server may start before its database is available. */
import {
  countRateLimitServers,
  distributeSchema,
  type DatabaseAddress,
  issueIdsOf,
  layerClient,
  layerForgetRetryKeys,
  layerStores,
  migrate,
  requireNoCells,
  requireSchema,
  requireSettings,
  requireTokenKeys,
  StoreReadiness
} from "@sojourn/adapter-postgres"
import { type CellNumber, StoreError } from "@sojourn/core"
import { Effect, Layer, Metric, Schedule } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { layerFailed } from "../shared/StartupError.ts"
import { explain, hostOf, reasonOf } from "./explain.ts"
import { type LayerCell, Storage, type StorageOptions } from "./Storage.ts"

/** The interval between attempts to reach an unavailable database. */
const LOOK_AGAIN = "1 second"

/** How long `/health/ready` waits for the database. */
const READINESS_TIMEOUT = "2 seconds"

/** How often a cell is asked whether it answers. */
const CELL_INTERVAL = "1 second"

const cellReady = Metric.gauge("sojourn_cell_ready", { description: "1 while the cell answers, else 0, by its number" })

/** Whether the driver refused the address itself, such as one without a user: then its message is that of its cause. */
const isMisaddressed = ({ message, cause }: SqlError["reason"]): boolean =>
  cause instanceof Error && (message === `PgConnection: ${cause.message}` || "input" in cause)

/** Away for now: not reached, starting, stopping, or with no connection to spare (SQLSTATE classes 08, 53 and 57P). */
const isAway = ({ reason }: SqlError): boolean =>
  (reason._tag === "ConnectionError" && !isMisaddressed(reason)) ||
  /^(53|57P)/.test(String((reason.cause as { readonly code?: unknown } | undefined)?.code ?? ""))

/** What a database needs before the stores may be used. */
const prepare = (options: StorageOptions) =>
  Effect.gen(function* () {
    if (options.pooled === true) yield* requireSettings(options)
    if (options.migrate) yield* migrate
    else yield* requireSchema
    if (options.cell === undefined) yield* requireNoCells
    else yield* issueIdsOf(options.cell)
    if (options.citus === true && options.migrate) yield* distributeSchema
    yield* requireTokenKeys(options.keys)
  })

/**
 * Asks a cell again and again whether it answers, and says what it said last. What it is asked for while it is away fails at once: nothing
 * waits for it that also asks other cells.
 */
const watchCell = Effect.fnUntraced(function* (cell: CellNumber, isReachable: Effect.Effect<boolean>) {
  const ready = Metric.withAttributes(cellReady, { cell: String(cell) })
  let isThere = yield* isReachable
  yield* Metric.update(ready, isThere ? 1 : 0)
  const look = Effect.gen(function* () {
    const was = isThere
    isThere = yield* isReachable
    if (isThere === was) return
    yield* Metric.update(ready, isThere ? 1 : 0)
    yield* isThere
      ? Effect.logInfo(`cell ${cell} is there again`)
      : Effect.logWarning(`cell ${cell} is away: requests of its organizations are answered 503 until it is there`)
  })
  yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced(CELL_INTERVAL)))
  return () => isThere
})

/**
 * Every store in the database at an address. An unusable database is refused at once. With `onRefused`, the server starts without
 * an unavailable database: every store fails with `StoreError` until it is available.
 */
export const layerPostgres = (address: DatabaseAddress, options: StorageOptions): LayerCell => {
  const host = hostOf(address)
  const readiness = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    let isPrepared = false
    const preparation = Effect.tap(Effect.provideService(prepare(options), SqlClient.SqlClient, sql), () =>
      Effect.sync(() => (isPrepared = true))
    )
    const stillAway = (error: Effect.Error<typeof preparation>): error is SqlError =>
      error._tag === "SqlError" && isAway(error)

    const { onRefused } = options
    yield* Effect.catch(preparation, (error) => {
      if (onRefused === undefined || !stillAway(error)) return Effect.fail(explain(error, address))
      return Effect.logWarning(
        `the database${host === "" ? "" : ` at ${host}`} is away (${reasonOf(error)}): every request is answered 503 until it is there`
      ).pipe(
        Effect.andThen(
          Effect.retry(preparation, { while: stillAway, schedule: Schedule.spaced(LOOK_AGAIN) }).pipe(
            Effect.matchEffect({
              onFailure: (refused) => onRefused(explain(refused, address)),
              onSuccess: () => Effect.logInfo("the database is there")
            }),
            Effect.forkScoped
          )
        ),
        Effect.asVoid
      )
    })
    const away = new StoreError({ operation: "use the database", cause: "it is not there" })
    const isReachable = sql`select 1`.pipe(
      Effect.timeout(READINESS_TIMEOUT),
      Effect.match({ onFailure: () => false, onSuccess: () => true })
    )
    const countServers = Effect.provideService(countRateLimitServers, SqlClient.SqlClient, sql)
    if (options.cell === undefined) {
      return {
        countServers,
        ready: Effect.suspend(() => (isPrepared ? Effect.void : Effect.fail(away))),
        isReady: Effect.suspend(() => (isPrepared ? isReachable : Effect.succeed(false)))
      }
    }
    const isThere = yield* watchCell(
      options.cell,
      Effect.suspend(() => (isPrepared ? isReachable : Effect.succeed(false)))
    )
    return {
      countServers,
      ready: Effect.suspend(() => (isThere() ? Effect.void : Effect.fail(away))),
      isReady: Effect.sync(isThere)
    }
  })
  return Layer.unwrap(
    Effect.map(readiness, ({ ready, isReady, countServers }) => {
      const storage = {
        isReady,
        isForgetful: false,
        countRateLimitServers: Effect.provideService(countServers, StoreReadiness, ready)
      }
      return Layer.mergeAll(layerStores, layerForgetRetryKeys, Layer.succeed(Storage, storage)).pipe(
        Layer.provide(Layer.succeed(StoreReadiness, ready))
      )
    })
  ).pipe(
    Layer.provide(layerClient(address, options)),
    Layer.catch((error) => layerFailed(explain(error, address)))
  )
}
