/** The plan of a floor of an organization: an image, and where it lies. */
import * as Result from "effect/Result"
import type { OrganizationId } from "../shared/Ids.ts"
import { TaggedError } from "../shared/TaggedError.ts"
import { type FloorPlanType, imageSize, MAX_FLOOR_PLAN_BYTES } from "./imageSize.ts"

/** Where a floor plan lies. The image fills the box, and is turned around its middle. */
export interface FloorPlanPlacement {
  /** The floor: an integer from -100 to 300. */
  readonly level: number
  /** In degrees: `west` is less than `east`, and `south` less than `north`. */
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
  /** In degrees, clockwise; from -360 to 360. */
  readonly rotation: number
}

/** A floor plan without its image, as lists have it. */
export interface FloorPlan extends FloorPlanPlacement {
  readonly organizationId: OrganizationId
  readonly type: FloorPlanType
  /** The length of the image. */
  readonly bytes: number
}

/** A floor plan with its image. */
export interface FloorPlanImage extends FloorPlan {
  readonly image: Uint8Array
  /** The SHA-256 of the image, in lower-case hexadecimal digits. */
  readonly digest: string
}

/** The most pixels of a side of a floor plan. */
export const MAX_FLOOR_PLAN_PIXELS = 4_096

/** The most floor plans of an organization. */
export const MAX_FLOOR_PLANS = 50

/** The image is none of its type or too large, or the box is none (spec: floorplans#form). */
export class FloorPlanInvalid extends TaggedError("FloorPlanInvalid", "the floor plan is not valid")<{
  readonly reason: string
}> {}

/** The organization has no plan of this floor. */
export class FloorPlanNotFound extends TaggedError("FloorPlanNotFound", "there is no plan of this floor")<{
  readonly level: number
}> {}

/** The organization has as many floor plans as it may have (spec: floorplans#most). */
export class TooManyFloorPlans extends TaggedError(
  "TooManyFloorPlans",
  "the organization has as many floor plans as allowed"
)<{ readonly most: number }> {}

const isBetween = (n: number, least: number, most: number): boolean => n >= least && n <= most

/** Why a placement is none; undefined where it is one. */
const placementFault = ({ level, west, south, east, north, rotation }: FloorPlanPlacement): string | undefined => {
  if (!Number.isInteger(level) || !isBetween(level, -100, 300)) return "level is an integer from -100 to 300"
  if (![west, east].every((n) => isBetween(n, -180, 180))) return "west and east are from -180 to 180"
  if (![south, north].every((n) => isBetween(n, -90, 90))) return "south and north are from -90 to 90"
  if (west >= east || south >= north) return "west is less than east, and south less than north"
  return isBetween(rotation, -360, 360) ? undefined : "rotation is from -360 to 360"
}

/** Requires the box and the image of a floor plan to be what they are said to be. */
export const checkFloorPlan = (plan: Omit<FloorPlanImage, "digest">): Result.Result<void, FloorPlanInvalid> => {
  const fail = (reason: string) => Result.fail(new FloorPlanInvalid({ reason }))
  const fault = placementFault(plan)
  if (fault !== undefined) return fail(fault)
  if (plan.image.length > MAX_FLOOR_PLAN_BYTES) return fail(`the image has more than ${MAX_FLOOR_PLAN_BYTES} bytes`)
  const size = imageSize(plan.type, plan.image)
  if (size === undefined) return fail(`the body is no single, whole image of the type ${plan.type}`)
  return Math.max(size.width, size.height) > MAX_FLOOR_PLAN_PIXELS
    ? fail(`the image has more than ${MAX_FLOOR_PLAN_PIXELS} pixels a side`)
    : Result.void
}

/** Requires room beside the plans of other floors. A plan that takes the place of one needs none. */
export const decideFloorPlan = (others: number): Result.Result<void, TooManyFloorPlans> =>
  others >= MAX_FLOOR_PLANS ? Result.fail(new TooManyFloorPlans({ most: MAX_FLOOR_PLANS })) : Result.void
