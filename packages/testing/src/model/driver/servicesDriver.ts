/** Drives the use cases of one process, without HTTP, on any adapter of the stores. */
import {
  Administrator,
  type AdministratorId,
  Administrators,
  AreaLimitsInForce,
  type AuthenticationServerUrl,
  CapacityStore,
  type DirectoryCredentials,
  DirectoryRefused,
  DirectoryUnreachable,
  layerSecretKeysEphemeral,
  type Mail,
  type OrgAuthServerId,
  OrganizationDirectory,
  PresenceFeed,
  type Stores,
  Sweeps,
  WebhookStore,
  layerServices
} from "@sojourn/core"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Request } from "../commands.ts"
import type { Directory, StartDriver } from "../Driver.ts"
import { MODEL_AREA_LIMITS } from "../ground.ts"
import { makeHandClock } from "../HandClock.ts"
import { Names } from "../Names.ts"
import type { Seen } from "../outcomes.ts"
import { PEOPLE } from "../people.ts"
import { layerPauses, makePausing } from "./pauses.ts"
import { makeServe } from "./serve.ts"
import { sweepAll } from "./sweepAll.ts"
import { type Answered, makeWords } from "./words.ts"

const directory: Directory = { known: "ldaps://directory.example.org/dc=example?uid?sub", password: "open sesame" }

/** The one authentication server there is, with everybody of `PEOPLE`. */
const layerDirectory = Layer.sync(OrganizationDirectory, () => {
  const prove = (
    server: AuthenticationServerUrl,
    { username, password }: DirectoryCredentials
  ): Effect.Effect<OrgAuthServerId, DirectoryRefused | DirectoryUnreachable> => {
    if (server.text !== directory.known) return Effect.fail(new DirectoryUnreachable({ reason: "nobody answers" }))
    const isProven = PEOPLE.some(({ person }) => person === username) && Redacted.value(password) === directory.password
    return isProven ? Effect.succeed(username as OrgAuthServerId) : Effect.fail(new DirectoryRefused())
  }
  return {
    authenticate: prove,
    information: (server, credentials, asked) =>
      Effect.as(
        prove(server, credentials),
        (asked === "everyone" ? PEOPLE.map(({ person }) => person) : [...new Set<string>(asked)]).flatMap((id) =>
          PEOPLE.filter(({ person }) => person === id).map(({ person, name, surname }) => ({
            orgAuthServerId: person as OrgAuthServerId,
            name,
            surname
          }))
        )
      )
  }
})

const succeeded = ({ value, tokens = [] }: Answered): Seen =>
  Array.isArray(value) && value.length === 0 ? { name: "Nothing", tokens } : { name: "Done", value, tokens }

/** The use cases of the core on some stores, each run on stores built anew. `seed` decides how races interleave. */
export const servicesDriver = <E>(stores: Layer.Layer<Stores, E>, seed: number): StartDriver =>
  Effect.gen(function* () {
    let asked = 0
    const pausing = makePausing(seed, () => asked > 1)
    const stored = yield* Effect.orDie(Layer.build(Layer.fresh(stores)))
    const services = layerServices.pipe(
      Layer.provide([
        layerPauses(pausing).pipe(Layer.provide(Layer.succeedContext(stored))),
        layerDirectory,
        Layer.succeed(AreaLimitsInForce, MODEL_AREA_LIMITS),
        layerSecretKeysEphemeral
      ])
    )
    const context = yield* Effect.orDie(Layer.build(Layer.fresh(services)))
    const { clock, advance } = makeHandClock(yield* Clock.Clock)
    const presence = {
      feed: pausing(Context.get(stored, PresenceFeed)),
      capacities: pausing(Context.get(stored, CapacityStore)),
      webhooks: pausing(Context.get(stored, WebhookStore))
    }
    const serve = yield* Effect.provideContext(makeServe(makeWords(new Names(), directory), presence), context)
    const administrators = yield* Effect.provideContext(Administrators, context)
    const sweeps = yield* Effect.provideContext(Sweeps, context)

    /** As the authentication of callers does: an administrator's account exists from the first call on. */
    const signIn = ({ by }: Request) =>
      by.kind === "administrator"
        ? Effect.ignore(
            administrators.recordSignIn(Administrator(by.id as AdministratorId, by.mail as Mail | undefined))
          )
        : Effect.void

    const perform = (request: Request): Effect.Effect<Seen> =>
      Effect.suspend(() => {
        asked++
        // Requests at one moment all come before the first is answered.
        return Effect.andThen(Effect.yieldNow, Effect.andThen(signIn(request), serve(request)))
      }).pipe(
        Effect.map(succeeded),
        Effect.catch(({ _tag }): Effect.Effect<Seen> => Effect.succeed({ name: _tag, tokens: [] })),
        Effect.catchCause((cause): Effect.Effect<Seen> =>
          Effect.succeed({ name: `defect: ${Cause.pretty(cause)}`, tokens: [] })
        ),
        Effect.ensuring(Effect.sync(() => asked--)),
        Effect.provideService(Clock.Clock, clock)
      )
    const sweep = Effect.provideService(sweepAll(sweeps), Clock.Clock, clock)
    return { wire: false, feed: true, perform, advance, sweep }
  })
