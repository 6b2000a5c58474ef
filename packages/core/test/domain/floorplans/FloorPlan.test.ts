/** Which floor plans are accepted: images of their types, no larger than allowed, in a box. */
import { assert, describe, it } from "@effect/vitest"
import { anyOf, integer } from "@sojourn/testing"
import {
  checkFloorPlan,
  decideFloorPlan,
  FLOOR_PLAN_TYPES,
  type FloorPlanImage,
  type FloorPlanType,
  imageSize,
  MAX_FLOOR_PLAN_BYTES,
  MAX_FLOOR_PLANS,
  OrganizationId
} from "@sojourn/core"
import { Result } from "effect"
import { crc32 } from "node:zlib"
import { IMAGES } from "../../../../server/test/images.ts"

const planOf = (over: Partial<FloorPlanImage> = {}): Omit<FloorPlanImage, "digest"> => ({
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

const ascii = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
const joined = (...parts: ReadonlyArray<Uint8Array>) => new Uint8Array(Buffer.concat(parts))

const pngChunk = (type: string, data = new Uint8Array(0)) => {
  const chunk = Buffer.alloc(12 + data.length)
  chunk.writeUInt32BE(data.length)
  chunk.set(ascii(type), 4)
  chunk.set(data, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length)
  return chunk
}

const ihdr = (width: number, height: number) => {
  const data = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0])
  data.writeUInt32BE(width)
  data.writeUInt32BE(height, 4)
  return pngChunk("IHDR", data)
}

const png = (...chunks: ReadonlyArray<Uint8Array>) => joined(ascii("\x89PNG\r\n\x1a\n"), ...chunks)

const [IDAT, IEND] = [pngChunk("IDAT", Uint8Array.of(1, 2, 3)), pngChunk("IEND")]

/** A PNG image that says it is so large. */
const pngOf = (width: number, height: number): Uint8Array => png(ihdr(width, height), IDAT, IEND)

const riffChunk = (type: string, data: Uint8Array) => {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(data.length)
  return joined(ascii(type), length, data, new Uint8Array(data.length % 2))
}

const webp = (...chunks: ReadonlyArray<Uint8Array>) => riffChunk("RIFF", joined(ascii("WEBP"), ...chunks))

/** The header of an extended WebP image of 3 x 2 pixels. */
const vp8x = (flags: number, width = 3, height = 2) =>
  riffChunk("VP8X", Uint8Array.of(flags, 0, 0, 0, width - 1, 0, 0, height - 1, 0, 0))

/** The header of a key frame of 3 x 2 pixels. */
const vp8 = (frameTag = 0x30) => riffChunk("VP8 ", Uint8Array.of(frameTag, 1, 0, 0x9d, 1, 0x2a, 3, 0, 2, 0, 7))

const marker = (code: number, ...data: ReadonlyArray<number>) =>
  Uint8Array.of(0xff, code, (data.length + 2) >> 8, (data.length + 2) & 255, ...data)

const [SOI, EOI] = [Uint8Array.of(0xff, 0xd8), Uint8Array.of(0xff, 0xd9)]
const SOF = marker(0xc2, 8, 0, 2, 0, 3, 1, 1, 0x11, 0)
/** A scan whose data has a stuffed FF and a restart. */
const SOS = joined(marker(0xda, 1, 1, 0, 0, 63, 0), Uint8Array.of(5, 0xff, 0, 6, 0xff, 0xd3, 7))
const COMMENT = marker(0xfe, ...ascii("a comment, so that it is long enough"))

