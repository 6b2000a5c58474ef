import { type AuthenticationServerUrl, DirectoryTimeout, DirectoryUnreachable } from "@sojourn/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { Client, type Entry, type Filter, ResultCodeError } from "ldapts"
import type { connect, Socket } from "node:net"
import { isDistinguishedName } from "./DistinguishedName.ts"
import { NotSucceeded, ResultCode } from "./Results.ts"
import type { SettledLimits } from "./Settings.ts"
import { Wire } from "./Wire.ts"

/** Why an operation has no answer that can be used. */
export type OperationFailure = NotSucceeded | DirectoryUnreachable | DirectoryTimeout

/** What to search for. */
export interface Query {
  readonly base: string
  readonly scope: AuthenticationServerUrl["scope"]
  readonly filter: Filter
  readonly attributes: ReadonlyArray<string>
  /** The most entries to answer. */
  readonly most: number
}

/** What a search found. */
export interface Found {
  readonly entries: ReadonlyArray<Entry>
  /** Are these all? The server may have had more than it was asked for, or than it gives. */
  readonly isComplete: boolean
}

/** A conversation with a directory, as one caller's alone. It begins as nobody's and ends with its scope. */
export interface Connection {
  /** From here on the conversation is this account's. The password is not empty: that would succeed for anybody. */
  readonly bind: (dn: string, password: Redacted.Redacted<string>) => Effect.Effect<void, OperationFailure>
  /** Whose conversation it is as the server sees it: empty for nobody's. Many servers cannot tell (RFC 4532). */
  readonly whoAmI: Effect.Effect<string, OperationFailure>
  readonly search: (query: Query) => Effect.Effect<Found, OperationFailure>
  /** The same in parts, until `isEnough` says so of the part just read or there are no more. */
  readonly searchInPages: (
    query: Query,
    isEnough: (page: ReadonlyArray<Entry>) => boolean
  ) => Effect.Effect<boolean, OperationFailure>
  /**
   * Asks for TLS, and answers the result's code. The conversation is over, and the socket is the caller's again: with code 0
   * what follows on it is the handshake.
   */
  readonly startTls: Effect.Effect<number, DirectoryUnreachable | DirectoryTimeout>
}

const WHO_AM_I = "1.3.6.1.4.1.4203.1.11.3"
const START_TLS = "1.3.6.1.4.1.1466.20037"

/** Entries in one part of a search. */
const PAGE_SIZE = 250

/** How much one connection may answer for each person that may be answered: the entry itself, and more than enough beside. */
const PER_PERSON = { bytes: 4096, messages: 10, values: 100 }

/** How much it may answer beside. */
const BESIDE = { bytes: 65_536, messages: 100, values: 1000 }

/** How long saying good-bye may take. */
const FAREWELL = Duration.millis(250)

const clientOn = (wire: Wire) =>
  new Client({
    // The name is never used: there is a connection already.
    url: "ldap://directory.invalid",
    // ldapts uses of a socket what a Wire has.
    createConnection: (() => wire as unknown as Socket) as typeof connect
  })

/**
 * A conversation over a socket that is connected, and secured if it is to be. It ends when the server says more than `people`
 * entries need.
 */
export const converse = (
  socket: Socket,
  limits: SettledLimits,
  people: number
): Effect.Effect<Connection, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const wire = new Wire(socket, {
          largestAnswer: Math.min(limits.largestAnswer, BESIDE.bytes + people * PER_PERSON.bytes),
          mostMessages: BESIDE.messages + people * PER_PERSON.messages,
          mostValues: BESIDE.values + people * PER_PERSON.values
        })
        return { wire, client: clientOn(wire) }
      }),
      ({ wire, client }, exit) => {
        if (wire.isDetached) return Effect.void
        const destroy = Effect.sync(() => wire.destroy())
        if (!Exit.isSuccess(exit)) return destroy
        // Who has an answer says good-bye, as servers like it. Anybody else just goes.
        const farewell = Effect.tryPromise(() => client.unbind()).pipe(Effect.timeout(FAREWELL), Effect.ignore)
        return Effect.ensuring(farewell, destroy)
      }
    ),
    ({ wire, client }) => connectionOver(wire, client, limits)
  )

const connectionOver = (wire: Wire, client: Client, limits: SettledLimits): Connection => {
  const failureOf = (error: unknown): OperationFailure => {
    if (wire.ending !== undefined) return new DirectoryUnreachable({ reason: wire.ending })
    if (error instanceof ResultCodeError) return new NotSucceeded({ code: error.code })
    return new DirectoryUnreachable({ reason: "the directory's answer cannot be read" })
  }
  const operation = <A>(run: () => Promise<A>): Effect.Effect<A, OperationFailure> =>
    Effect.tryPromise({ try: run, catch: failureOf }).pipe(
      Effect.timeoutOrElse({ duration: limits.operation, orElse: () => Effect.fail(new DirectoryTimeout()) })
    )

  const searchOptions = ({ scope, filter, attributes, most }: Query) => ({
    scope,
    filter,
    attributes: [...attributes],
    sizeLimit: most,
    timeLimit: Math.ceil(Duration.toSeconds(limits.operation))
  })
  const isComplete = () => wire.lastCode !== ResultCode.sizeLimitExceeded

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
      for (;;) {
        const page = yield* operation(() => pages.next())
        if (page.done === true) return isComplete()
        if (isEnough(page.value.searchEntries)) return false
      }
    }),
    startTls: operation(() => client.exop(START_TLS)).pipe(
      Effect.as<number>(ResultCode.success),
      Effect.catchTag("NotSucceeded", ({ code }) => Effect.succeed(code)),
      Effect.flatMap((code) =>
        // What came after the answer came before TLS, from anybody.
        wire.detach()
          ? Effect.succeed(code)
          : Effect.fail(new DirectoryUnreachable({ reason: "the directory speaks before TLS has begun" }))
      )
    )
  }
}
