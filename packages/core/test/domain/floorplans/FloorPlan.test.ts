/** Which floor plans are accepted: images of their types, no larger than allowed, in a box. */
import { assert, describe, it } from "@effect/vitest"
import { anyOf, integer } from "@sojourn/testing"
import {
  checkFloorPlan,
  decideFloorPlan,
  FLOOR_PLAN_TYPES,
  type FloorPlanImage,
  imageSize,
  MAX_FLOOR_PLAN_BYTES,
  MAX_FLOOR_PLANS,
  OrganizationId
} from "@sojourn/core"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { IMAGES } from "../../../../server/test/images.ts"

const planOf = (over: Partial<FloorPlanImage> = {}): FloorPlanImage => ({
  organizationId: OrganizationId.make(1n),
  level: 0,
  west: 11,
  south: 45,
  east: 12,
  north: 46,
  rotation: 0,
  type: "image/png",
  bytes: IMAGES["image/png"].length,
  image: IMAGES["image/png"],
  ...over
})

const isAccepted = (over: Partial<FloorPlanImage>): boolean => Result.isSuccess(checkFloorPlan(planOf(over)))

/** A PNG image that says it is so large. */
const pngOf = (width: number, height: number): Uint8Array => {
  const bytes = IMAGES["image/png"].slice()
  const view = new DataView(bytes.buffer)
  view.setUint32(16, width)
  view.setUint32(20, height)
  return bytes
}

describe("the size of an image", () => {
  it("is read of each type, and of no other than its own", () => {
    for (const type of FLOOR_PLAN_TYPES)
      for (const other of FLOOR_PLAN_TYPES)
        assert.deepStrictEqual(
          imageSize(type, IMAGES[other]),
          type === other ? { width: 3, height: 2 } : undefined,
          `${type} ${other}`
        )
  })

  it("is read of the other forms of WebP", () => {
    const lossless = Buffer.from("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAAAAAA==", "base64")
    assert.deepStrictEqual(imageSize("image/webp", new Uint8Array(lossless)), { width: 1, height: 1 })
    const lossy = Buffer.from("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA", "base64")
    assert.deepStrictEqual(imageSize("image/webp", new Uint8Array(lossy)), { width: 1, height: 1 })
  })

  it.prop(
    "is that of no part of an image, whose bytes break nothing wherever they are cut or changed",
    { type: anyOf([...FLOOR_PLAN_TYPES]), cut: integer(0, 400), at: integer(0, 400), byte: integer(0, 255) },
    ({ type, cut, at, byte }) => {
      const whole = IMAGES[type]
      const part = whole.slice(0, cut % whole.length)
      if (type === "image/png") assert.isUndefined(imageSize(type, part))
      else imageSize(type, part)
      const changed = whole.slice()
      changed[at % whole.length] = byte
      const size = imageSize(type, changed)
      assert.isTrue(size === undefined || (size.width > 0 && size.height > 0))
    }
  )
})

describe("a floor plan", () => {
  it("is accepted with a box and an image of its type of at most 1 MiB and 4,096 pixels a side", () => {
    assert.isTrue(isAccepted({}))
    for (const type of FLOOR_PLAN_TYPES) assert.isTrue(isAccepted({ type, image: IMAGES[type] }))
    assert.isTrue(isAccepted({ image: pngOf(4096, 4096) }))
    for (const [width, height] of [
      [4097, 1],
      [1, 4097],
      [0, 5],
      [5, 0]
    ] as const)
      assert.isFalse(isAccepted({ image: pngOf(width, height) }))
    for (const image of [new Uint8Array(0), new Uint8Array(100), IMAGES["image/jpeg"]])
      assert.isFalse(isAccepted({ image }))
    // Bytes after the end of a PNG image are none of it, and count.
    const ofLength = (length: number) => {
      const image = new Uint8Array(length)
      image.set(IMAGES["image/png"])
      return image
    }
    assert.isTrue(isAccepted({ image: ofLength(MAX_FLOOR_PLAN_BYTES) }))
    assert.isFalse(isAccepted({ image: ofLength(MAX_FLOOR_PLAN_BYTES + 1) }))
  })

  it("is refused with another box, level or rotation", () => {
    const faults: ReadonlyArray<Partial<FloorPlanImage>> = [
      { west: 12 },
      { west: 13 },
      { south: 46 },
      { west: -181 },
      { east: 181 },
      { south: -91 },
      { north: 91 },
      { north: NaN },
      { level: 0.5 },
      { level: -101 },
      { level: 301 },
      { rotation: 361 },
      { rotation: -361 },
      { rotation: NaN }
    ]
    for (const fault of faults) assert.isFalse(isAccepted(fault), JSON.stringify(fault))
    assert.isTrue(isAccepted({ level: -100, rotation: -360, west: -180, east: 180, south: -90, north: 90 }))
    assert.isTrue(isAccepted({ level: 300, rotation: 360 }))
  })

  it.prop("needs a manager and room for its floor", { others: integer(0, 60) }, ({ others }) => {
    for (const [level, isManager] of [
      ["owner", true],
      ["manager", true],
      ["viewer", false]
    ] as const) {
      const decided = decideFloorPlan({ level: Option.some(level), others })
      assert.strictEqual(Result.isSuccess(decided), isManager && others < MAX_FLOOR_PLANS)
    }
    assert.isTrue(Result.isFailure(decideFloorPlan({ level: Option.none(), others })))
  })
})
