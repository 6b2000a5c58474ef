/** A connection to an LDAP server: bind, search, and how they fail. */
import type { AuthenticationServerUrl } from "@sojourn/core"
import { Duration, Effect, Exit, Redacted, type Scope } from "effect"
import { Client, type Entry, type Filter, ResultCodeError } from "ldapts"
import type { connect, Socket } from "node:net"
import { isDistinguishedName } from "./DistinguishedName.ts"
import { failAfter, type NoAnswer, unreachable } from "./Failures.ts"
import { NotSucceeded, ResultCode } from "./ResultCodes.ts"
import type { ResolvedLimits } from "./Settings.ts"
import { CheckedStream } from "./CheckedStream.ts"

/** Why an operation has no usable answer. */
export type OperationFailure = NotSucceeded | NoAnswer

/** What to search for. */
export interface Query {
  readonly base: string
  readonly scope: AuthenticationServerUrl["scope"]
  readonly filter: Filter
  readonly attributes: ReadonlyArray<string>
  /** The most entries to answer. */
  readonly most: number
}

/** The result of a search. */
export interface Found {
  readonly entries: ReadonlyArray<Entry>
  /** Whether these are all. The search or the server's own limit may have truncated them. */
  readonly isComplete: boolean
}

/** An LDAP connection used for one caller only. It starts unbound and closes with its scope. */
export interface Connection {
  /** Binds as this account. The password must not be empty: such a bind succeeds for every name. */
  readonly bind: (dn: string, password: Redacted.Redacted<string>) => Effect.Effect<void, OperationFailure>
  /** The bound identity (RFC 4532): empty for an anonymous one. Many servers do not support it. */
  readonly whoAmI: Effect.Effect<string, OperationFailure>
  readonly search: (query: Query) => Effect.Effect<Found, OperationFailure>
  /** Searches page by page, until `isEnough` is true for a page or there are no more. Returns whether all were read. */
  readonly searchInPages: (
    query: Query,
    isEnough: (page: ReadonlyArray<Entry>) => boolean
  ) => Effect.Effect<boolean, OperationFailure>
  /**
   * Requests StartTLS and returns the result code. Afterwards the connection is unusable and the caller owns the socket; with
   * code 0 the TLS handshake follows on it.
   */
  readonly startTls: Effect.Effect<number, NoAnswer>
}

const WHO_AM_I = "1.3.6.1.4.1.4203.1.11.3"
const START_TLS = "1.3.6.1.4.1.1466.20037"

/** Entries per page of a search. */
const PAGE_SIZE = 250

/** The bounds of the answers to one connection for each expected person, with a generous margin. */
const PER_PERSON = { bytes: 4096, messages: 10, values: 100 }

/** The bounds of its other answers. */
const BESIDE = { bytes: 65_536, messages: 100, values: 1000 }

/** The timeout of the unbind request. */
const FAREWELL = Duration.millis(250)

const clientOn = (stream: CheckedStream) =>
  new Client({
    // The name is never used: the socket is already connected.
    url: "ldap://directory.invalid",
    // A CheckedStream has all members of a socket that ldapts uses.
    createConnection: (() => stream as unknown as Socket) as typeof connect
  })

/**
 * Starts an LDAP connection on a connected socket, secured if required. It closes when the server sends more than `people`
 * entries need.
 */
export const converse = (
  socket: Socket,
  limits: ResolvedLimits,
  people: number
): Effect.Effect<Connection, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const stream = new CheckedStream(socket, {
          largestAnswer: Math.min(limits.largestAnswer, BESIDE.bytes + people * PER_PERSON.bytes),
          mostMessages: BESIDE.messages + people * PER_PERSON.messages,
          mostValues: BESIDE.values + people * PER_PERSON.values
        })
        return { stream, client: clientOn(stream) }
      }),
      ({ stream, client }, exit) => {
        if (stream.isDetached) return Effect.void
        const destroy = Effect.sync(() => stream.destroy())
        if (!Exit.isSuccess(exit)) return destroy
        // Unbind only after success; otherwise close at once.
        const farewell = Effect.tryPromise(() => client.unbind()).pipe(Effect.timeout(FAREWELL), Effect.ignore)
        return Effect.ensuring(farewell, destroy)
      }
    ),
    ({ stream, client }) => connectionOver(stream, client, limits)
  )

const connectionOver = (stream: CheckedStream, client: Client, limits: ResolvedLimits): Connection => {
  const failureOf = (error: unknown): OperationFailure => {
    if (stream.ending !== undefined) return unreachable(stream.ending)
    if (error instanceof ResultCodeError) return new NotSucceeded({ code: error.code })
    return unreachable("the directory's answer cannot be read")
  }
  const operation = <A>(run: () => Promise<A>): Effect.Effect<A, OperationFailure> =>
    Effect.tryPromise({ try: run, catch: failureOf }).pipe(failAfter(limits.operation))

  const searchOptions = ({ scope, filter, attributes, most }: Query) => ({
    scope,
    filter,
    attributes: [...attributes],
    sizeLimit: most,
    timeLimit: Math.ceil(Duration.toSeconds(limits.operation))
  })
  const isComplete = () => stream.lastCode !== ResultCode.sizeLimitExceeded

  return {
    bind: (dn, password) =>
      // ldapts takes "EXTERNAL" and its like for names of SASL mechanisms. They are no distinguished names.
      isDistinguishedName(dn)
        ? operation(() => client.bind(dn, Redacted.value(password)))
        : Effect.fail(new NotSucceeded({ code: ResultCode.invalidDNSyntax })),
    whoAmI: Effect.map(
      operation(() => client.exop(WHO_AM_I)),
      ({ value }) => value ?? ""
    ),
    search: (query) =>
      Effect.map(
        operation(() => client.search(query.base, searchOptions(query))),
        ({ searchEntries }) => ({ entries: searchEntries, isComplete: isComplete() })
      ),
    searchInPages: Effect.fnUntraced(function* (query, isEnough) {
      const pages = client.searchPaginated(query.base, {
        ...searchOptions(query),
        paged: { pageSize: Math.min(PAGE_SIZE, query.most) }
      })
      const next = operation(() => pages.next())
      let page = yield* next
      while (page.done !== true) {
        if (isEnough(page.value.searchEntries)) return false
        page = yield* next
      }
      return isComplete()
    }),
    startTls: operation(() => client.exop(START_TLS)).pipe(
      Effect.as<number>(ResultCode.success),
      Effect.catchTag("NotSucceeded", ({ code }) => Effect.succeed(code)),
      Effect.flatMap((code) =>
        // Bytes after the answer were sent before TLS, so anyone on the network may have sent them.
        stream.detach() ? Effect.succeed(code) : Effect.fail(unreachable("the directory speaks before TLS has begun"))
      )
    )
  }
}
