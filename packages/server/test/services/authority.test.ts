/** Refusals of the administrators' use cases: callers without the level, and organizations and places that do not exist. */
import { layerStores } from "@sojourn/adapter-memory"
import {
  AccountLinks,
  Administrators,
  DeletionRequests,
  layerSecretKeysEphemeral,
  Favorites,
  layerServices,
  OrganizationId,
  OrganizationPremises,
  Organizations,
  type PermissionLevel,
  type Place,
  PlaceId,
  Places,
  User,
  UserId
} from "@sojourn/core"
import { LEVELS } from "@sojourn/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { administrator, anOrganization, AREA, credentials, layerNoDirectory, OWNER } from "./fixtures.ts"

const layer = layerServices.pipe(Layer.provide([layerStores, layerNoDirectory, layerSecretKeysEphemeral]))

/** Every use case that requires a level, called by an administrator for an organization and one of its places. */
const useCases = Effect.gen(function* () {
  const organizations = yield* Organizations
  const places = yield* Places
  const administrators = yield* Administrators
  const links = yield* AccountLinks
  const deletions = yield* DeletionRequests
  return (by: typeof OWNER, organizationId: OrganizationId, placeId: PlaceId) => {
    const { administratorId } = OWNER
    const binding = { organizationId, administrator: { administratorId }, level: "viewer" as const }
    const creation = { ...binding, administrator: { mail: administrator("new").mail! } }
    const ask = (name: string, required: PermissionLevel, call: Effect.Effect<unknown, { readonly _tag: string }>) => ({
      name,
      required,
      call
    })
    return [
      ask("read the organization", "viewer", organizations.get(by, organizationId)),
      ask("list the places", "viewer", places.list(by, organizationId)),
      ask("ask for people", "viewer", links.information(by, organizationId, credentials(), "everyone")),
      ask("draw the area", "manager", organizations.editTrackingArea(by, organizationId, AREA)),
      ask("make a place", "manager", places.create(by, { organizationId, trackingArea: AREA })),
      ask("change a place", "manager", places.edit(by, placeId, { name: "Hall" })),
      ask("end a place", "manager", places.remove(by, placeId)),
      ask("change the organization", "owner", organizations.edit(by, organizationId, { name: "New" })),
      ask("bind an administrator", "owner", administrators.bind(by, binding)),
      ask("create an account", "owner", administrators.create(by, creation)),
      ask("unbind an administrator", "owner", administrators.unbind(by, { organizationId, administratorId })),
      ask(
        "change a level",
        "owner",
        administrators.changeLevel(by, organizationId, { administratorId, level: "viewer" })
      ),
      ask("list permissions", "owner", administrators.listByOrganization(by, organizationId)),
      ask("ask for the deletion", "owner", deletions.request(by, { organizationId }))
    ]
  }
})

/** An organization with a place and an administrator of each level. */
const ground = Effect.gen(function* () {
  const { id: organizationId } = yield* anOrganization("anonymous")
  const administrators = yield* Administrators
  for (const level of ["viewer", "manager"] as const) {
    const { administratorId, mail } = administrator(level)
    yield* administrators.create(OWNER, { organizationId, administrator: { administratorId, mail: mail! }, level })
  }
  const place: Place = yield* Places.use((places) => places.create(OWNER, { organizationId, trackingArea: AREA }))
  return { organizationId, placeId: place.id }
})

const fieldsOf = (refusal: object) => ({ ...refusal })

describe("an administrator", () => {
  it.effect("gets a refusal with the required and the actual level", () =>
    Effect.gen(function* () {
      const { organizationId, placeId } = yield* ground
      const callsOf = yield* useCases
      for (const held of [undefined, ...LEVELS]) {
        for (const { name, required, call } of callsOf(administrator(held ?? "stranger"), organizationId, placeId)) {
          if (held !== undefined && LEVELS.indexOf(held) >= LEVELS.indexOf(required)) continue
          const expected = { _tag: "PermissionTooLow", required, held: Option.fromUndefinedOr(held) }
          assert.deepStrictEqual(fieldsOf(yield* Effect.flip(call)), expected, `${held} may not ${name}`)
        }
      }
    }).pipe(Effect.provide(layer))
  )

  it.effect("gets a refusal with the id that does not exist", () =>
    Effect.gen(function* () {
      yield* ground
      const [organizationId, placeId] = [OrganizationId.make(404n), PlaceId.make(404n)]
      for (const { name, call } of (yield* useCases)(OWNER, organizationId, placeId)) {
        const expected =
          name === "list the places"
            ? { _tag: "PremisesNotFound", premises: OrganizationPremises(organizationId) }
            : /(change|end) a place/.test(name)
              ? { _tag: "PlaceNotFound", placeId }
              : { _tag: "OrganizationNotFound", organizationId }
        assert.deepStrictEqual(fieldsOf(yield* Effect.flip(call)), expected, name)
      }
    }).pipe(Effect.provide(layer))
  )
})

describe("a user", () => {
  it.effect("gets a refusal with the organization that does not exist", () =>
    Effect.gen(function* () {
      const user = User(UserId.make("ada"))
      const organizationId = OrganizationId.make(404n)
      const calls: ReadonlyArray<
        Effect.Effect<unknown, { readonly _tag: string }, Organizations | Favorites | AccountLinks>
      > = [
        Organizations.use((organizations) => organizations.get(user, organizationId)),
        Favorites.use((favorites) => favorites.add(user, { organizationId })),
        Favorites.use((favorites) => favorites.add(user, { organizationId, userId: UserId.make("bob") })),
        AccountLinks.use((links) => links.link(user, organizationId, credentials()))
      ]
      for (const one of calls) {
        assert.deepStrictEqual(fieldsOf(yield* Effect.flip(one)), { _tag: "OrganizationNotFound", organizationId })
      }
    }).pipe(Effect.provide(layer))
  )
})
