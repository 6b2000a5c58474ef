import { OwnIssuer } from "@sojourn/adapter-jwt"
import { layerCredentials, makeClient } from "@sojourn/adapter-http/client"
import {
  Administrator,
  AdministratorId,
  type Caller,
  Mail,
  Operator,
  OperatorId,
  type OrganizationId,
  type PermissionLevel,
  type PlaceId,
  User,
  UserId
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { rectangle } from "./areas.ts"
import { DEMO_SERVER } from "./people.ts"

const ORGANIZATIONS = [
  {
    name: "Demo Museum",
    description: "Anybody may come and go: nobody is known by name.",
    city: "Padova",
    trackingMode: "anonymous",
    trackingArea: rectangle(11.87, 45.39, 11.89, 45.41),
    places: [
      { name: "Picture gallery", trackingArea: rectangle(11.871, 45.391, 11.878, 45.399) },
      { name: "Garden", trackingArea: rectangle(11.88, 45.391, 11.888, 45.399) }
    ]
  },
  {
    name: "Demo Works",
    description: "People are known by their account on the works' own authentication server.",
    city: "Vicenza",
    trackingMode: "authenticated",
    authenticationServerURL: DEMO_SERVER,
    trackingArea: rectangle(11.53, 45.53, 11.56, 45.56),
    places: [{ name: "Workshop", trackingArea: rectangle(11.532, 45.532, 11.54, 45.54) }]
  }
] as const

const STAFF: ReadonlyArray<readonly [id: string, level: PermissionLevel]> = [
  ["demo-manager", "manager"],
  ["demo-viewer", "viewer"]
]

const OWNER = { administratorId: AdministratorId.make("demo-owner"), mail: Mail.make("owner@demo.example") }

/** How long the demo's tokens work, in seconds. */
const DEMO_TOKEN_LIFETIME = 12 * 60 * 60

/** A caller of the demo: a token, and a client that sends it. */
const actor = Effect.fnUntraced(function* (baseUrl: string, key: OwnIssuer.SigningKey, caller: Caller) {
  const token = yield* OwnIssuer.mint(key, caller, { expiresIn: DEMO_TOKEN_LIFETIME })
  const client = yield* Effect.provide(makeClient(baseUrl), layerCredentials(token))
  return { token: Redacted.value(token), client }
})

/** What the demo left behind: organizations with their places, and a token for each kind of caller. */
export interface Demo {
  readonly organizations: ReadonlyArray<{ readonly id: OrganizationId; readonly places: ReadonlyArray<PlaceId> }>
  readonly tokens: { readonly [name in "user" | "owner" | "manager" | "viewer" | "operator"]: string }
}

/** Is an organization of the demo there, and if so, which is it? */
const findDemo = (known: ReadonlyArray<{ readonly id: OrganizationId; readonly name: string }>) =>
  ORGANIZATIONS.map((draft) => ({ draft, id: known.find(({ name }) => name === draft.name)?.id }))

/**
 * Loads the demo into the server at `baseUrl`, through its public API as any client would, and answers what of it is
 * there. It is loaded once: where `isLoaded` says that it was, nothing is made, whatever became of it since. Without
 * this information (none), it counts as loaded when its organizations exist. A loading that was interrupted is completed.
 */
export const loadDemo = Effect.fnUntraced(function* (
  baseUrl: string,
  key: OwnIssuer.SigningKey,
  isLoaded: Option.Option<boolean>
) {
  const administrator = (id: string) =>
    actor(baseUrl, key, Administrator(AdministratorId.make(id), Mail.make(`${id}@demo.example`)))
  const operator = yield* actor(baseUrl, key, Operator(OperatorId.make("demo-operator")))
  const user = yield* actor(baseUrl, key, User(UserId.make("demo-user")))
  const owner = yield* actor(baseUrl, key, Administrator(OWNER.administratorId, OWNER.mail))
  const manager = yield* administrator("demo-manager")
  const viewer = yield* administrator("demo-viewer")

  const placesOf = (organizationId: OrganizationId) =>
    Effect.map(user.client.place.list({ params: { organizationId } }), (places) => places ?? [])

  const load = Effect.fnUntraced(function* ({ draft: { places, ...draft }, id }: ReturnType<typeof findDemo>[number]) {
    const organizationId =
      id ?? (yield* operator.client.operator.createOrganization({ payload: { ...draft, owner: OWNER } })).id
    const there = yield* placesOf(organizationId)
    for (const place of places) {
      if (there.some(({ name }) => name === place.name)) continue
      yield* owner.client.place.create({ payload: { organizationId, ...place } })
    }
    const staff = yield* owner.client.administrator.list({ params: { organizationId } })
    for (const [name, level] of STAFF) {
      const account = { administratorId: AdministratorId.make(name), mail: Mail.make(`${name}@demo.example`) }
      if (staff?.some(({ administratorId }) => administratorId === account.administratorId)) continue
      yield* Effect.ignore(operator.client.operator.registerAdministrator({ payload: account }))
      const binding = { organizationId, administratorId: account.administratorId, permission: level }
      yield* owner.client.administrator.bind({ payload: binding })
    }
  })

  const found = findDemo((yield* user.client.organization.list()) ?? [])
  const isThere = found.every(({ id }) => id !== undefined)
  if (!Option.getOrElse(isLoaded, () => isThere)) yield* Effect.forEach(found, load, { discard: true })

  const organizations: Array<Demo["organizations"][number]> = []
  for (const { id } of findDemo((yield* user.client.organization.list()) ?? [])) {
    if (id !== undefined) organizations.push({ id, places: (yield* placesOf(id)).map((place) => place.id) })
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
