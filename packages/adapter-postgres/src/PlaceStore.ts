import {
  type AdministratorId,
  keptTrackingArea,
  type OrganizationId,
  OrganizationNotFound,
  type Place,
  type PlaceFacts,
  type PlaceId,
  PlaceNotFound,
  PlacePremises,
  type PlaceStore
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { levelIn } from "./accounts.ts"
import { type Database, LONG_PATIENCE, type Storing } from "./Database.ts"
import { endStays } from "./endings.ts"
import { lockOrganization, placeAreas } from "./organizations.ts"
import type { PremisesDirectory } from "./PremisesDirectory.ts"

interface PlaceRow {
  readonly organization_id: OrganizationId
  readonly id: PlaceId
  readonly name: string | null
  readonly tracking_area: string
}

const placeOf = (row: PlaceRow): Place => ({
  id: row.id,
  organizationId: row.organization_id,
  name: row.name ?? undefined,
  trackingArea: keptTrackingArea(row.tracking_area)
})

const CREATE = `
insert into place (organization_id, name, tracking_area) values ($1::bigint, $2::text, $3::text) returning id`

const GET = "select * from place where organization_id = $1::bigint and id = $2::bigint"

const UPDATE = `
update place set name = $3::text, tracking_area = $4::text where organization_id = $1::bigint and id = $2::bigint`

const REMOVE = "delete from place where organization_id = $1::bigint and id = $2::bigint"

export const makePlaceStore = (db: Database, directory: PremisesDirectory, storing: Storing): PlaceStore["Service"] => {
  /** A place, with its organization locked until the transaction ends. */
  const lockPlace = Effect.fnUntraced(function* (placeId: PlaceId) {
    const located = yield* directory.locate(PlacePremises(placeId))
    if (Option.isNone(located)) return yield* new PlaceNotFound({ placeId })
    const organization = yield* lockOrganization(db, located.value.organizationId)
    const [row] = yield* db.run<PlaceRow>(GET, [located.value.organizationId, placeId])
    if (organization === undefined || row === undefined) return yield* new PlaceNotFound({ placeId })
    return { place: placeOf(row), organization }
  })

  const factsFor = Effect.fnUntraced(function* (
    organization: { readonly id: OrganizationId; readonly tracking_area: string },
    administratorId: AdministratorId,
    changed?: PlaceId
  ) {
    const areas = yield* placeAreas(db, organization.id)
    return {
      organizationArea: keptTrackingArea(organization.tracking_area),
      others: areas.filter(({ id }) => id !== changed),
      level: yield* levelIn(db, organization.id, administratorId)
    } satisfies PlaceFacts
  })

  return {
    create: ({ organizationId, administratorId, decide }) =>
      storing(
        "create a place",
        db.transaction(
          Effect.gen(function* () {
            const organization = yield* lockOrganization(db, organizationId)
            if (organization === undefined) return yield* new OrganizationNotFound({ organizationId })
            const decided = yield* Effect.fromResult(decide(yield* factsFor(organization, administratorId)))
            const [row] = yield* db.run<{ readonly id: PlaceId }>(CREATE, [
              organizationId,
              decided.name ?? null,
              decided.trackingArea.text
            ])
            return { ...decided, id: row!.id } satisfies Place
          })
        )
      ),

    update: ({ placeId, administratorId, decide }) =>
      storing(
        "change a place",
        db.transaction(
          Effect.gen(function* () {
            const { place, organization } = yield* lockPlace(placeId)
            const facts = yield* factsFor(organization, administratorId, placeId)
            const changed = yield* Effect.fromResult(decide(place, facts))
            yield* db.run(UPDATE, [place.organizationId, placeId, changed.name ?? null, changed.trackingArea.text])
            return changed
          })
        )
      ),

    remove: ({ placeId, administratorId, decide }) =>
      storing(
        "remove a place",
        db.transaction(
          Effect.gen(function* () {
            const { place } = yield* lockPlace(placeId)
            yield* Effect.fromResult(decide(yield* levelIn(db, place.organizationId, administratorId)))
            yield* endStays(db, place.organizationId, [placeId])
            yield* db.run(REMOVE, [place.organizationId, placeId])
          })
        ),
        LONG_PATIENCE
      ),

    list: (organizationId) =>
      storing(
        "list places",
        Effect.map(
          db.run<PlaceRow>("select * from place where organization_id = $1::bigint order by id", [organizationId]),
          (rows) => rows.map(placeOf)
        )
      )
  }
}
