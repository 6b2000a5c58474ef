/** The port `FloorPlanStore` in PostgreSQL. Images are sent and read in binary: no one is decoded here. */
import {
  administratorOf,
  type FloorPlan,
  type FloorPlanImage,
  FloorPlanNotFound,
  floorPlanRemoved,
  type FloorPlanStore,
  floorPlanUpdated,
  type OrganizationId,
  OrganizationNotFound,
  type Reader,
  recorded
} from "@sojourn/core"
import { Effect } from "effect"
import type { Database } from "../database/Database.ts"
import { forReader, type ForReader, levelOfDisplay, readRows, requireLevelIn } from "../database/levels.ts"
import { requireOrganization } from "../database/locks.ts"
import { requireRow } from "../database/rows.ts"
import type { Storing } from "../database/Storing.ts"
import { publishEvents } from "../feed/publishEvents.ts"

const COLUMNS = "level, west, south, east, north, rotation, type, bytes"

const PUT = `
insert into floor_plan (organization_id, ${COLUMNS}, digest, image)
values ($1::bigint, $2::integer, $3::float8, $4::float8, $5::float8, $6::float8, $7::float8, $8::text, $9::integer, $10::text, $11::bytea)
on conflict (organization_id, level) do update set
  west = excluded.west, south = excluded.south, east = excluded.east, north = excluded.north,
  rotation = excluded.rotation, type = excluded.type, bytes = excluded.bytes, digest = excluded.digest,
  image = excluded.image`

const COUNT_OTHERS =
  "select count(*)::int as others from floor_plan where organization_id = $1::bigint and level <> $2::integer"

const ofFloor = (columns: string) =>
  forReader(`select ${columns} from floor_plan where organization_id = $1::bigint and level = $3::integer`)

const GET = ofFloor(`${COLUMNS}, digest, image`)

const DIGEST = ofFloor("digest")

const LIST = forReader(`select ${COLUMNS} from floor_plan where organization_id = $1::bigint`, "r.level")

const REMOVE = "delete from floor_plan where organization_id = $1::bigint and level = $2::integer returning level"

const CHANGED = [{ _tag: "OrganizationChanged", changed: "updated" }] as const

export const makeFloorPlanStore = (db: Database, storing: Storing): FloorPlanStore["Service"] => {
  const read = <Row>(
    statement: string,
    organizationId: OrganizationId,
    reader: Reader,
    ...parameters: ReadonlyArray<unknown>
  ) =>
    readRows(
      db.run<ForReader<Row>>(statement, [organizationId, administratorOf(reader) ?? null, ...parameters]),
      "viewer",
      () => new OrganizationNotFound({ organizationId }),
      levelOfDisplay(reader, organizationId)
    )

  return {
    put: ({ plan, administratorId, decide }) =>
      storing.by(plan.organizationId).transaction("keep a floor plan", function* () {
        const { organizationId, level, west, south, east, north, rotation, type, bytes, digest, image } = plan
        yield* requireOrganization(db, organizationId)
        yield* requireLevelIn(db, organizationId, administratorId, "manager")
        const [count] = yield* db.run<{ readonly others: number }>(COUNT_OTHERS, [organizationId, level])
        yield* Effect.fromResult(decide(count!.others))
        yield* db.run(PUT, [organizationId, level, west, south, east, north, rotation, type, bytes, digest, image])
        yield* publishEvents(db, organizationId, CHANGED)
        const kept = { organizationId, level, west, south, east, north, rotation, type, bytes }
        return recorded(kept, floorPlanUpdated(kept))
      }),

    get: ({ organizationId, reader, level }) =>
      storing.gen("read a floor plan", function* () {
        const rows = read<Omit<FloorPlanImage, "organizationId">>(GET, organizationId, reader, level)
        return { organizationId, ...(yield* requireRow(rows, () => new FloorPlanNotFound({ level }))) }
      }),

    digest: ({ organizationId, reader, level }) =>
      storing.gen("read a digest of a floor plan", function* () {
        const rows = read<Pick<FloorPlanImage, "digest">>(DIGEST, organizationId, reader, level)
        return (yield* requireRow(rows, () => new FloorPlanNotFound({ level }))).digest
      }),

    list: ({ organizationId, reader }) =>
      storing.gen("list floor plans", function* () {
        const rows = yield* read<Omit<FloorPlan, "organizationId">>(LIST, organizationId, reader)
        return rows.map((plan) => ({ organizationId, ...plan }))
      }),

    remove: ({ organizationId, administratorId, level }) =>
      storing.by(organizationId).transaction("remove a floor plan", function* () {
        yield* requireOrganization(db, organizationId)
        yield* requireLevelIn(db, organizationId, administratorId, "manager")
        yield* requireRow(db.run(REMOVE, [organizationId, level]), () => new FloorPlanNotFound({ level }))
        yield* publishEvents(db, organizationId, CHANGED)
        return recorded(undefined, floorPlanRemoved({ organizationId, level }))
      })
  }
}
