/** Authenticates people by binding as them, and finds the id of the entry that was bound. */
import {
  type AuthenticationServerUrl,
  type DirectoryCredentials,
  DirectoryRefused,
  type OrgAuthServerId
} from "@sojourn/core"
import { Effect, Option, type Redacted } from "effect"
import type { Entry, Filter } from "ldapts"
import type { Connection } from "./Connection.ts"
import { isDistinguishedName } from "./DistinguishedName.ts"
import type { Failure } from "./Failures.ts"
import { hasId, hasIdValue, idAttributes, idOf, withoutAliases } from "./PersonEntries.ts"
import { ofLookup, ofPersonsBind, ofPersonsSearch, ofServiceBind } from "./ResultCodes.ts"
import type { ServerSettings } from "./Settings.ts"

/** An open connection to a server, with the server's settings. */
export interface DirectoryAccess {
  readonly connection: Connection
  readonly server: AuthenticationServerUrl
  readonly settings: ServerSettings
}

/** The entry of one person. */
interface Person {
  readonly dn: string
  readonly id: OrgAuthServerId
}

/** The identity of a bind on a server without "Who am I?". It is not empty, so it counts as not anonymous. */
const UNKNOWN_IDENTITY = "unknown"

/** Entries to ask for when exactly one is expected: enough to detect a second one beside aliases. */
const MAX_ENTRIES = 5

/** The entry of a complete search that found exactly one. A truncated search may have had more. */
const only = (entries: ReadonlyArray<Entry>, isComplete: boolean): Option.Option<Entry> => {
  const people = withoutAliases(entries)
  return isComplete && people.length === 1 ? Option.fromNullishOr(people[0]) : Option.none()
}

const refused = Effect.fail(new DirectoryRefused())

/** Finds the one person that a filter matches. Refuses when it matches none or several. */
const findOne = (
  { connection, server }: DirectoryAccess,
  place: { readonly base: string; readonly scope: AuthenticationServerUrl["scope"] },
  filter: Filter
) =>
  connection.search({ ...place, filter, attributes: idAttributes(server), most: MAX_ENTRIES }).pipe(
    Effect.flatMap(({ entries, isComplete }) =>
      Option.match(
        Option.flatMap(only(entries, isComplete), (entry) =>
          Option.map(idOf(entry, server), (id): Person => ({ dn: entry.dn, id }))
        ),
        { onNone: () => refused, onSome: Effect.succeed }
      )
    )
  )

/** Binds as the service account, if one is configured. */
const bindFinder = ({ connection, settings: { serviceAccount } }: DirectoryAccess) =>
  serviceAccount === undefined
    ? Effect.void
    : Effect.catchTag(connection.bind(serviceAccount.dn, serviceAccount.password), "NotSucceeded", (result) =>
        Effect.fail(ofServiceBind(result))
      )

/** Finds the person of a username below the URL's base, before the person signs in. */
const lookUp = Effect.fnUntraced(function* (
  access: DirectoryAccess,
  username: string
): Effect.fn.Return<Person, Failure> {
  yield* bindFinder(access)
  return yield* findOne(access, access.server, hasIdValue(access.server, username)).pipe(
    Effect.catchTag("NotSucceeded", (result) => Effect.fail(ofLookup(result)))
  )
})

/**
 * Binds as the person. The server is then asked for the bound identity, if it supports that: an anonymous one means that the
 * server did not check the password.
 */
const signIn = Effect.fnUntraced(function* (
  { connection }: DirectoryAccess,
  dn: string,
  password: Redacted.Redacted<string>
): Effect.fn.Return<void, Failure> {
  yield* Effect.catchTag(connection.bind(dn, password), "NotSucceeded", (result) => Effect.fail(ofPersonsBind(result)))
  const identity = yield* Effect.catchTag(connection.whoAmI, "NotSucceeded", () => Effect.succeed(UNKNOWN_IDENTITY))
  if (identity === "") return yield* new DirectoryRefused()
})

/** The distinguished name to bind with at once: the username itself, or the bind template's result. */
const nameOf = ({ settings: { bindTemplate } }: DirectoryAccess, username: string): string | undefined =>
  isDistinguishedName(username) ? username : bindTemplate?.nameOf(username)

/**
 * Returns the id of the entry with this name. The entry must lie below the URL's base, within its scope, and no other entry
 * there may have its id; otherwise two people could prove the same id. The service account searches if one is configured,
 * because it can see more than a person; else the bound person does.
 */
const identify = Effect.fnUntraced(function* (
  access: DirectoryAccess,
  dn: string
): Effect.fn.Return<OrgAuthServerId, Failure> {
  yield* bindFinder(access)
  const { server, settings } = access
  const mayNot = settings.serviceAccount === undefined ? ofPersonsSearch : ofLookup
  const own = yield* findOne(access, { base: dn, scope: "base" }, hasId(server)).pipe(
    // The name was authenticated but cannot be read, so it is not one of the visible people.
    Effect.catchTag("NotSucceeded", (result) => Effect.fail(ofPersonsBind(result)))
  )
  const known = yield* findOne(access, server, hasIdValue(server, own.id)).pipe(
    Effect.catchTag("NotSucceeded", (result) => Effect.fail(mayNot(result)))
  )
  return known.dn === own.dn && known.id === own.id ? known.id : yield* new DirectoryRefused()
})

/**
 * Binds the connection with the credentials. The account needs no id: an administrator may read a directory with an account
 * that is not a person's.
 */
export const bindAs = Effect.fnUntraced(function* (
  access: DirectoryAccess,
  { username, password }: DirectoryCredentials
): Effect.fn.Return<void, Failure> {
  const name = nameOf(access, username) ?? (yield* lookUp(access, username)).dn
  yield* signIn(access, name, password)
})

/** Authenticates a person and returns their id, in the directory's spelling. */
export const authenticate = Effect.fnUntraced(function* (
  access: DirectoryAccess,
  { username, password }: DirectoryCredentials
): Effect.fn.Return<OrgAuthServerId, Failure> {
  const name = nameOf(access, username)
  if (name === undefined) {
    const { dn, id } = yield* lookUp(access, username)
    yield* signIn(access, dn, password)
    return id
  }
  yield* signIn(access, name, password)
  return yield* identify(access, name)
})
