/** The images of floor plans: their types, how large they may be, and their size in pixels, read from their parts. */

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

const CRC_OF_BYTE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  return crc
})

/** The CRC-32 of bytes, as the chunks of PNG images have it. */
const crcOf = (bytes: Uint8Array): number => {
  let crc = 0xffffffff
  for (let at = 0; at < bytes.length; at++) crc = (crc >>> 8) ^ CRC_OF_BYTE[(crc ^ bytes[at]!) & 0xff]!
  return ~crc >>> 0
}

const PNG = "\x89PNG\r\n\x1a\n"

/**
 * The first chunk of a PNG image has its size, one or more with data follow each other, and the last one is `IEND`. Each has the right
 * CRC. An `acTL` makes it an animation, which is refused.
 */
const pngSize = (bytes: Uint8Array, view: DataView): ImageSize | undefined => {
  if (textAt(bytes, 0, 8) !== PNG) return undefined
  let size: ImageSize | undefined
  let hasData = false
  let last = ""
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = view.getUint32(at)
    const type = textAt(bytes, at + 4, 4)
    const end = at + 12 + length
    if (end > bytes.length || view.getUint32(end - 4) !== crcOf(bytes.subarray(at + 4, end - 4))) return undefined
    if ((size === undefined) !== (type === "IHDR") || type === "acTL") return undefined
    if (type === "IHDR") {
      if (length !== 13) return undefined
      size = { width: view.getUint32(16), height: view.getUint32(20) }
    } else if (type === "IDAT") {
      if (hasData && last !== "IDAT") return undefined
      hasData = true
    } else if (type === "IEND") return hasData && length === 0 ? size : undefined
    last = type
    at = end
  }
  return undefined
}

/** The markers of JPEG frames, C0 to CF without the tables and extensions C4, C8 and CC. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

const SCAN = 0xda
const END = 0xd9

/** Where the next marker of a JPEG image is, after the data of a scan: a stuffed FF and restarts are of the data. */
const afterScan = (bytes: Uint8Array, from: number): number => {
  let at = bytes.indexOf(0xff, from)
  while (at !== -1) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at
    at = bytes.indexOf(0xff, at + 1)
  }
  return bytes.length
}

/**
 * The header of the one frame of a JPEG image has its size; one or more scans follow it, and the end. An index of more pictures (`MPF`)
 * makes it several, which is refused.
 */
const jpegSize = (bytes: Uint8Array, view: DataView): ImageSize | undefined => {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined
  let size: ImageSize | undefined
  let hasScan = false
  let at = 2
  while (at + 2 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1]!
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === END) return hasScan ? size : undefined
    if (at + 4 > bytes.length) return undefined
    const length = view.getUint16(at + 2)
    const end = at + 2 + length
    if (length < 2 || end > bytes.length) return undefined
    if (marker === 0xe2 && length >= 6 && textAt(bytes, at + 4, 4) === "MPF\0") return undefined
    if (isFrame(marker)) {
      if (size !== undefined || length < 8) return undefined
      size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    }
    if (marker === SCAN && size === undefined) return undefined
    hasScan ||= marker === SCAN
    at = marker === SCAN ? afterScan(bytes, end) : end
  }
  return undefined
}

const little24 = (view: DataView, at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536

/** The size that the data of a WebP image has, lossless or lossy; it begins at `at` and has a header. */
const webpDataSize = (type: string, view: DataView, at: number, length: number): ImageSize | undefined => {
  if (type === "VP8L") {
    if (length < 5 || view.getUint8(at) !== 0x2f) return undefined
    const bits = view.getUint32(at + 1, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  // A key frame is an image by itself; another is a change of the one before.
  if (length < 10 || (view.getUint8(at) & 1) !== 0 || little24(view, at + 3) !== 0x2a019d) return undefined
  return { width: view.getUint16(at + 6, true) & 0x3fff, height: view.getUint16(at + 8, true) & 0x3fff }
}

const ANIMATION = 2

/**
 * A WebP image is one chunk of data, alone or after a `VP8X`, which has the size then and says whether the image is an animation. One with
 * frames is refused.
 */
const webpSize = (bytes: Uint8Array, view: DataView): ImageSize | undefined => {
  if (textAt(bytes, 0, 4) !== "RIFF" || textAt(bytes, 8, 4) !== "WEBP") return undefined
  const whole = view.getUint32(4, true) + 8
  if (whole > bytes.length) return undefined
  let canvas: ImageSize | undefined
  let size: ImageSize | undefined
  for (let at = 12; at + 8 <= whole;) {
    const type = textAt(bytes, at, 4)
    const length = view.getUint32(at + 4, true)
    const data = at + 8
    if (data + length > whole || type === "ANIM" || type === "ANMF") return undefined
    if (type === "VP8X") {
      if (at !== 12 || length < 10 || (view.getUint8(data) & ANIMATION) !== 0) return undefined
      canvas = { width: little24(view, data + 4) + 1, height: little24(view, data + 7) + 1 }
    } else if (type === "VP8 " || type === "VP8L") {
      if (size !== undefined || (canvas === undefined && at !== 12)) return undefined
      size = webpDataSize(type, view, data, length)
      if (size === undefined) return undefined
    } else if (at === 12) return undefined
    at = data + length + (length % 2)
  }
  const isWhole = canvas === undefined || (canvas.width === size?.width && canvas.height === size.height)
  return isWhole ? size : undefined
}

const READERS = { "image/png": pngSize, "image/jpeg": jpegSize, "image/webp": webpSize } as const

/** The shortest image that has a header of any of the types, in bytes. */
const MIN_BYTES = 24

/** The size of an image in pixels; undefined where the bytes are no single, whole image of this type. What it shows is not decoded. */
export const imageSize = (type: FloorPlanType, bytes: Uint8Array): ImageSize | undefined => {
  if (bytes.length < MIN_BYTES) return undefined
  const size = READERS[type](bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  return size === undefined || size.width === 0 || size.height === 0 ? undefined : size
}
