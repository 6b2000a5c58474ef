/** The images of floor plans: their types, how large they may be, and their size in pixels, read from their headers. */

/** The media types of floor plans. */
export const FLOOR_PLAN_TYPES = ["image/png", "image/jpeg", "image/webp"] as const

/** A media type of floor plans. */
export type FloorPlanType = (typeof FLOOR_PLAN_TYPES)[number]

/** The most bytes of the image of a floor plan. */
export const MAX_FLOOR_PLAN_BYTES = 1024 * 1024

/** The size of an image in pixels. */
interface ImageSize {
  readonly width: number
  readonly height: number
}

const textAt = (bytes: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length))

const PNG = "\x89PNG\r\n\x1a\n"

/** The first chunk of a PNG image has its size, and the last one is `IEND`. */
const pngSize = (bytes: Uint8Array, view: DataView): ImageSize | undefined => {
  if (textAt(bytes, 0, 8) !== PNG || textAt(bytes, 12, 4) !== "IHDR" || view.getUint32(8) !== 13) return undefined
  let at = 8
  while (at + 12 <= bytes.length) {
    const end = at + 12 + view.getUint32(at)
    if (textAt(bytes, at + 4, 4) === "IEND") {
      return end > bytes.length ? undefined : { width: view.getUint32(16), height: view.getUint32(20) }
    }
    at = end
  }
  return undefined
}

/** The markers of JPEG frames, C0 to CF without the tables and extensions C4, C8 and CC. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** The header of the frame of a JPEG image has its size; a scan follows it. */
const jpegSize = (bytes: Uint8Array, view: DataView): ImageSize | undefined => {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined
  let size: ImageSize | undefined
  let at = 2
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1]!
    if (marker === 0xff) {
      at += 1
      continue
    }
    const length = view.getUint16(at + 2)
    if (marker === 0xda) return size
    if (isFrame(marker) && at + 9 <= bytes.length) {
      size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    }
    if (length < 2) return undefined
    at += 2 + length
  }
  return undefined
}

/** The first chunk of a WebP image has its size, in one of three forms. */
const webpSize = (bytes: Uint8Array, view: DataView): ImageSize | undefined => {
  if (textAt(bytes, 0, 4) !== "RIFF" || textAt(bytes, 8, 4) !== "WEBP" || bytes.length < 30) return undefined
  if (view.getUint32(4, true) + 8 > bytes.length) return undefined
  const little24 = (at: number) => view.getUint16(at, true) + bytes[at + 2]! * 65_536
  switch (textAt(bytes, 12, 4)) {
    case "VP8X":
      return { width: little24(24) + 1, height: little24(27) + 1 }
    case "VP8L": {
      const bits = view.getUint32(21, true)
      return bytes[20] === 0x2f ? { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 } : undefined
    }
    case "VP8 ":
      return little24(23) === 0x2a019d
        ? { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
        : undefined
    default:
      return undefined
  }
}

const READERS = { "image/png": pngSize, "image/jpeg": jpegSize, "image/webp": webpSize } as const

/** The shortest image that has a header of any of the types, in bytes. */
const MIN_BYTES = 24

/**
 * The size of an image in pixels; undefined where the bytes are no image of this type. What is drawn in it is not decoded.
 */
export const imageSize = (type: FloorPlanType, bytes: Uint8Array): ImageSize | undefined => {
  if (bytes.length < MIN_BYTES) return undefined
  const size = READERS[type](bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  return size === undefined || size.width === 0 || size.height === 0 ? undefined : size
}
