import {
  type AuthenticationServerUrl,
  type DirectoryCredentials,
  DirectoryRefused,
  type DirectoryTimeout,
  type DirectoryUnreachable,
  type OrgAuthServerId
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { type Entry, EqualityFilter, type Filter, PresenceFilter } from "ldapts"
import type { Connection } from "./Connection.ts"
import { isDistinguishedName } from "./DistinguishedName.ts"
import { idAttributes, idOf, withoutAliases } from "./Entries.ts"
import { ofLookup, ofPersonsBind, ofPersonsSearch, ofServiceBind } from "./Results.ts"
import type { ServerSettings } from "./Settings.ts"

type Failure = DirectoryRefused | DirectoryUnreachable | DirectoryTimeout

/** A conversation with a server, and how it is to be asked there. */
export interface Asking {
  readonly connection: Connection
  readonly server: AuthenticationServerUrl
  readonly settings: ServerSettings
}

/** An entry that stands for one person. */
interface Person {
  readonly dn: string
  readonly id: OrgAuthServerId
}

/** One too many to be the only one, and room for aliases beside it. */
const MOST_MATCHES = 5

/** Who holds the id attribute at all: what is no person mostly does not. */
export const hasId = ({ idAttribute }: AuthenticationServerUrl): Filter =>
  new PresenceFilter({ attribute: idAttribute })

/** Whose id is this, as the server compares ids. Nothing in the value is special: it is sent as bytes with their length. */
export const isCalled = ({ idAttribute }: AuthenticationServerUrl, value: string): Filter =>
  new EqualityFilter({ attribute: idAttribute, value })

/** The only entry, when there is exactly one. A search that was cut short may have had more. */
const only = (entries: ReadonlyArray<Entry>, isComplete: boolean): Option.Option<Entry> => {
  const people = withoutAliases(entries)
  return isComplete && people.length === 1 ? Option.fromNullishOr(people[0]) : Option.none()
}

const refused = Effect.fail(new DirectoryRefused())

/** The one person whom these filters find, or a refusal: of nobody and of several nobody is proven. */
const findOne = (
  { connection, server }: Asking,
  place: { readonly base: string; readonly scope: AuthenticationServerUrl["scope"] },
  filter: Filter
) =>
  connection.search({ ...place, filter, attributes: idAttributes(server), most: MOST_MATCHES }).pipe(
    Effect.flatMap(({ entries, isComplete }) =>
      Option.match(
        Option.flatMap(only(entries, isComplete), (entry) =>
          Option.map(idOf(entry, server), (id): Person => ({ dn: entry.dn, id }))
        ),
        { onNone: () => refused, onSome: Effect.succeed }
      )
    )
  )

/** Becomes the service account, where there is one. */
const becomeFinder = ({ connection, settings: { serviceAccount } }: Asking) =>
  serviceAccount === undefined
    ? Effect.void
    : Effect.catchTag(connection.bind(serviceAccount.dn, serviceAccount.password), "NotSucceeded", (result) =>
        Effect.fail(ofServiceBind(result))
      )

/** Finds the person of a username below the URL's base, before anybody is proven. */
const lookUp = Effect.fnUntraced(function* (asking: Asking, username: string): Effect.fn.Return<Person, Failure> {
  yield* becomeFinder(asking)
  return yield* findOne(asking, asking.server, isCalled(asking.server, username)).pipe(
    Effect.catchTag("NotSucceeded", (result) => Effect.fail(ofLookup(result)))
  )
})

/**
 * Signs the person in. The server is then asked whom it takes us for, where it can tell: one that takes us for nobody has
 * not looked at the password.
 */
const signIn = Effect.fnUntraced(function* (
  { connection }: Asking,
  dn: string,
  password: Redacted.Redacted<string>
): Effect.fn.Return<void, Failure> {
  yield* Effect.catchTag(connection.bind(dn, password), "NotSucceeded", (result) => Effect.fail(ofPersonsBind(result)))
  const whom = yield* Effect.catchTag(connection.whoAmI, "NotSucceeded", () => Effect.succeed("somebody"))
  if (whom === "") return yield* new DirectoryRefused()
})

/** The username as a distinguished name to bind at once, when it is one or the operator's template makes one of it. */
const nameOf = ({ settings: { bindTemplate } }: Asking, username: string): string | undefined =>
  isDistinguishedName(username) ? username : bindTemplate?.nameOf(username)

/**
 * The id of the entry with this name: of one that lies below the URL's base, within its scope, and whose id is nobody
 * else's there. Otherwise two people could prove the same id. The service account looks, where there is one, since it sees
 * more than a person; else whoever the conversation is of.
 */
const identify = Effect.fnUntraced(function* (asking: Asking, dn: string): Effect.fn.Return<OrgAuthServerId, Failure> {
  yield* becomeFinder(asking)
  const { server, settings } = asking
  const mayNot = settings.serviceAccount === undefined ? ofPersonsSearch : ofLookup
  const own = yield* findOne(asking, { base: dn, scope: "base" }, hasId(server)).pipe(
    // The name was proven, and is not there for us: it is none of the people whom we may know.
    Effect.catchTag("NotSucceeded", (result) => Effect.fail(ofPersonsBind(result)))
  )
  const known = yield* findOne(asking, server, isCalled(server, own.id)).pipe(
    Effect.catchTag("NotSucceeded", (result) => Effect.fail(mayNot(result)))
  )
  return known.dn === own.dn && known.id === own.id ? known.id : yield* new DirectoryRefused()
})

/**
 * Proves the credentials and leaves the conversation as their holder's. They need not be of anybody with an id: an
 * administrator may read a directory with an account that is no person's.
 */
export const prove = Effect.fnUntraced(function* (
  asking: Asking,
  { username, password }: DirectoryCredentials
): Effect.fn.Return<void, Failure> {
  const name = nameOf(asking, username) ?? (yield* lookUp(asking, username)).dn
  yield* signIn(asking, name, password)
})

/** The id of the person whom the credentials prove, as the directory spells it. */
export const authenticate = Effect.fnUntraced(function* (
  asking: Asking,
  { username, password }: DirectoryCredentials
): Effect.fn.Return<OrgAuthServerId, Failure> {
  const name = nameOf(asking, username)
  if (name === undefined) {
    const { dn, id } = yield* lookUp(asking, username)
    yield* signIn(asking, dn, password)
    return id
  }
  yield* signIn(asking, name, password)
  return yield* identify(asking, name)
})
