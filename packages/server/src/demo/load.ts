/** Loads the demo's organizations through the public interface, and completes a loading that was interrupted. */
import { OwnIssuer } from "@sojourn/adapter-jwt"
import { layerCredentials, makeClient } from "@sojourn/adapter-http/client"
import {
  Administrator,
  AdministratorId,
  type Caller,
  type LongestStay,
  Mail,
  Operator,
  OperatorId,
  type OrganizationId,
  OrganizationPremises,
  type PermissionLevel,
  type PlaceId,
  PlacePremises,
  type Retention,
  type TrackingMode,
  User,
  UserId
} from "@sojourn/core"
import { Effect, Option, Redacted } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { rectangle } from "./areas.ts"
import { CAMPUS } from "./campus.ts"
import type { Door } from "./doors.ts"
import { DEMO_SERVER } from "./people.ts"

/** An organization of the demo. */
interface Draft {
  readonly name: string
  readonly description: string
  readonly city: string
  readonly trackingMode: TrackingMode
  readonly authenticationServerURL?: string
  readonly trackingArea: string
  readonly capacity?: number
  readonly policy?: {
    readonly longestStay: LongestStay
    readonly retention: Retention
    readonly countedResetAt: string
  }
  /** A parent comes before its parts. */
  readonly places: ReadonlyArray<{
    readonly name: string
    readonly trackingArea: string
    readonly capacity?: number
    readonly level?: number
    readonly parent?: string
  }>
  /** Each counts at the organization, and at places by their names. */
  readonly devices?: ReadonlyArray<{ readonly name: string; readonly places: ReadonlyArray<string> }>
}

/** The organizations by what the demo calls them. */
const ORGANIZATIONS = {
  museum: {
    name: "Demo Museum",
    description: "Anyone may come and go: no visitor is known by name.",
    city: "Padova",
    trackingMode: "anonymous",
    trackingArea: rectangle(11.87, 45.39, 11.89, 45.41),
    places: [
      { name: "Picture gallery", trackingArea: rectangle(11.871, 45.391, 11.878, 45.399) },
      { name: "Garden", trackingArea: rectangle(11.88, 45.391, 11.888, 45.399) }
    ]
  },
  works: {
    name: "Demo Works",
    description: "People are known by their account on the works' own authentication server.",
    city: "Vicenza",
    trackingMode: "authenticated",
    authenticationServerURL: DEMO_SERVER,
    trackingArea: rectangle(11.53, 45.53, 11.56, 45.56),
    places: [{ name: "Workshop", trackingArea: rectangle(11.532, 45.532, 11.54, 45.54) }]
  },
  campus: CAMPUS
} as const satisfies { readonly [name: string]: Draft }

type OrganizationOfDemo = keyof typeof ORGANIZATIONS

export const ORGANIZATIONS_OF_DEMO = Object.keys(ORGANIZATIONS) as ReadonlyArray<OrganizationOfDemo>

const STAFF: ReadonlyArray<readonly [id: string, level: PermissionLevel]> = [
  ["demo-manager", "manager"],
  ["demo-viewer", "viewer"]
]

const OWNER = { administratorId: AdministratorId.make("demo-owner"), mail: Mail.make("owner@demo.example") }

/** The owner of the demo's organizations. */
export const DEMO_OWNER = Administrator(OWNER.administratorId, OWNER.mail)

/** How long the demo's tokens work, in seconds. */
const DEMO_TOKEN_SECONDS = 12 * 60 * 60

/** A caller of the demo: a token, and a client that sends it. */
const actor = Effect.fnUntraced(function* (baseUrl: string, key: OwnIssuer.SigningKey, caller: Caller) {
  const token = yield* OwnIssuer.mint(key, caller, { expiresIn: DEMO_TOKEN_SECONDS })
  const client = yield* Effect.provide(makeClient(baseUrl), layerCredentials(token))
  return { token: Redacted.value(token), client }
})

/** An organization of the demo that is there, with its places and the doors that are counted. */
export interface DemoOrganization {
  readonly id: OrganizationId
  readonly places: ReadonlyArray<{
    readonly id: PlaceId
    readonly name: string
    readonly parentId?: PlaceId | undefined
  }>
  readonly doors: ReadonlyArray<Door>
}

/** What is there of the demo: its organizations, and a token for each kind of caller. */
export interface Demo {
  readonly organizations: { readonly [name in OrganizationOfDemo]?: DemoOrganization }
  readonly tokens: { readonly [name in "user" | "owner" | "manager" | "viewer" | "operator"]: string }
}

