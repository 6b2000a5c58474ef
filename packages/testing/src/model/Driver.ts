/** The interface between a run and a service, in the terms of the commands. */
import type { PermissionLevel } from "@sojourn/core"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { PasswordName, Request, ServerName, Caller } from "./commands.ts"
import type { Answer, Observed } from "./outcomes.ts"

/**
 * A service under test: empty at first, its clock at `BEGINNING`. It publishes events only on the command `Publish`.
 */
export interface Driver {
  /** Does it check credentials and the kinds of callers? */
  readonly wire: boolean
  /** Performs a request. Calls may be concurrent. */
  readonly perform: (request: Request) => Effect.Effect<Observed>
  /** Advances the service's clock, which stands still otherwise. */
  readonly advance: (milliseconds: number) => Effect.Effect<void>
  /** Applies the stay policies once. */
  readonly sweep: Effect.Effect<void>
}

/** Starts a service for one run, which ends with the scope. */
export type StartDriver = Effect.Effect<Driver, never, Scope.Scope>

/** The service that others are compared with. It takes one request at a time, and can return to an earlier state. */
export interface Oracle extends Omit<Driver, "wire" | "perform"> {
  /** Records that a caller has signed in, which comes before each request. */
  readonly signIn: (by: Caller) => Effect.Effect<void>
  /** Answers a request of a caller who has signed in. */
  readonly serve: (request: Request) => Effect.Effect<Answer>
  readonly permissionsIn: (
    organization: string
  ) => Effect.Effect<ReadonlyArray<{ readonly administrator: string; readonly level: PermissionLevel }>>
  /** Saves the state. The effect that it returns restores it, any number of times; the clock is not restored. */
  readonly save: Effect.Effect<Effect.Effect<void>>
}

export type StartOracle = Effect.Effect<Oracle, never, Scope.Scope>

/** The authentication servers and passwords behind the names that commands give them. */
export interface Directory {
  /** The URL of the server with all of `PEOPLE`. */
  readonly known: string
  /** The right password of each person. */
  readonly password: string
}

/** The URL of a named server. */
export const serverUrl = ({ known }: Directory, server: ServerName): string =>
  ({ known, silent: "ldaps://silent.example.org/dc=example?uid?sub", malformed: "http://directory.example.org/" })[
    server
  ]

/** The name of the server at a URL. */
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

/** The people of the authentication server in model runs, in the order in which it lists them. */
export const PEOPLE: ReadonlyArray<{ readonly person: string; readonly name: string; readonly surname: string }> = [
  { person: "ada", name: "Ada", surname: "Lovelace" },
  { person: "alan", name: "Alan", surname: "Turing" },
  { person: "grace", name: "Grace", surname: "Hopper" }
]
