/** Tokens of devices, and when a device is silent. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Redacted, Result } from "effect"
import {
  behindFrom,
  CellNumber,
  decideDevice,
  deviceAfterReadings,
  type DeviceProgress,
  deviceTokenOf,
  hashDeviceToken,
  idRangeOf,
  isDeviceToken,
  isNewSighting,
  isValidDeviceToken,
  MAX_DEVICES,
  PlaceId,
  PlacePremises,
  presentedDeviceToken,
  type ReadingsSeen,
  rotateDeviceTokens,
  silentFrom,
  Timestamp
} from "../../../src/index.ts"
import { integer } from "@sojourn/testing"
import { refusal } from "../../trials.ts"

const NOW = Timestamp(1_772_352_000_000)

describe("the token of a device", () => {
  it.prop(
    "says which cell issued the id of its device, and keeps 248 random bits",
    {
      random: Arbitrary.map(Arbitrary.array(integer(0, 255), { minLength: 32, maxLength: 32 }), (bytes) =>
        Uint8Array.from(bytes)
      ),
      cell: integer(0, 255)
    },
    ({ random, cell }) => {
      const token = deviceTokenOf(random, idRangeOf(CellNumber.make(cell)).first)
      assert.strictEqual(presentedDeviceToken(token)?.cell, cell)
      assert.match(Redacted.value(token), /^sjd_[A-Za-z0-9_-]{43}$/)
      const bytes = Buffer.from(Redacted.value(token).slice(4), "base64url")
      assert.deepStrictEqual([...bytes.subarray(1)], [...random.subarray(1)])
    }
  )

  it("is stored as a hash", () => {
    const [one, other] = [deviceTokenOf(new Uint8Array(32), 1n), deviceTokenOf(new Uint8Array(32).fill(255), 1n)]
    assert.match(Redacted.value(one), /^sjd_[A-Za-z0-9_-]{43}$/)
    assert.isTrue(isDeviceToken(one))
    const hashes = [one, other].map((token) => hashDeviceToken(token))
    assert.notStrictEqual(hashes[0], hashes[1])
    assert.strictEqual(hashDeviceToken(one), hashes[0])
    assert.notInclude(String(hashes[0]), Redacted.value(one).slice(4))
    for (const text of ["", "sjd_", `${Redacted.value(one)}A`, Redacted.value(one).slice(0, -1)]) {
      assert.isUndefined(hashDeviceToken(Redacted.make(text)))
    }
  })

  it("is valid for a minute after another one was made, until a third is", () => {
    const first = { current: "a" }
    const second = rotateDeviceTokens(first, "b", NOW)
    const valid = (tokens: typeof second, hash: string, later: number) =>
      isValidDeviceToken(tokens, hash, Timestamp(NOW + later))
    assert.deepStrictEqual([valid(first, "a", 0), valid(first, "b", 0)], [true, false])
    assert.deepStrictEqual(
      [valid(second, "a", 59_999), valid(second, "a", 60_000), valid(second, "b", 1e9)],
      [true, false, true]
    )
    const third = rotateDeviceTokens(second, "c", Timestamp(NOW + 1_000))
    assert.deepStrictEqual(
      [valid(third, "a", 2_000), valid(third, "b", 60_999), valid(third, "c", 1e9)],
      [false, true, true]
    )
  })
})

describe("a device", () => {
  it("is silent some time after its last request, if it ever sent one", () => {
    assert.strictEqual(silentFrom({ state: "ok", lastSeenAt: NOW }, 60), NOW + 60_000)
    assert.strictEqual(silentFrom({ state: "ok", lastSeenAt: NOW }), NOW + 900_000)
    assert.strictEqual(silentFrom({ state: "silent", lastSeenAt: NOW }), Infinity)
    assert.strictEqual(silentFrom({ state: "new" }), Infinity)
    assert.strictEqual(silentFrom({ kind: "display", state: "ok", lastSeenAt: NOW }, 60), NOW + 62_500)
  })

  it("that is a display was seen at the latest of its requests, by a clock that is right", () => {
    const year = Timestamp(NOW + 366 * 86_400_000)
    const isNew = (lastSeenAt: Timestamp | undefined, at: number, kind: "display" | "counter" = "display") =>
      isNewSighting({ kind, lastSeenAt }, Timestamp(NOW + at), NOW)
    assert.deepStrictEqual([isNew(undefined, 0), isNew(NOW, 1), isNew(year, 0)], [true, true, true])
    assert.deepStrictEqual([isNew(NOW, 0), isNew(NOW, -1), isNew(undefined, 0, "counter")], [false, false, false])
  })

  it("is behind once its totals have been below for 5 minutes, until one counts", () => {
    let device: DeviceProgress = { state: "new" }
    const sends = (seen: ReadingsSeen, later: number) => {
      device = deviceAfterReadings(device, seen, Timestamp(NOW + later))
      return device.state
    }
    sends("counted", 0)
    sends("below", 1_000)
    assert.strictEqual(behindFrom(device), Infinity)
    sends("below", 2_000)
    assert.strictEqual(behindFrom(device), NOW + 301_000)
    sends("same", 3_000)
    assert.strictEqual(behindFrom(device), Infinity)
    sends("below", 4_000)
    sends("below", 300_000)
    assert.strictEqual(behindFrom(device), NOW + 304_000)
    device = { ...device, state: "behind" }
    assert.deepStrictEqual([sends("below", 305_000), sends("same", 306_000)], ["behind", "behind"])
    assert.strictEqual(silentFrom(device, 60), NOW + 366_000)
    assert.strictEqual(behindFrom(device), Infinity)
    assert.strictEqual(sends("counted", 307_000), "ok")
    sends("below", 308_000)
    device = { ...device, state: "silent" }
    // What was below before it fell silent counts no more.
    sends("below", 900_000)
    sends("below", 900_001)
    assert.strictEqual(behindFrom(device), NOW + 1_200_000)
  })

  it("is made at premises of the organization, up to the largest number", () => {
    const facts = { devices: MAX_DEVICES - 1, unknown: undefined }
    assert.isTrue(Result.isSuccess(decideDevice(facts)))
    assert.deepInclude(refusal(decideDevice({ ...facts, devices: MAX_DEVICES })), { _tag: "TooManyDevices" })
    const unknown = PlacePremises(PlaceId.make(7n))
    assert.deepInclude(refusal(decideDevice({ ...facts, unknown })), { _tag: "DevicePremisesUnknown" })
  })
})
