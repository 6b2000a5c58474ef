/** The JSON of floor plans, and the parameters that place one. */
import { FLOOR_PLAN_TYPES } from "@sojourn/core"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { WireOrganizationId } from "../shared/fields.ts"

const queryNumber = Schema.String.check(
  Schema.makeFilter((text: string) => /^-?\d{1,20}(\.\d{1,30})?$/.test(text), { expected: "a number" })
).pipe(
  Schema.decodeTo(
    Schema.Finite,
    SchemaTransformation.transform({ decode: (text: string) => Number(text), encode: (n: number) => String(n) })
  )
)

const optionalNumber = Schema.optional(queryNumber)

/** The floor; 0 where it is left out. */
export const WireFloor = { level: optionalNumber }

/** Where a plan lies. The level and the rotation are 0 where they are left out. */
export const WireFloorPlanPlacement = {
  ...WireFloor,
  west: queryNumber,
  south: queryNumber,
  east: queryNumber,
  north: queryNumber,
  rotation: optionalNumber
}

/** A floor plan without its image. `bytes` is the length of the image. */
export const WireFloorPlan = Schema.Struct({
  organizationId: WireOrganizationId,
  level: Schema.Int,
  west: Schema.Finite,
  south: Schema.Finite,
  east: Schema.Finite,
  north: Schema.Finite,
  rotation: Schema.Finite,
  type: Schema.Literals(FLOOR_PLAN_TYPES),
  bytes: Schema.Int
}).annotate({ identifier: "FloorPlan" })