/** Images in parts: what is one, and what lacks a part, or has one too many. */
const PARTS: ReadonlyArray<readonly [what: string, type: FloorPlanType, image: Uint8Array, isOne: boolean]> = [
  ["PNG", "image/png", pngOf(3, 2), true],
  ["PNG with its data in two chunks", "image/png", png(ihdr(3, 2), pngChunk("tEXt"), IDAT, IDAT, IEND), true],
  ["PNG without data", "image/png", png(ihdr(3, 2), IEND), false],
  ["PNG without data, but text", "image/png", png(ihdr(3, 2), pngChunk("tEXt"), IEND), false],
  ["PNG with data that is apart", "image/png", png(ihdr(3, 2), IDAT, pngChunk("tEXt"), IDAT, IEND), false],
  ["PNG with two headers", "image/png", png(ihdr(3, 2), ihdr(3, 2), IDAT, IEND), false],
  ["PNG whose header is not the first", "image/png", png(pngChunk("tEXt"), ihdr(3, 2), IDAT, IEND), false],
  ["PNG with an end that is none", "image/png", png(ihdr(3, 2), IDAT, pngChunk("IEND", Uint8Array.of(0))), false],
  ["PNG that is an animation", "image/png", png(ihdr(3, 2), pngChunk("acTL", new Uint8Array(8)), IDAT, IEND), false],
  ["JPEG", "image/jpeg", joined(SOI, COMMENT, SOF, SOS, EOI), true],
  ["JPEG with two scans", "image/jpeg", joined(SOI, SOF, SOS, marker(0xc4, 0), SOS, EOI), true],
  ["JPEG without a frame", "image/jpeg", joined(SOI, COMMENT, SOS, EOI), false],
  ["JPEG without a scan", "image/jpeg", joined(SOI, COMMENT, SOF, EOI), false],
  ["JPEG without an end", "image/jpeg", joined(SOI, COMMENT, SOF, SOS), false],
  ["JPEG with two frames", "image/jpeg", joined(SOI, SOF, SOS, SOF, SOS, EOI), false],
  ["JPEG of several pictures", "image/jpeg", joined(SOI, marker(0xe2, ...ascii("MPF\0MM")), SOF, SOS, EOI), false],
  ["WebP", "image/webp", webp(vp8()), true],
  ["WebP that is extended", "image/webp", webp(vp8x(0), riffChunk("ICCP", ascii("odd")), vp8()), true],
  ["WebP that is extended, and has no data", "image/webp", webp(vp8x(0), riffChunk("EXIF", ascii("none"))), false],
  ["WebP with data of another size", "image/webp", webp(vp8x(0, 4), vp8()), false],
  ["WebP with data twice", "image/webp", webp(vp8x(0), vp8(), vp8()), false],
  ["WebP with no key frame", "image/webp", webp(vp8(0x31)), false],
  ["WebP that says it is an animation", "image/webp", webp(vp8x(2), vp8()), false],
  ["WebP with a frame of an animation", "image/webp", webp(vp8x(0), riffChunk("ANMF", vp8()), vp8()), false]
]

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

  it.each(PARTS)("is that of a single, whole image: %s", (_what, type, image, isOne) => {
    assert.deepStrictEqual(imageSize(type, image), isOne ? { width: 3, height: 2 } : undefined)
  })

  it.prop("is of no PNG image with a wrong byte", { at: integer(0, 400), bit: integer(0, 7) }, ({ at, bit }) => {
    const changed = IMAGES["image/png"].slice()
    changed[at % changed.length]! ^= 1 << bit
    assert.isUndefined(imageSize("image/png", changed))
  })

  it.prop(
    "is that of no part of an image, whose bytes break nothing wherever they are cut or changed",
    { type: anyOf([...FLOOR_PLAN_TYPES]), cut: integer(0, 400), at: integer(0, 400), byte: integer(0, 255) },
    ({ type, cut, at, byte }) => {
      const whole = IMAGES[type]
      const part = whole.slice(0, cut % whole.length)
      assert.isUndefined(imageSize(type, part))
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

  it.prop("needs room for its floor", { others: integer(0, 60) }, ({ others }) => {
    assert.strictEqual(Result.isSuccess(decideFloorPlan(others)), others < MAX_FLOOR_PLANS)
  })
})
