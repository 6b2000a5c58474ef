import {
  Administrator,
  AdministratorId,
  Mail,
  OrganizationStore,
  parseTrackingArea,
  PlaceId,
  PlacePremises,
  Places,
  Timestamp,
  vouchedAccount
} from "@sojourn/core"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeCrowd } from "../growth/Crowd.ts"
import { takeFrom } from "../growth/draw.ts"
import type { Operation } from "../growth/operations.ts"
import type { Site } from "../growth/Population.ts"
import type { Aspect } from "./Aspect.ts"
import { type Ground, groundFor } from "./Ground.ts"
import { counter, movements, settled, yardstick } from "./operations.ts"

const owner = Administrator(AdministratorId.make("owner"), Mail.make("owner@example.org"))

/** How many points the areas have that are created and moved: as many as they may. */
const DRAWN = 1000

const found = Effect.fnUntraced(function* (ground: Ground, size: number) {
  const sql = yield* SqlClient.SqlClient
  const trackingArea = yield* Effect.fromResult(parseTrackingArea(ground.area))
  const account = { administratorId: owner.administratorId, mail: Mail.make("owner@example.org") }
  const { id: organizationId } = yield* OrganizationStore.use((store) =>
    store.create({
      organization: { name: "campus", trackingArea, trackingMode: "anonymous" },
      owner: account,
      now: Timestamp(Date.now()),
      decide: (accounts) => vouchedAccount(account, accounts)
    })
  )
  const areas = Array.from({ length: size }, (_, cell) => ground.areaIn(cell))
  const rows = yield* sql<{ readonly id: bigint }>`
    insert into place (organization_id, tracking_area)
    select ${organizationId}::bigint, area from unnest(${areas}::text[]) as area returning id`
  return rows.map(({ id }): Site => {
    const placeId = PlaceId.make(id)
    return {
      premises: PlacePremises(placeId),
      organizationId,
      placeId,
      mode: "anonymous",
      owner: owner.administratorId,
      people: []
    }
  })
})

/** Places come, move and go in the cells that are free; in this order their number stays what it is. */
const changes = Effect.fnUntraced(function* (
  ground: Ground,
  { organizationId }: Site,
  free: Array<number>,
  times: number
) {
  const places = yield* Effect.provide(Places, Places.layer)
  const made: Array<{ readonly id: PlaceId; readonly cell: number }> = []
  const costing = (name: string, once: Effect.Effect<void, unknown>): Operation => ({
    name,
    times,
    promise: "answer",
    once: Effect.as(once, 1)
  })
  return [
    costing(
      `creating a place of ${DRAWN} points`,
      Effect.suspend(() => {
        const cell = takeFrom(free)
        const trackingArea = ground.areaIn(cell, DRAWN)
        return Effect.map(
          places.create(owner, { organizationId, trackingArea }),
          ({ id }) => void made.push({ id, cell })
        )
      })
    ),
    costing(
      `moving an area of ${DRAWN} points`,
      Effect.suspend(() => {
        const { id, cell: before } = takeFrom(made)
        const cell = takeFrom(free)
        return Effect.map(places.edit(owner, id, { trackingArea: ground.areaIn(cell, DRAWN) }), () => {
          free.push(before)
          made.push({ id, cell })
        })
      })
    ),
    costing(
      "removing a place",
      Effect.suspend(() => {
        const { id, cell } = takeFrom(made)
        return Effect.map(places.remove(owner, id), () => void free.push(cell))
      })
    )
  ]
})

/** Places of one organization, with areas of up to as many points as they may have. */
export const places: Aspect = {
  name: "places",
  unit: "places of an organization",
  usual: [10, 100, 1_000],
  prepare: Effect.fnUntraced(function* (size, times) {
    const fewer = Math.max(1, Math.round(times / 250))
    const ground = groundFor(size + 3 * fewer)
    const sites = yield* found(ground, size)
    const crowd = yield* makeCrowd({ anonymous: sites, authenticated: [] })
    yield* Effect.replicateEffect(crowd.enter("anonymous"), times, { concurrency: 16, discard: true })
    yield* settled
    const free = Array.from({ length: 3 * fewer }, (_, nth) => size + nth)
    return [
      ...movements(crowd, ["anonymous"], times),
      yield* counter(sites, times),
      ...(yield* changes(ground, sites[0]!, free, fewer)),
      yield* yardstick(times)
    ]
  })
}
