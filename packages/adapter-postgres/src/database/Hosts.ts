/** The pool of sessions of one host, or of whichever of several hosts is the primary. */
import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as PgPool from "@effect/sql-pg/PgPool"
import { Effect, Latch, type Scope } from "effect"
import { ConnectionError, isSqlError, SqlError } from "effect/sql/SqlError"
import { connect, type Socket } from "node:net"
import { neverCancelled } from "./neverCancelled.ts"

/** The sessions of a database with several hosts lead to one of them at a time. */
export interface Hosts {
  /** The pool of the host that is used; fails while none can be used. */
  readonly pool: Effect.Effect<PgPool.PgPool, SqlError>
}

/** How long after its answer a host or a node is asked again. */
export const ASK_INTERVAL = "250 millis"

/** How long its answer may take. */
export const ANSWER_TIMEOUT = "2 seconds"

/** The first eight digits of a file of the log are its timeline, which each promotion increases. */
const STATE = `
select pg_is_in_recovery() as is_standby,
  case when pg_is_in_recovery() then '0' else left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`

/** What a host answered last; undefined while it is away. */
export interface HostState {
  readonly isStandby: boolean
  /** The timeline of a primary; 0 of a standby. */
  readonly timeline: number
}

/** A host, whose sessions are closed when another takes over. */
export interface Host {
  /** Its address in the log. */
  readonly name: string
  readonly pool: PgPool.PgPool
  /** The open sockets of its sessions. */
  readonly sockets: Set<Socket>
  /** Whether sessions of it are used. */
  isUsed: boolean
  state: HostState | undefined
  /** Why it is away. */
  failure: SqlError | undefined
}

/** A failure of connecting. */
export const connectionError = (message: string): SqlError =>
  new SqlError({ reason: new ConnectionError({ cause: new Error(message), message, operation: "connect" }) })

/**
 * The host to use: the primary of the newest timeline, in use already or the first one. One of an older timeline than
 * `newest`, which was seen before, was replaced and is not used again. Undefined where there is none.
 */
export const chooseHost = <Candidate extends { readonly state: HostState | undefined }>(
  hosts: ReadonlyArray<Candidate>,
  current: Candidate | undefined,
  { newest, allowsStandby }: { readonly newest: number; readonly allowsStandby: boolean }
): Candidate | undefined => {
  /** The timeline of a host; -1 if the host cannot be used. */
  const timelineOf = ({ state }: Candidate) =>
    state === undefined || (state.isStandby && !allowsStandby) ? -1 : state.timeline
  const best = Math.max(...hosts.map(timelineOf))
  if (best < (allowsStandby ? 0 : newest)) return undefined
  const usable = hosts.filter((host) => timelineOf(host) === best)
  return usable.find((host) => host === current) ?? usable[0]
}

/** A pool whose sockets are known, so that they can be closed when another host takes over. */
export const makeHost = Effect.fnUntraced(function* (config: PgPool.Config) {
  const { host = "localhost", port = 5432 } = config
  const sockets = new Set<Socket>()
  const own: Omit<Host, "pool"> = {
    name: `${host}:${port}`,
    sockets,
    isUsed: false,
    state: undefined,
    failure: undefined
  }
  const stream = () => {
    // The host that was replaced may never answer: callers that wait for a session of it fail at once.
    if (!own.isUsed) throw new Error(`${own.name} is not the primary`)
    const socket = host.startsWith("/")
      ? connect({ path: `${host}/.s.PGSQL.${port}` })
      : connect({ host, port, noDelay: true })
    sockets.add(socket)
    return socket.once("close", () => sockets.delete(socket))
  }
  return Object.assign(own, { pool: yield* PgPool.make({ ...config, stream }) })
})

