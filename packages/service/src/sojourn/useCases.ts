/** The use cases of core as functions that return promises. */
import {
  Accesses,
  AccountLinks,
  Administrators,
  Capacities,
  Counting,
  DeletionRequests,
  Devices,
  Favorites,
  FloorPlans,
  Histories,
  Movements,
  Musters,
  Organizations,
  PersonalData,
  Places,
  Presence,
  Reports,
  SignIns,
  StayPolicies,
  Sweeps,
  Webhooks
} from "@sojourn/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

const SERVICES = {
  accesses: Accesses,
  accountLinks: AccountLinks,
  administrators: Administrators,
  capacities: Capacities,
  counting: Counting,
  deletionRequests: DeletionRequests,
  devices: Devices,
  favorites: Favorites,
  floorPlans: FloorPlans,
  histories: Histories,
  movements: Movements,
  musters: Musters,
  organizations: Organizations,
  personalData: PersonalData,
  places: Places,
  presence: Presence,
  reports: Reports,
  signIns: SignIns,
  stayPolicies: StayPolicies,
  sweeps: Sweeps,
  webhooks: Webhooks
} as const

type Services = typeof SERVICES

/** A service of core whose use cases return promises. A refusal rejects with its tagged error. */
export type Promised<Service> = {
  readonly [Name in keyof Service]: Service[Name] extends (
    ...operands: infer Operands
  ) => Effect.Effect<infer Answer, infer _Refusal>
    ? (...operands: Operands) => Promise<Answer>
    : Service[Name] extends Effect.Effect<infer Answer, infer _Refusal>
      ? () => Promise<Answer>
      : Service[Name]
}

/** The use cases of every service of core, by the service's name. */
export type UseCases = { readonly [Name in keyof Services]: Promised<Services[Name]["Service"]> }

/** The services that the use cases are of. */
export type UseCaseServices = Services[keyof Services]["Identifier"]

type Run = <A, E>(effect: Effect.Effect<A, E>) => Promise<A>

const promised = (service: object, run: Run) =>
  Object.fromEntries(
    Object.entries(service).map(([name, member]: [string, unknown]) => {
      if (Effect.isEffect(member)) return [name, () => run(member as Effect.Effect<unknown, unknown>)]
      if (typeof member !== "function") return [name, member]
      return [
        name,
        (...operands: ReadonlyArray<unknown>) =>
          run((member as (...operands: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>)(...operands))
      ]
    })
  )

/** Makes the promises of the use cases in a context. `run` runs each of them. */
export const useCasesIn = (context: Context.Context<UseCaseServices>, run: Run): UseCases =>
  Object.fromEntries(
    Object.entries(SERVICES).map(([name, service]) => [
      name,
      promised(Context.getUnsafe(context, service as Context.Service<UseCaseServices, object>), run)
    ])
  ) as unknown as UseCases
