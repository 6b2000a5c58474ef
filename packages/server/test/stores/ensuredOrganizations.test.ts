/** Organizations that programs make sure of at their start, on memory and on a database that several servers share. */
import { layerStores } from "@sojourn/adapter-memory"
import { layer as layerPostgres } from "@sojourn/adapter-postgres"
import { type Organization, OrganizationId, Organizations, type Stores, User, UserId, allPages } from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, type Scope } from "effect"
import { AREA, OPERATOR, OWNER } from "../services/fixtures.ts"
import { aDatabase } from "./database.ts"

type UseCases = Organizations["Service"]

const useCasesOn = <E>(stores: Layer.Layer<Stores, E>) =>
  Effect.map(Layer.build(Layer.fresh(Layer.provide(Organizations.layer, stores))), (context) =>
    Context.get(context, Organizations)
  )

/** The use cases of two servers. */
const STORAGES: Readonly<Record<string, Effect.Effect<ReadonlyArray<UseCases>, unknown, Scope.Scope>>> = {
  memory: Effect.map(useCasesOn(layerStores), (one) => [one, one]),
  PostgreSQL: Effect.flatMap(aDatabase, (address) =>
    Effect.all([useCasesOn(layerPostgres(address)), useCasesOn(layerPostgres(address))])
  )
}

const owner = { administratorId: OWNER.administratorId, mail: OWNER.mail! }
const draft = { name: "Museum", trackingMode: "anonymous", trackingArea: AREA } as const

describe.each(Object.entries(STORAGES))("an organization that is ensured, on %s", (_, servers) => {
  it.effect("is created once, by however many starts of however many servers", () =>
    Effect.gen(function* () {
      const [one, other] = yield* servers
      const starts = Array.from({ length: 20 }, (_, nth) =>
        (nth % 2 === 0 ? one! : other!).ensure(OPERATOR, draft, owner)
      )
      const ids = (yield* Effect.all(starts, { concurrency: "unbounded" })).map(({ id }) => id)
      assert.deepStrictEqual(new Set(ids), new Set<OrganizationId>([ids[0]!]))
      const edited: Organization = yield* one!.edit(OWNER, ids[0]!, { description: "Of the town" })
      assert.deepStrictEqual(yield* other!.ensure(OPERATOR, { ...draft, trackingMode: "authenticated" }, owner), edited)
      const user = User(UserId.make("visitor"))
      const all = yield* allPages((after?: OrganizationId) => one!.list(user, after))
      assert.deepStrictEqual(
        all.map(({ name }) => name),
        ["Museum"]
      )
    }).pipe(Effect.scoped, Effect.orDie)
  )
})
