/** The port `OrganizationDirectory` over LDAP. */
import {
  AuthenticationServers,
  type AuthenticationServerUrl,
  type DirectoryCredentials,
  DirectoryRefused,
  makeKeyedLimiter,
  type OrgAuthServerId,
  OrganizationDirectory
} from "@sojourn/core"
import { makeSystemResolver } from "@sojourn/outbound"
import { Effect, Layer, Redacted } from "effect"
import { LONGEST_NAME } from "./DistinguishedName.ts"
import { failAfter, type Failure, unreachable } from "./Failures.ts"
import { readEveryone, readPeople } from "./PersonQueries.ts"
import { measured } from "./metrics.ts"
import type { InvalidOptions, Options } from "./Options.ts"
import { authenticate, bindAs, type DirectoryAccess } from "./BindAuthentication.ts"
import { open, type ConnectionContext } from "./SecuredConnection.ts"
import { keyOf, settingsOf } from "./Settings.ts"

/** The longest password that is sent, in UTF-16 units. */
const LONGEST_PASSWORD = 4096

/** Servers written in C may end a text at a NUL, so a password that begins with one would be empty. */
const isSendable = (text: string, longest: number): boolean =>
  text !== "" && text.length <= longest && text.isWellFormed() && !text.includes("\u0000")

/**
 * Whether credentials can authenticate a person; others are not sent. A bind with an empty password is anonymous and succeeds
 * for every name (RFC 4513, section 5.1.2).
 */
const areWorthSending = ({ username, password }: DirectoryCredentials): boolean =>
  isSendable(username, LONGEST_NAME) && isSendable(Redacted.value(password), LONGEST_PASSWORD)

/** Entries needed to authenticate one person: two searches, each for more than one. */
const FOR_ONE = 16

/** Entries needed to read so many people: some searches are repeated in halves, and each may find others. */
const forThese = (people: number): number => FOR_ONE + 10 * people

/** Validates the options and adds the defaults, including core's policy. */
export const connectionContextOf = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<ConnectionContext, InvalidOptions> {
  return {
    settings: yield* Effect.fromResult(settingsOf(options)),
    policy: options.policy ?? (yield* AuthenticationServers),
    resolve: options.resolve ?? makeSystemResolver()
  }
})

/**
 * Organizations' authentication servers over LDAP (spec: accounts#authentication-servers).
 *
 * - Each question has its own connection, closed at its end, and at once on interruption or timeout.
 * - The server's name is resolved for each question, and each of its addresses is checked before connecting.
 * - Referrals are not followed and aliases are not resolved: people on another server, or below another base, are not found.
 * - `DirectoryRefused`: the credentials are wrong, or may not read. `DirectoryTimeout`: the server was too slow.
 *   `DirectoryUnreachable`: everything else, with a reason that holds no name of a person, no password and no filter.
 *
 * Nothing is logged here. Fails with `InvalidOptions`.
 */
export const make = Effect.fnUntraced(function* (
  options: Options = {}
): Effect.fn.Return<OrganizationDirectory["Service"], InvalidOptions> {
  const context = yield* connectionContextOf(options)
  const { settings } = context
  const { limits } = settings
  const limited = makeKeyedLimiter(
    {
      concurrency: limits.connectionsPerServer,
      mostOfKey: limits.connectionsPerServer + limits.waitingPerServer
    },
    () => unreachable("too many wait for this directory already")
  )

  const ask = <A>(
    server: AuthenticationServerUrl,
    credentials: DirectoryCredentials,
    people: number,
    question: (access: DirectoryAccess) => Effect.Effect<A, Failure>
  ): Effect.Effect<A, Failure> =>
    !areWorthSending(credentials)
      ? Effect.fail(new DirectoryRefused())
      : open(server, context, people).pipe(
          Effect.flatMap((connection) => question({ connection, server, settings: settings.of(server) })),
          Effect.scoped,
          (asked) => limited(keyOf(server), asked),
          failAfter(limits.total),
          measured
        )

  return OrganizationDirectory.of({
    authenticate: (server, credentials) =>
      ask(server, credentials, FOR_ONE, (access) => authenticate(access, credentials)),
    information: (server, credentials, people: ReadonlyArray<OrgAuthServerId> | "everyone") =>
      ask(server, credentials, people === "everyone" ? limits.mostPeople : forThese(people.length), (access) =>
        Effect.andThen(
          bindAs(access, credentials),
          people === "everyone" ? readEveryone(access, limits.mostPeople) : readPeople(access, people)
        )
      )
  })
})

/** The {@link make} of these options, as a layer. */
export const layer = (options?: Options): Layer.Layer<OrganizationDirectory, InvalidOptions> =>
  Layer.effect(OrganizationDirectory, make(options))
