/** Asks a directory in tests. */
import {
  type AuthenticationServerUrl,
  OrganizationDirectory,
  type OrgAuthServerId,
  parseAllowEntry,
  parseAuthenticationServerUrl
} from "@sojourn/core"
import { Effect, Redacted, Result } from "effect"
import { LdapDirectory, type Options } from "../src/index.ts"

export const url = (text: string): AuthenticationServerUrl => Result.getOrThrow(parseAuthenticationServerUrl(text))

/** A policy that lists these servers. */
export const allowing = (...servers: ReadonlyArray<string>) => ({
  allow: servers.map((server) => Result.getOrThrow(parseAllowEntry(server)))
})

export const credentials = (username: string, password: string) => ({ username, password: Redacted.make(password) })

export const ids = (...all: ReadonlyArray<string>) => all as ReadonlyArray<OrgAuthServerId>

/** A directory, its questions shortened to what tests say. */
export const asking = (options: Options, server: AuthenticationServerUrl) =>
  Effect.map(LdapDirectory.make(options), (directory: OrganizationDirectory["Service"]) => ({
    authenticate: (username: string, password: string) =>
      directory.authenticate(server, credentials(username, password)),
    information: (username: string, password: string, people: ReadonlyArray<string> | "everyone") =>
      directory.information(server, credentials(username, password), people === "everyone" ? people : ids(...people))
  }))

/** What came of a question: the answer, or the tag of the error. */
export const outcome = <A, E extends { readonly _tag: string }>(question: Effect.Effect<A, E>) =>
  Effect.match(question, { onSuccess: (answer): A | E["_tag"] => answer, onFailure: ({ _tag }) => _tag })
