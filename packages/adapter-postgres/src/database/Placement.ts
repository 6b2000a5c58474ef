/**
 * The pool of sessions of the node that has a schema which Citus distributes. Citus may move the schema at any time: the former node refuses
 * writes (see `place`), and the sessions to it are closed when the move is noticed.
 */
import * as PgConnection from "@effect/sql-pg/PgConnection"
import type * as PgPool from "@effect/sql-pg/PgPool"
import { type Duration, Effect, Latch, Schedule } from "effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { ANSWER_TIMEOUT, ASK_INTERVAL, connectionError, type Host, type Hosts, makeHost } from "./Hosts.ts"
import { neverCancelled } from "./neverCancelled.ts"
import { FIND, place, WATCH } from "./placement.sql.ts"
import { IDENTIFYING } from "./identifying.ts"

/** A schema that Citus distributes. */
export interface Placement {
  readonly schema: string
  /** A client of the coordinator. */
  readonly coordinator: SqlClient.SqlClient
}

/** The address of a node, as Citus knows it. */
interface Node {
  readonly host: string
  readonly port: number
}

interface WatchedRow extends Node {
  readonly is_block_used: boolean
}

/** How long it may take to make a schema usable. */
const PLACE_TIMEOUT = "15 seconds"

/** How long sessions of the former node go on: what they write is refused, and runs again on the next one. */
const GRACE = "1 second"

const nameOf = ({ host, port }: Node) => `${host}:${port}`

/** Makes the pools of the nodes that have the schema one after the other. The nodes are reached with the user of `config`. */
export const makePlaced = Effect.fnUntraced(function* (config: PgPool.Config, { schema, coordinator }: Placement) {
  const scope = yield* Effect.scope
  const hosts = new Map<string, Host>()
  /** Open from the first use on: the schema is migrated and distributed before. */
  const wanted = Latch.makeUnsafe()
  /** Open once the node is known, or could not be found. */
  const asked = Latch.makeUnsafe()
  let failure = connectionError("no answer")
  /** The node that is used; undefined while the schema is on its way. */
  let current: Host | undefined
  let last: { readonly node: Node; readonly host: Host } | undefined

  const configOf = (node: Node) => ({ ...config, ...node, path: undefined })

  const hostOf = Effect.fnUntraced(function* (node: Node) {
    const known = hosts.get(nameOf(node)) ?? (yield* makeHost(configOf(node)))
    hosts.set(nameOf(node), known)
    return known
  })

  const close = (former: Host) =>
    Effect.sync(() => {
      if (former === current) return
      former.isUsed = false
      for (const socket of former.sockets) socket.destroy()
    })

  const adopt = (node: Node, host: Host) =>
    Effect.gen(function* () {
      const former = last?.host
      last = { node, host }
      current = host
      host.isUsed = true
      yield* asked.open
      if (former === undefined || former === host) return
      yield* Effect.logWarning(`the schema ${schema} is at ${nameOf(node)} from now on`)
      yield* Effect.forkIn(Effect.delay(close(former), GRACE), scope)
    })

  /** Statements that begin from now on wait for the next node: this one would refuse them again and again. */
  const leave = Effect.suspend(() => {
    current = undefined
    return asked.close
  })

  const ask = (session: PgConnection.PgConnection) => answered(session.query(WATCH, [schema]), ANSWER_TIMEOUT)

  const placeOn = (session: PgConnection.PgConnection) =>
    answered(Effect.retry(session.query(place(schema, IDENTIFYING)), whenMoving), PLACE_TIMEOUT)

  /** Makes the schema usable on a node, and uses it until it is on another one, which is returned. */
  const follow = Effect.fnUntraced(function* (node: Node) {
    const host = yield* hostOf(node)
    const watching = Effect.gen(function* () {
      const session = yield* PgConnection.make({ ...configOf(node), connectTimeout: ANSWER_TIMEOUT })
      yield* placeOn(session)
      yield* adopt(node, host)
      let watched: WatchedRow = { ...node, is_block_used: false }
      while (nameOf(watched) === nameOf(node)) {
        if (watched.is_block_used) yield* placeOn(session)
        yield* Effect.sleep(ASK_INTERVAL)
        const [found] = (yield* ask(session)).rows as unknown as ReadonlyArray<WatchedRow>
        if (found === undefined) return yield* Effect.fail(missing(schema))
        watched = found
      }
      yield* leave
      return { host: watched.host, port: watched.port }
    })
    return yield* Effect.scoped(watching)
  })

  /** Asks the coordinator; while that is away, the node that had the schema last. */
  const find = Effect.flatMap(
    Effect.catch(coordinator.unsafe<Node>(FIND, [schema]), (error) =>
      last === undefined ? Effect.fail(error) : Effect.succeed([last.node])
    ),
    ([node]) => (node === undefined ? Effect.fail(missing(schema)) : Effect.succeed(node))
  )

  const followFrom = (node: Node): Effect.Effect<never, SqlError, Effect.Services<ReturnType<typeof follow>>> =>
    Effect.flatMap(follow(node), followFrom)

  yield* Effect.forkScoped(
    Effect.flatMap(find, followFrom).pipe(
      Effect.catch((error: SqlError) =>
        Effect.suspend(() => {
          failure = error
          return asked.open
        })
      ),
      Effect.andThen(Effect.sleep(ASK_INTERVAL)),
      Effect.forever,
      (following) => Effect.andThen(wanted.await, following)
    )
  )
  const used = Effect.suspend(() => (current === undefined ? Effect.fail(failure) : Effect.succeed(current.pool)))
  const found = Effect.andThen(Effect.andThen(wanted.open, asked.await), used)
  return { pool: Effect.suspend(() => (current === undefined ? found : used)) } satisfies Hosts
})

/** A node that is lost says nothing. */
const answered = <A>(statement: Effect.Effect<A, SqlError>, duration: Duration.Input) =>
  Effect.timeoutOrElse(neverCancelled(statement), { duration, orElse: () => Effect.fail(connectionError("no answer")) })

/** A move is committed node by node, so one may not know of it yet. */
const whenMoving = {
  while: ({ reason }: SqlError) => reason._tag === "SerializationError" || reason._tag === "DeadlockError",
  schedule: Schedule.spaced("20 millis"),
  times: 100
}

const missing = (schema: string) => connectionError(`Citus does not distribute the schema ${schema}`)