/**
 * Loads the demo into the server at `baseUrl`, through its public API as any client would, and answers what of it is
 * there. It is loaded once: organizations that `loaded` names are left alone, whatever became of them since. Without
 * this information (none), those count as loaded that exist, if all do. A loading that was interrupted is completed.
 */
export const loadDemo = Effect.fnUntraced(function* (
  baseUrl: string,
  key: OwnIssuer.SigningKey,
  loaded: Option.Option<ReadonlySet<string>>
) {
  const administrator = (id: string) =>
    actor(baseUrl, key, Administrator(AdministratorId.make(id), Mail.make(`${id}@demo.example`)))
  const operator = yield* actor(baseUrl, key, Operator(OperatorId.make("demo-operator")))
  const user = yield* actor(baseUrl, key, User(UserId.make("demo-user")))
  const owner = yield* actor(baseUrl, key, DEMO_OWNER)
  const manager = yield* administrator("demo-manager")
  const viewer = yield* administrator("demo-viewer")

  const placesOf = (organizationId: OrganizationId) =>
    Effect.map(user.client.place.list({ params: { organizationId }, query: {} }), (places) => places ?? [])

  const doorsOf = (organizationId: OrganizationId) =>
    Effect.map(owner.client.device.list({ params: { organizationId } }), (devices) =>
      (devices ?? []).map(({ deviceId, premises }) => ({
        organizationId,
        deviceId,
        premises: premises.map(({ placeId }) =>
          placeId === undefined ? OrganizationPremises(organizationId) : PlacePremises(placeId)
        )
      }))
    )

  const idsByName = Effect.map(
    user.client.organization.list(),
    (all) => new Map((all ?? []).map(({ id, name }) => [name as string, id]))
  )

  const load = Effect.fnUntraced(function* (draft: Draft, id: OrganizationId | undefined) {
    const { places, devices = [], capacity, policy, ...organization } = draft
    const organizationId =
      id ?? (yield* operator.client.operator.createOrganization({ payload: { ...organization, owner: OWNER } })).id
    const params = { organizationId }
    if (policy !== undefined) yield* operator.client.operator.changeStayPolicy({ params, payload: policy })
    if (capacity !== undefined) {
      yield* owner.client.capacity.setOrganizationCapacity({ params, payload: { capacity } })
    }
    const there = new Map((yield* placesOf(organizationId)).map(({ id, name }) => [name as string, id]))
    for (const { capacity, parent, ...place } of places) {
      if (there.has(place.name)) continue
      const parentId = there.get(parent ?? "") ?? null
      const { id: placeId } = yield* owner.client.place.create({ payload: { organizationId, ...place, parentId } })
      there.set(place.name, placeId)
      if (capacity !== undefined) {
        yield* owner.client.capacity.setPlaceCapacity({ params: { placeId }, payload: { capacity } })
      }
    }
    const present = (yield* owner.client.device.list({ params })) ?? []
    for (const { name, places } of devices) {
      if (present.some((device) => device.name === name)) continue
      const premises = [{ organization: true as const }, ...places.map((place) => ({ placeId: there.get(place)! }))]
      yield* owner.client.device.create({ params, payload: { name, premises } })
    }
    const staff = yield* owner.client.administrator.list({ params })
    for (const [name, level] of STAFF) {
      const account = { administratorId: AdministratorId.make(name), mail: Mail.make(`${name}@demo.example`) }
      if (staff?.some(({ administratorId }) => administratorId === account.administratorId)) continue
      yield* Effect.ignore(operator.client.operator.registerAdministrator({ payload: account }))
      const binding = { organizationId, administratorId: account.administratorId, permission: level }
      yield* owner.client.administrator.bind({ payload: binding })
    }
  })

  const before = yield* idsByName
  const isLoaded = (name: OrganizationOfDemo) =>
    Option.match(loaded, {
      onSome: (names) => names.has(name),
      onNone: () => Object.values(ORGANIZATIONS).every((draft) => before.has(draft.name))
    })
  for (const name of ORGANIZATIONS_OF_DEMO) {
    const draft = ORGANIZATIONS[name]
    if (!isLoaded(name)) yield* load(draft, before.get(draft.name))
  }

  const after = yield* idsByName
  const organizations: { [name in OrganizationOfDemo]?: DemoOrganization } = {}
  for (const name of ORGANIZATIONS_OF_DEMO) {
    const id = after.get(ORGANIZATIONS[name].name)
    if (id === undefined) continue
    organizations[name] = { id, places: yield* placesOf(id), doors: yield* doorsOf(id) }
  }
  const tokens = {
    user: user.token,
    owner: owner.token,
    manager: manager.token,
    viewer: viewer.token,
    operator: operator.token
  }
  return { organizations, tokens } satisfies Demo
}, Effect.provide(FetchHttpClient.layer))
