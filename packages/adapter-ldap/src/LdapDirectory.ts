import {
  AuthenticationServers,
  type AuthenticationServerUrl,
  type DirectoryCredentials,
  DirectoryRefused,
  DirectoryTimeout,
  type DirectoryUnreachable,
  type OrgAuthServerId,
  OrganizationDirectory
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { areWorthSending } from "./Credentials.ts"
import { ofEveryone, ofPeople } from "./Information.ts"
import { measured } from "./metrics.ts"
import type { InvalidOptions, Options } from "./Options.ts"
import { type Asking, authenticate, prove } from "./Proof.ts"
import { open, type Surroundings } from "./Session.ts"
import { keyOf, settingsOf } from "./Settings.ts"
import { makeSystemResolver } from "./SystemResolver.ts"
import { makeTurns } from "./Turns.ts"

/** Entries that proving one person takes: two searches, each for one too many. */
const FOR_ONE = 16

/** Entries that asking for so many people takes: some searches are made again in halves, and each finds some others. */
const forThese = (people: number): number => FOR_ONE + 10 * people

type Failure = DirectoryRefused | DirectoryUnreachable | DirectoryTimeout

/** The options as everything here needs them: checked, and with the policy that core has when they name none. */
export const surroundingsOf = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<Surroundings, InvalidOptions> {
  return {
    settings: yield* Effect.fromResult(settingsOf(options)),
    policy: options.policy ?? (yield* AuthenticationServers),
    resolve: options.resolve ?? makeSystemResolver()
  }
})

/**
 * Organizations' authentication servers over LDAP (contract, section 8).
 *
 * - Each question has a connection of its own, which is closed with it, at once when it is interrupted or out of time.
 * - The server is found anew for each question, and each of its addresses is checked before it is connected to.
 * - Referrals are not followed and aliases are not resolved: who is on another server, or below another base, is not there.
 * - `DirectoryRefused`: the credentials prove nobody, or may not read. `DirectoryTimeout`: the server was too slow.
 *   `DirectoryUnreachable`: everything else, with a reason that holds no name of a person, no password and no filter.
 *
 * Nothing is logged here. Fails with `InvalidOptions`.
 */
export const make = Effect.fnUntraced(function* (
  options: Options = {}
): Effect.fn.Return<OrganizationDirectory["Service"], InvalidOptions> {
  const surroundings = yield* surroundingsOf(options)
  const { settings } = surroundings
  const { limits } = settings
  const inTurn = makeTurns(limits)

  const ask = <A>(
    server: AuthenticationServerUrl,
    credentials: DirectoryCredentials,
    people: number,
    question: (asking: Asking) => Effect.Effect<A, Failure>
  ): Effect.Effect<A, Failure> =>
    !areWorthSending(credentials)
      ? Effect.fail(new DirectoryRefused())
      : open(server, surroundings, people).pipe(
          Effect.flatMap((connection) => question({ connection, server, settings: settings.of(server) })),
          Effect.scoped,
          (asked) => inTurn(keyOf(server), asked),
          Effect.timeoutOrElse({ duration: limits.total, orElse: () => Effect.fail(new DirectoryTimeout()) }),
          measured
        )

  return OrganizationDirectory.of({
    authenticate: (server, credentials) =>
      ask(server, credentials, FOR_ONE, (asking) => authenticate(asking, credentials)),
    information: (server, credentials, people: ReadonlyArray<OrgAuthServerId> | "everyone") =>
      ask(server, credentials, people === "everyone" ? limits.mostPeople : forThese(people.length), (asking) =>
        Effect.andThen(
          prove(asking, credentials),
          people === "everyone" ? ofEveryone(asking, limits.mostPeople) : ofPeople(asking, people)
        )
      )
  })
})

/** The {@link make} of these options, as a layer. */
export const layer = (options?: Options): Layer.Layer<OrganizationDirectory, InvalidOptions> =>
  Layer.effect(OrganizationDirectory, make(options))