/** Why no host can be used: what an operator has to correct, such as a password, comes first. */
const noneUsable = (hosts: ReadonlyArray<Host>): SqlError => {
  const wrong = hosts.find(({ failure }) => failure !== undefined && failure.reason._tag !== "ConnectionError")
  if (wrong?.failure !== undefined) return wrong.failure
  const states = hosts.map(({ name, state, failure }) => {
    const { cause } = failure?.reason ?? {}
    const away = cause instanceof Error && cause.message !== "" ? cause.message : "no answer"
    return `${name}: ${state === undefined ? away : "a standby"}`
  })
  return connectionError(`no host is the primary: ${states.join("; ")}`)
}

/** Asks a host for its state on a session of its own, again and again. */
const watch = (host: Host, config: PgPool.Config, choose: Effect.Effect<void>) => {
  const setState = (state: HostState | undefined) =>
    Effect.andThen(
      Effect.sync(() => (host.state = state)),
      choose
    )
  const ask = (session: PgConnection.PgConnection) =>
    Effect.gen(function* () {
      const { rows } = yield* Effect.timeout(neverCancelled(session.query(STATE)), ANSWER_TIMEOUT)
      const { is_standby: isStandby, timeline } = rows[0] as { readonly is_standby: boolean; readonly timeline: string }
      yield* setState({ isStandby, timeline: Number.parseInt(timeline, 16) })
      yield* Effect.sleep(ASK_INTERVAL)
    })
  return PgConnection.make({ ...config, connectTimeout: ANSWER_TIMEOUT }).pipe(
    Effect.flatMap((session) => Effect.forever(ask(session))),
    Effect.scoped,
    Effect.tapError((error) =>
      Effect.sync(() => (host.failure = isSqlError(error) ? error : connectionError("no answer")))
    ),
    Effect.ensuring(setState(undefined)),
    Effect.ignore,
    Effect.andThen(Effect.sleep(ASK_INTERVAL)),
    Effect.forever
  )
}

/** Makes the pools of several hosts, and watches which of them is the primary. */
const makeSeveral = Effect.fnUntraced(function* (configs: ReadonlyArray<PgPool.Config>, allowsStandby: boolean) {
  const hosts = yield* Effect.forEach(configs, makeHost)
  /** Open once a host can be used, or all were asked. */
  const asked = Latch.makeUnsafe()
  let current: (typeof hosts)[number] | undefined
  let newest = 1
  const choose = Effect.suspend(() => {
    const next = chooseHost(hosts, current, { newest, allowsStandby })
    if (next === undefined && hosts.every(({ state, failure }) => state ?? failure)) return asked.open
    // While no other host can be used, the current one stays in use: it may be back before it answers its next question.
    if (next === undefined || next === current) return Effect.void
    newest = Math.max(newest, next.state!.timeline)
    const former = current
    current = next
    next.isUsed = true
    if (former === undefined) return asked.open
    former.isUsed = false
    // Statements at the former host fail now, and not at their timeouts.
    for (const socket of former.sockets) socket.destroy()
    return Effect.logWarning(`the database is at ${next.name} from now on`)
  })
  yield* Effect.forEach(hosts, (host, i) => Effect.forkScoped(watch(host, configs[i]!, choose)))
  const used = Effect.suspend(() =>
    current === undefined ? Effect.fail(noneUsable(hosts)) : Effect.succeed(current.pool)
  )
  return { pool: Effect.suspend(() => (current === undefined ? Effect.andThen(asked.await, used) : used)) }
})

/** How a database at one host or several is reached. */
export interface HostsConfig {
  /** One for each host. */
  readonly hosts: ReadonlyArray<PgPool.Config>
  /** Whether sessions of a standby are used as well. */
  readonly allowsStandby: boolean
}

/** Makes the sessions of a database at one host or several. */
export const makeHosts = ({ hosts, allowsStandby }: HostsConfig): Effect.Effect<Hosts, SqlError, Scope.Scope> =>
  hosts.length > 1
    ? makeSeveral(hosts, allowsStandby)
    : Effect.map(PgPool.make(hosts[0]!), (pool) => ({ pool: Effect.succeed(pool) }))
