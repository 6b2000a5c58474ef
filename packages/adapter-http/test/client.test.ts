/** The client that is derived from the API definition, against the interface in memory on a socket. */
import { assert, describe, it } from "@effect/vitest"
import { PROBLEM_URIS } from "@sojourn/adapter-http/api"
import { Credentials, layerCredentialsOfCaller, makeClient } from "@sojourn/adapter-http/client"
import { AdministratorId, Mail, OrganizationId } from "@sojourn/core"
import { Effect, Redacted } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { AREA, compose } from "./composed.ts"

const { baseUrl, clientOf } = await compose()

const owner = { administratorId: AdministratorId.make("owner"), mail: Mail.make("owner@example.test") }

describe("the client that is derived from the definition, against a server on a socket", () => {
  it.live("tracks an entrance and an exit, and lists the stay", () =>
    Effect.gen(function* () {
      const operator = yield* clientOf("operator:op")
      const admin = yield* clientOf("administrator:owner")
      const phone = yield* clientOf("user:phone")
      assert.isUndefined(yield* phone.organization.list())

      const { id: organizationId } = yield* operator.operator.createOrganization({
        payload: { name: "Museum", trackingArea: AREA, trackingMode: "anonymous", owner }
      })
      assert.lengthOf((yield* phone.organization.list()) ?? [], 1)

      const entrance = yield* phone.movement.trackOrganization({
        headers: {},
        payload: { organizationId, movementType: "entrance" }
      })
      assert.strictEqual(entrance.movementType, 1)
      const { counter } = yield* admin.presence.organizationCounter({ params: { organizationId } })
      assert.strictEqual(counter, 1)

      const exit = yield* phone.movement.trackOrganization({
        headers: {},
        payload: { organizationId, movementType: -1, exitToken: entrance.exitToken }
      })
      assert.strictEqual(exit.movementType, -1)
      const accesses = yield* phone.access.organizationAnonymous({
        params: { organizationId, exitTokens: entrance.exitToken }
      })
      assert.deepStrictEqual(
        (accesses ?? []).map((access) => [access.organizationId, access.exitToken, access.entranceTimestamp]),
        [[organizationId, entrance.exitToken, entrance.timestamp]]
      )
      assert.strictEqual((yield* admin.presence.organizationCounter({ params: { organizationId } })).counter, 0)
    })
  )

  it.live("answers refusals as errors of their own, with what to do about them", () =>
    Effect.gen(function* () {
      const phone = yield* clientOf("user:phone")
      const admin = yield* clientOf("administrator:owner")
      const missing = { params: { organizationId: OrganizationId.make(9007199254740000n) } }
      const notFound = yield* Effect.flip(phone.organization.get(missing))
      assert.strictEqual(notFound._tag, "NotFound")
      assert.deepInclude(notFound, {
        type: PROBLEM_URIS.OrganizationNotFound,
        detail: "The organization does not exist."
      })
      assert.strictEqual((yield* Effect.flip(admin.organization.list()))._tag, "Forbidden")
      const unauthenticated = yield* clientOf("nonsense")
      assert.strictEqual((yield* Effect.flip(unauthenticated.organization.list()))._tag, "Unauthorized")
    })
  )

  it.live("sends the tracking area as a form, and identifiers of any characters in a path", () =>
    Effect.gen(function* () {
      const operator = yield* clientOf("operator:op")
      const admin = yield* clientOf("administrator:owner")
      const { id: organizationId } = yield* operator.operator.createOrganization({
        payload: { name: "Park", trackingArea: AREA, trackingMode: "anonymous", owner }
      })
      const spaced = AREA.replaceAll(",", " , ")
      const changed = yield* admin.organization.editTrackingArea({
        params: { organizationId },
        payload: { trackingArea: spaced }
      })
      assert.strictEqual(changed.trackingArea, spaced)
      const strange = yield* clientOf("user:a/b;c?d#e%f g+h,ü")
      assert.isUndefined(yield* strange.favorite.list({ params: { userId: "a/b;c?d#e%f g+h,ü" } }))
      const permissions = yield* admin.administrator.permissions({ params: { administratorId: "owner" } })
      assert.isAtLeast((permissions ?? []).length, 1)
    })
  )

  it.live("speaks for each caller with the credentials of the call, and without any for none", () =>
    Effect.gen(function* () {
      const client = yield* makeClient(baseUrl).pipe(Effect.provide([layerCredentialsOfCaller, FetchHttpClient.layer]))
      const favoritesOf = (userId: string) => client.favorite.list({ params: { userId } })
      const as = (token: string) => Effect.provideService(Credentials, Redacted.make(token))
      yield* Effect.all([favoritesOf("u1").pipe(as("user:u1")), favoritesOf("u2").pipe(as("user:u2"))], {
        concurrency: "unbounded"
      })
      const another = yield* Effect.flip(favoritesOf("u2").pipe(as("user:u1")))
      assert.strictEqual(another._tag, "BadRequest")
      assert.strictEqual((yield* Effect.flip(favoritesOf("u1")))._tag, "Unauthorized")
    })
  )
})
