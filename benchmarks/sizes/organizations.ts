import {
  AdministratorId,
  OrganizationId,
  OrganizationPremises,
  OrganizationStore,
  OrgAuthServerId,
  UserId
} from "@sojourn/core"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeCrowd } from "../growth/Crowd.ts"
import { drawFrom } from "../growth/draw.ts"
import type { Operation } from "../growth/operations.ts"
import type { Site } from "../growth/Population.ts"
import { polygon } from "../shared/polygon.ts"
import type { Aspect } from "./Aspect.ts"
import { counter, movements, settled, yardstick } from "./operations.ts"

const AREA = polygon({ points: 5, longitude: 11.8, latitude: 45.4, radius: 0.01 })

/** Who owns all of them. */
const owner = AdministratorId.make("owner")

const userOf = (organizationId: bigint, nth: number) => `user-${organizationId}-${nth}`
const personOf = (organizationId: bigint, nth: number) => `person-${organizationId}-${nth}`

/** Founds so many organizations, half of which know so many people each. */
const found = Effect.fnUntraced(function* (size: number, peopleEach: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into organization (name, tracking_area, tracking_mode, creation_date, last_change_date)
    select 'organization ' || nth, ${AREA}::text, case nth % 2 when 0 then 'anonymous' else 'authenticated' end, now(), now()
    from generate_series(1, ${size}::int) as nth`
  yield* sql`
    insert into account_link (organization_id, user_id, org_auth_server_id)
    select id, 'user-' || id || '-' || nth, 'person-' || id || '-' || nth
    from organization, generate_series(0, ${peopleEach}::int - 1) as nth where tracking_mode = 'authenticated'`
  yield* sql`insert into administrator_account (administrator_id) values (${owner})`
  yield* sql`
    insert into permission (organization_id, administrator_id, level, nominated_by)
    select id, ${owner}::text, 'owner', ${owner}::text from organization`
  const rows = yield* sql<{ readonly id: bigint; readonly tracking_mode: Site["mode"] }>`
    select id, tracking_mode from organization`
  return rows.map(({ id, tracking_mode: mode }): Site => {
    const organizationId = OrganizationId.make(id)
    const people = Array.from({ length: mode === "anonymous" ? 0 : peopleEach }, (_, nth) => ({
      userId: UserId.make(userOf(id, nth)),
      orgAuthServerId: OrgAuthServerId.make(personOf(id, nth))
    }))
    return { premises: OrganizationPremises(organizationId), organizationId, placeId: 0n, mode, owner, people }
  })
})

/** Organizations, with as many people coming and going in all of them together whatever their number. */
export const organizations: Aspect = {
  name: "organizations",
  unit: "organizations",
  usual: [10, 1_000, 100_000],
  prepare: Effect.fnUntraced(function* (size, times) {
    const sites = yield* found(size, Math.max(2, Math.ceil((8 * times) / size)))
    const population = {
      anonymous: sites.filter(({ mode }) => mode === "anonymous"),
      authenticated: sites.filter(({ mode }) => mode === "authenticated")
    }
    const crowd = yield* makeCrowd(population)
    for (const mode of ["anonymous", "authenticated"] as const)
      yield* Effect.replicateEffect(crowd.enter(mode), times, { concurrency: 16, discard: true })
    // What the first movement of an organization costs once, as nobody knows yet how it tracks, is not what is measured here.
    yield* Effect.forEach(population.anonymous, (site) => crowd.enter("anonymous", site), {
      concurrency: 256,
      discard: true
    })
    yield* settled
    const store = yield* OrganizationStore
    const lookUp: Operation = {
      name: "looking an organization up",
      times,
      promise: "flat",
      once: Effect.as(
        Effect.suspend(() => store.get(drawFrom(sites).organizationId)),
        1
      )
    }
    return [
      ...movements(crowd, ["anonymous", "authenticated"], times),
      yield* counter(sites, times),
      lookUp,
      yield* yardstick(times)
    ]
  })
}
