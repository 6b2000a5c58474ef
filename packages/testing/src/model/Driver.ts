/** What stands between a run and a service: it asks in the words of the commands, and answers in them. */
import type { PermissionLevel } from "@sojourn/core"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { PasswordName, Request, ServerName, Who } from "./commands.ts"
import type { Answer, Seen } from "./outcomes.ts"

/** A service as a run meets it: empty at first, its clock at `BEGINNING`. It publishes events when it is asked to alone. */
export interface Driver {
  /** Does it check credentials and the kinds of callers? */
  readonly wire: boolean
  /** Asks once. It may be asked again before it has answered. */
  readonly perform: (request: Request) => Effect.Effect<Seen>
  /** Lets time pass on the service's clock, which stands still otherwise. */
  readonly advance: (milliseconds: number) => Effect.Effect<void>
  /** Does what stay policies say, as the service does now and then. */
  readonly sweep: Effect.Effect<void>
}

/** Starts a service for one run, which ends with the scope. */
export type StartDriver = Effect.Effect<Driver, never, Scope.Scope>

/** The service that others are compared with. It is asked one thing after the other, and can go back to where it was. */
export interface Oracle extends Omit<Driver, "wire" | "perform"> {
  /** Records that a caller has signed in, which comes before each request. */
  readonly signIn: (by: Who) => Effect.Effect<void>
  /** Answers a request of a caller who has signed in. */
  readonly serve: (request: Request) => Effect.Effect<Answer>
  readonly permissionsIn: (
    organization: string
  ) => Effect.Effect<ReadonlyArray<{ readonly administrator: string; readonly level: PermissionLevel }>>
  /** Keeps the state of now. The effect that it answers puts it back, as often as it is run; time does not go back. */
  readonly save: Effect.Effect<Effect.Effect<void>>
}

export type StartOracle = Effect.Effect<Oracle, never, Scope.Scope>

/** The authentication servers and passwords behind the names that commands give them. */
export interface Directory {
  /** The URL of the server that knows everybody of `PEOPLE`. */
  readonly known: string
  /** Everybody's right password. */
  readonly password: string
}

/** The URL that stands for a server. */
export const serverUrl = ({ known }: Directory, server: ServerName): string =>
  ({ known, silent: "ldaps://silent.example.org/dc=example?uid?sub", malformed: "http://directory.example.org/" })[
    server
  ]

/** The server that a URL stands for. */
export const serverName = (directory: Directory, url: string | undefined): string | undefined =>
  url === undefined
    ? undefined
    : url === directory.known
      ? "known"
      : url === serverUrl(directory, "silent")
        ? "silent"
        : url

export const passwordText = ({ password }: Directory, name: PasswordName): string =>
  ({ right: password, wrong: `not ${password}`, empty: "" })[name]
