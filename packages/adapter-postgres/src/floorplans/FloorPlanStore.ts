/** The port `FloorPlanStore` in PostgreSQL. Images are sent and read in binary: no one is decoded here. */
import {
  type FloorPlan,
  type FloorPlanImage,
  FloorPlanNotFound,
  type FloorPlanStore,
  type OrganizationId
} from "@sojourn/core"
import { Effect } from "effect"
import type { Database } from "../database/Database.ts"
import { levelIn } from "../database/levels.ts"
import { readOrganization, requireOrganization } from "../database/locks.ts"
import { requireRow } from "../database/rows.ts"
import type { Storing } from "../database/Storing.ts"
import { publishEvents } from "../feed/publishEvents.ts"

interface FloorPlanRow extends Omit<FloorPlan, "organizationId"> {
  readonly organization_id: OrganizationId
}

type ImageRow = FloorPlanRow & Pick<FloorPlanImage, "digest" | "image">

const COLUMNS = "organization_id, level, west, south, east, north, rotation, type, bytes"

const PUT = `
insert into floor_plan (${COLUMNS}, digest, image)
values ($1::bigint, $2::integer, $3::float8, $4::float8, $5::float8, $6::float8, $7::float8, $8::text, $9::integer, $10::text, $11::bytea)
on conflict (organization_id, level) do update set
  west = excluded.west, south = excluded.south, east = excluded.east, north = excluded.north,
  rotation = excluded.rotation, type = excluded.type, bytes = excluded.bytes, digest = excluded.digest,
  image = excluded.image`

const COUNT_OTHERS =
  "select count(*)::int as others from floor_plan where organization_id = $1::bigint and level <> $2::integer"

const GET = `select ${COLUMNS}, digest, image from floor_plan where organization_id = $1::bigint and level = $2::integer`

const DIGEST = "select digest from floor_plan where organization_id = $1::bigint and level = $2::integer"

const LIST = `select ${COLUMNS} from floor_plan where organization_id = $1::bigint order by level`

const REMOVE = "delete from floor_plan where organization_id = $1::bigint and level = $2::integer returning level"

const CHANGED = [{ _tag: "OrganizationChanged", changed: "updated" }] as const

const planOf = ({ organization_id: organizationId, ...plan }: FloorPlanRow): FloorPlan => ({ organizationId, ...plan })

export const makeFloorPlanStore = (db: Database, storing: Storing): FloorPlanStore["Service"] => ({
  put: ({ plan, administratorId, decide }) =>
    storing.by(plan.organizationId).transaction("keep a floor plan", function* () {
      const { organizationId, level, west, south, east, north, rotation, type, bytes, digest, image } = plan
      yield* requireOrganization(db, organizationId)
      const [count] = yield* db.run<{ readonly others: number }>(COUNT_OTHERS, [organizationId, level])
      const own = yield* levelIn(db, organizationId, administratorId)
      yield* Effect.fromResult(decide({ level: own, others: count!.others }))
      yield* db.run(PUT, [organizationId, level, west, south, east, north, rotation, type, bytes, digest, image])
      yield* publishEvents(db, organizationId, CHANGED)
      return { organizationId, level, west, south, east, north, rotation, type, bytes }
    }),

  get: ({ organizationId, administratorId, level, decide }) =>
    storing.gen("read a floor plan", function* () {
      yield* requireOrganization(db, organizationId, readOrganization)
      yield* Effect.fromResult(decide(yield* levelIn(db, organizationId, administratorId)))
      const rows = db.run<ImageRow>(GET, [organizationId, level])
      const { organization_id: _, ...plan } = yield* requireRow(rows, () => new FloorPlanNotFound({ level }))
      return { organizationId, ...plan }
    }),

  digest: ({ organizationId, administratorId, level, decide }) =>
    storing.gen("read a digest of a floor plan", function* () {
      yield* requireOrganization(db, organizationId, readOrganization)
      yield* Effect.fromResult(decide(yield* levelIn(db, organizationId, administratorId)))
      const rows = db.run<{ readonly digest: string }>(DIGEST, [organizationId, level])
      return (yield* requireRow(rows, () => new FloorPlanNotFound({ level }))).digest
    }),

  list: ({ organizationId, administratorId, decide }) =>
    storing.gen("list floor plans", function* () {
      yield* requireOrganization(db, organizationId, readOrganization)
      yield* Effect.fromResult(decide(yield* levelIn(db, organizationId, administratorId)))
      return (yield* db.run<FloorPlanRow>(LIST, [organizationId])).map(planOf)
    }),

  remove: ({ organizationId, administratorId, level, decide }) =>
    storing.by(organizationId).transaction("remove a floor plan", function* () {
      yield* requireOrganization(db, organizationId)
      yield* Effect.fromResult(decide(yield* levelIn(db, organizationId, administratorId)))
      yield* requireRow(db.run(REMOVE, [organizationId, level]), () => new FloorPlanNotFound({ level }))
      yield* publishEvents(db, organizationId, CHANGED)
    })
})
