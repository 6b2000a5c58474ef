/** Requests of the model. They name what the oracle issued; the ids and tokens of the service stand in their place when it is asked. */
import type {
  Accesses,
  AccountLinks,
  Administrators,
  Capacities,
  Caller,
  DeletionRequests,
  Favorites,
  Histories,
  Movements,
  Musters,
  Organizations,
  OrganizationId,
  PersonalData,
  PlaceId,
  Places,
  Premises,
  Presence,
  Reports,
  StayEndings,
  StayPolicies,
  Webhooks,
  Administrator
} from "@sojourn/core"
import { OrganizationPremises, PlacePremises } from "@sojourn/core"
import { Effect } from "effect"

/** What a service may issue for itself. */
export type Kind =
  | "organizationId"
  | "placeId"
  | "musterId"
  | "webhookId"
  | "requestId"
  | "exitToken"
  | "administratorId"

/** An id or a token that the oracle issued. */
export class Ref<Id> {
  readonly kind: Kind
  readonly id: Id
  constructor(kind: Kind, id: Id) {
    this.kind = kind
    this.id = id
  }
  toJSON(): string {
    return `${this.kind} ${String(this.id)}`
  }
}

export type OrganizationRef = Ref<OrganizationId>
export type PlaceRef = Ref<PlaceId>

/** Some premises. */
export type At = { readonly organization: OrganizationRef } | { readonly place: PlaceRef }

/** The same with the ids of one service. */
export type Plain<A> =
  A extends Ref<infer Id>
    ? Id
    : A extends string | number | bigint | boolean | null | undefined
      ? A
      : { readonly [K in keyof A]: Plain<A[K]> }

export const premises = (at: Plain<At>): Premises =>
  "place" in at ? PlacePremises(at.place) : OrganizationPremises(at.organization)

export type Outcome = Effect.Effect<unknown, { readonly _tag: string }>

/** Of an answer the fields that the interface of the service has as well. */
export const pick = (outcome: Outcome, fields: ReadonlyArray<string>): Outcome =>
  Effect.map(outcome, (value) =>
    Object.fromEntries(fields.map((field) => [field, (value as Record<string, unknown>)[field]]))
  )

/** Some methods of a use case, whatever they answer. */
type Some<Service, Name extends keyof Service> = {
  readonly [K in Name]: Service[K] extends (...operands: infer Operands) => unknown
    ? (...operands: Operands) => Outcome
    : never
}

/** The use cases that the model asks for. */
export interface Services {
  readonly accesses: Some<Accesses["Service"], "anonymous" | "own" | "ofPeople">
  readonly accountLinks: Some<AccountLinks["Service"], "link" | "unlink" | "information">
  readonly administrators: Some<
    Administrators["Service"],
    "register" | "bind" | "create" | "unbind" | "changeLevel" | "listByOrganization" | "listOwn"
  >
  readonly capacities: Some<Capacities["Service"], "set" | "get">
  readonly deletionRequests: Some<DeletionRequests["Service"], "request" | "list" | "approve" | "reject">
  readonly favorites: Some<Favorites["Service"], "add" | "remove" | "list">
  readonly histories: Some<Histories["Service"], "rows">
  readonly movements: Some<Movements["Service"], "track">
  readonly musters: Some<Musters["Service"], "inside" | "start" | "list" | "get" | "mark" | "end">
  readonly organizations: Some<
    Organizations["Service"],
    "create" | "edit" | "editTrackingArea" | "constrain" | "get" | "list"
  >
  readonly personalData: Some<PersonalData["Service"], "erase">
  readonly places: Some<Places["Service"], "create" | "edit" | "remove" | "list">
  readonly presence: Some<Presence["Service"], "counter">
  readonly reports: Some<Reports["Service"], "timePerUser">
  readonly stayEndings: Some<StayEndings["Service"], "end" | "clear">
  readonly stayPolicies: Some<StayPolicies["Service"], "change">
  readonly webhooks: Some<Webhooks["Service"], "create" | "list" | "remove" | "enable">
  readonly feed: {
    /** Publishes what is recorded and due, as servers do every now and then. Answers when the next may be published. */
    readonly publish: Outcome
    /** The events of an organization since the last reading, and its totals. */
    readonly read: (administrator: Administrator, organizationId: OrganizationId) => Outcome
    /** Adds what was published to the buckets of histories, and forgets minutes that are longer ago. */
    readonly keepHistory: (retention: number) => Outcome
    /** A server takes the webhooks that no other server holds, and delivers for them. None over HTTP, where no caller can ask for it. */
    readonly deliver?: (server: string, outcome: DeliveryOutcome) => Outcome
  }
}
export type DeliveryOutcome = "delivered" | "failed" | "gone"

export interface Request {
  readonly name: string
  readonly by: Caller
  /** Its operands, as plain JSON but for references. */
  readonly args: object
  readonly ask: (services: Services, args: any) => Outcome
  /** What a field `id` of the answer is an id of; "any": each service has its own. */
  readonly id: Kind | "any"
  /** Is the list in an order that each service may have of its own? */
  readonly isUnordered: boolean
}

export const request = <Args extends object>(
  name: string,
  by: Caller,
  args: Args,
  ask: (services: Services, args: Plain<Args>) => Outcome,
  { id = "any", isUnordered = false }: Partial<Pick<Request, "id" | "isUnordered">> = {}
): Request => ({ name, by, args, ask, id, isUnordered })

/** All references in a value. */
export const refsIn = (value: unknown): ReadonlyArray<Ref<unknown>> =>
  value instanceof Ref
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(refsIn)
      : []

/** An answer: of a success its value, else the tag of the refusal. */
export interface Answer {
  readonly name: string
  readonly value?: unknown
}
