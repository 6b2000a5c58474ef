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
  PermissionStore,
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
import type { Request, Caller } from "../commands.ts"
import { type Directory, PEOPLE, type StartDriver, type StartOracle } from "../Driver.ts"
import { MODEL_AREA_LIMITS } from "../grid.ts"
import { makeManualClock } from "../ManualClock.ts"
import { Names } from "../Names.ts"
import type { Answer, Observed } from "../outcomes.ts"
import { makePausing, withPauses } from "./pauses.ts"
import { makeServe } from "./serve.ts"
import { type Answered, makeTranslation } from "./translation.ts"

const directory: Directory = { known: "ldaps://directory.example.org/dc=example?uid?sub", password: "open sesame" }

/** The one authentication server there is, with all of `PEOPLE`. */
const layerDirectory = Layer.sync(OrganizationDirectory, () => {
  const prove = (
    server: AuthenticationServerUrl,
    { username, password }: DirectoryCredentials
  ): Effect.Effect<OrgAuthServerId, DirectoryRefused | DirectoryUnreachable> => {
    if (server.text !== directory.known) return Effect.fail(new DirectoryUnreachable({ reason: "no answer" }))
    const isProven = PEOPLE.some(({ person }) => person === username) && Redacted.value(password) === directory.password
    return isProven ? Effect.succeed(username as OrgAuthServerId) : Effect.fail(new DirectoryRefused())
  }
  return {
    authenticate: prove,
    information: (server, credentials, ids) =>
      Effect.as(
        prove(server, credentials),
        (ids === "everyone" ? PEOPLE.map(({ person }) => person) : [...new Set<string>(ids)]).flatMap((id) =>
          PEOPLE.filter(({ person }) => person === id).map(({ person, name, surname }) => ({
            orgAuthServerId: person as OrgAuthServerId,
            name,
            surname
          }))
        )
      )
  }
})

const succeeded = ({ value, tokens = [] }: Answered): Answer =>
  Array.isArray(value) && value.length === 0 ? { name: "Nothing", tokens } : { name: "Done", value, tokens }

/** Sweeps every organization. A failure is a defect: no model knows the state that it leaves. */
export const sweepAll = ({ sweep }: Sweeps["Service"]): Effect.Effect<void> =>
  Effect.flatMap(Effect.orDie(sweep(0)), ({ failures: [failure] }) =>
    failure === undefined ? Effect.void : Effect.die(failure)
  )

/** The use cases of the core on some stores, built anew. While `isContended`, their operations interleave. */
const startServices = Effect.fnUntraced(function* <S, E>(
  stores: Layer.Layer<Stores | S, E>,
  seed: number,
  isContended: () => boolean
) {
  const stored = yield* Effect.orDie(Layer.build(Layer.fresh(stores)))
  const pausing = makePausing(seed, isContended)
  const services = layerServices.pipe(
    Layer.provide([
      Layer.succeedContext(withPauses(stored, pausing)),
      layerDirectory,
      Layer.succeed(AreaLimitsInForce, MODEL_AREA_LIMITS),
      layerSecretKeysEphemeral
    ])
  )
  const context = yield* Effect.orDie(Layer.build(Layer.fresh(services)))
  const { clock, advance } = makeManualClock(yield* Clock.Clock)
  const presence = {
    feed: pausing(Context.get(stored, PresenceFeed)),
    capacities: pausing(Context.get(stored, CapacityStore)),
    webhooks: pausing(Context.get(stored, WebhookStore))
  }
  const translation = makeTranslation(new Names(), directory)
  const serve = yield* Effect.provideContext(makeServe(translation, presence), context)
  const administrators = Context.get(context, Administrators)
  const inTime = Effect.provideService(Clock.Clock, clock)
  return {
    stored,
    translation,
    advance,
    sweep: inTime(sweepAll(Context.get(context, Sweeps))),
    /** As the authentication of callers does: an administrator's account exists from the first call on. */
    signIn: (by: Caller): Effect.Effect<void> =>
      by.kind === "administrator"
        ? inTime(Effect.ignore(administrators.recordSignIn(Administrator(by.id as AdministratorId, by.mail as Mail))))
        : Effect.void,
    serve: (request: Request): Effect.Effect<Answer> =>
      // Labels are resolved when the request runs.
      Effect.suspend(() => serve(request)).pipe(
        Effect.map(succeeded),
        Effect.catch(({ _tag }) => Effect.succeed<Answer>({ name: _tag, tokens: [] })),
        inTime
      )
  }
})

/**
 * Drives the use cases on some stores, built anew for each run. `seed` decides how requests of one moment interleave.
 */
export const servicesDriver = <E>(stores: Layer.Layer<Stores, E>, seed: number): StartDriver =>
  Effect.gen(function* () {
    let inFlight = 0
    const { advance, sweep, signIn, serve } = yield* startServices(stores, seed, () => inFlight > 1)
    const perform = (request: Request): Effect.Effect<Observed> =>
      Effect.suspend(() => {
        inFlight++
        // All concurrent requests start before the first is answered.
        return Effect.andThen(Effect.yieldNow, Effect.andThen(signIn(request.by), serve(request)))
      }).pipe(
        Effect.catchCause((cause) => Effect.succeed<Observed>({ name: `defect: ${Cause.pretty(cause)}`, tokens: [] })),
        Effect.ensuring(Effect.sync(() => inFlight--))
      )
    return { wire: false, perform, advance, sweep }
  })

/** The use cases on stores that can go back, to compare other services with: `save` keeps what they store. */
export const servicesOracle = <S, E>(
  stores: Layer.Layer<Stores | S, E>,
  save: Effect.Effect<Effect.Effect<void>, never, S>
): StartOracle =>
  Effect.gen(function* () {
    const { stored, translation, ...services } = yield* startServices(stores, 0, () => false)
    return {
      ...services,
      permissionsIn: (organization) =>
        Effect.map(
          Effect.orDie(
            Context.get(stored, PermissionStore).listByOrganization(translation.organizationId(organization))
          ),
          (permissions) => permissions.map(translation.answer.permission)
        ),
      save: Effect.map(Effect.provideContext(save, stored), (back) => {
        const restore = translation.save()
        return Effect.andThen(back, Effect.sync(restore))
      })
    }
  })
