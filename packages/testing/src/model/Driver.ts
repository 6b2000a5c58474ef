/** What stands between the model and a service: it asks in the words of the model, and answers in them. */
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { PasswordName, Request, ServerName } from "./commands.ts"
import type { Seen } from "./outcomes.ts"

/** The service as a run of the model meets it: empty at first, its clock at the world's beginning. */
export interface Driver {
  /** Does it check credentials and the kinds of callers? */
  readonly wire: boolean
  /** Does it keep musters and the feed of presence, and tell events when it is asked to alone? */
  readonly feed: boolean
  /** Asks once. It may be asked again before it has answered. */
  readonly perform: (request: Request) => Effect.Effect<Seen>
  /** Lets time pass on the service's clock, which stands still otherwise. */
  readonly advance: (milliseconds: number) => Effect.Effect<void>
  /** Does what stay policies say, as the service does now and then. */
  readonly sweep: Effect.Effect<void>
}

/** Starts a service for one run, which ends with the scope. */
export type StartDriver = Effect.Effect<Driver, never, Scope.Scope>

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
