/** The data before a measurement: an organization with places, people inside, and stays to list. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { rectangle } from "../../packages/server/src/demo/areas.ts"
import type { Api } from "./Api.ts"
import { expected } from "./check.ts"
import { type Issuer, OWNER } from "./Issuer.ts"

/** How many exit tokens a list of accesses asks for. */
export const LISTED = 50

/** How many places the organization has in Sojourn. */
export const PLACES = 10

/** What is there before anything is measured. */
export interface Ground {
  readonly organizationId: number
  /** The exit tokens of closed stays, in lists as they are asked for. */
  readonly lists: ReadonlyArray<ReadonlyArray<string>>
}

const AREA = '{"type":"Polygon","coordinates":[[[11.8,45.3],[11.9,45.3],[11.9,45.4],[11.8,45.3]]]}'

/** The areas of the places: beside each other in the organization's. */
const placeArea = (nth: number) => rectangle(11.85 + nth * 0.001, 45.31, 11.8505 + nth * 0.001, 45.32)

/** An organization with places in Sojourn, made by an operator and its owner. */
export const foundInSojourn = Effect.fnUntraced(function* (api: Api, issuer: Issuer) {
  const answered = yield* api.createOrganization(issuer.operator, {
    name: "compared",
    trackingArea: AREA,
    trackingMode: "anonymous",
    owner: OWNER
  })
  const { id } = yield* expected<{ readonly id: number }>("an organization is created", answered, 201)
  for (let nth = 0; nth < PLACES; nth++) {
    const place = { organizationId: id, name: `place ${nth}`, trackingArea: placeArea(nth) }
    yield* expected("a place is created", yield* api.createPlace(issuer.administrator, place), 201)
  }
  return id
})

/** An organization in the tables of the peers, which have no way to make one. */
export const foundInPeer = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [row] = yield* sql<{ readonly id: bigint }>`insert into organization (name) values ('compared') returning id`
  yield* sql`
    insert into permission (organization_id, administrator_id, level)
    values (${row!.id}, ${OWNER.administratorId}, 'owner')`
  return Number(row!.id)
})

/** So many people enter and stay, and so many lists of people come and go. */
export const populate = Effect.fnUntraced(function* (
  api: Api,
  issuer: Issuer,
  organizationId: number,
  { crowd, lists }: { readonly crowd: number; readonly lists: number }
) {
  const enter = (nth: number) =>
    api.track(issuer.users[nth % issuer.users.length]!, { movementType: 1, organizationId }).pipe(
      Effect.flatMap((answered) => expected<{ readonly exitToken: string }>("a user enters", answered, 201)),
      Effect.map(({ exitToken }) => exitToken)
    )
  const leave = (nth: number, exitToken: string) =>
    api
      .track(issuer.users[nth % issuer.users.length]!, { movementType: -1, organizationId, exitToken })
      .pipe(Effect.flatMap((answered) => expected("a user leaves", answered, 202)))
  const several = { concurrency: 32 } as const
  const times = (count: number) => Array.from({ length: count }, (_, nth) => nth)
  yield* Effect.forEach(times(crowd), enter, several)
  const tokens = yield* Effect.forEach(
    times(lists * LISTED),
    (nth) => Effect.tap(enter(nth), (exitToken) => leave(nth, exitToken)),
    several
  )
  return times(lists).map((nth) => tokens.slice(nth * LISTED, (nth + 1) * LISTED))
})
