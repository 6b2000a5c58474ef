/** Laws of `DeviceStore`: devices, their tokens, and their silence. */
import {
  type PresentedDeviceToken,
  type AdministratorId,
  DeviceId,
  DeviceStore,
  OrganizationPremises,
  PlacePremises,
  SIGHTING_DELAY_MS,
  SilentAfter,
  type Timestamp
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { after, NOW } from "../../arbitraries/times.ts"
import { aDevice, aToken, devicesOf, reading, send } from "../shared/devices.ts"
import {
  aBoundAdministrator,
  anOrganization,
  aPlace,
  countIn,
  deleteOrganization,
  neverCreated,
  NO_PLACE,
  removePlace,
  someAdministrator
} from "../shared/fixtures.ts"
import { seen, expectRefusals, race, refused, same, times } from "../shared/outcome.ts"
import { changePolicy } from "../shared/policies.ts"
import { eventsSince, versionOf } from "../shared/presenceFeed.ts"
import { type Laws, suite } from "../shared/suite.ts"

const remove = (deviceId: DeviceId, administratorId: AdministratorId) =>
  DeviceStore.use((store) => store.remove({ deviceId, administratorId }))

/** Gives a device another token, and answers that. */
const rotate = Effect.fnUntraced(function* (deviceId: DeviceId, administratorId: AdministratorId, now: Timestamp) {
  const store = yield* DeviceStore
  const token = aToken(deviceId)
  const tokenHash = token.hash
  yield* store.rotate({ deviceId, administratorId, tokenHash, now })
  return token
})

/** The id of the device whose token is valid at some time. */
const deviceOfToken = (token: PresentedDeviceToken, now: Timestamp = NOW) =>
  DeviceStore.use((store) => Effect.map(store.findByToken(token, now), (found) => Option.getOrUndefined(found)?.id))

const kindOfToken = (token: PresentedDeviceToken) =>
  DeviceStore.use((store) => Effect.map(store.findByToken(token, NOW), (found) => Option.getOrUndefined(found)?.kind))

const existing = (...ids: ReadonlyArray<DeviceId>) => DeviceStore.use((store) => store.existing(ids))

/** Marks the devices that have lapsed some milliseconds later. */
const mark = (later: number) =>
  DeviceStore.use((store) =>
    Effect.gen(function* () {
      while ((yield* store.markStates(after(NOW, later), 100)) > 0);
    })
  )

const NO_DEVICE = DeviceId.make(NO_PLACE)

const laws: Laws = (it) => {
  it("a device is kept as it was made, and listed in the order of creation", function* (fixture, other) {
    const premises = [PlacePremises((yield* aPlace(fixture)).id), fixture.premises]
    const { device, token } = yield* aDevice(fixture, premises)
    const { device: second } = yield* aDevice(fixture)
    same(device, {
      id: device.id,
      organizationId: fixture.id,
      name: "Door",
      kind: "counter",
      premises,
      creationDate: NOW,
      state: "new",
      drift: 0
    })
    same(yield* devicesOf(fixture), [device, second])
    const { device: display, token: ofDisplay } = yield* aDevice(fixture, premises, "display")
    same(display, { ...device, id: display.id, kind: "display" })
    same(yield* devicesOf(fixture), [device, second, display])
    same(yield* kindOfToken(ofDisplay), "display")
    same(yield* kindOfToken(token), "counter")
    same(yield* devicesOf(other), [])
    assert.strictEqual(yield* deviceOfToken(token), device.id)
    assert.isUndefined(yield* deviceOfToken(aToken(fixture.id)))
  })

  it("a device is a manager's, and decided on the number of devices, and premises of its organization", function* (fixture, other) {
    const foreign = PlacePremises((yield* aPlace(other)).id)
    yield* aDevice(fixture)
    const store = yield* DeviceStore
    const create = (administratorId: AdministratorId, premises: typeof foreign) => {
      const creation = {
        organizationId: fixture.id,
        administratorId,
        name: "Door",
        kind: "counter",
        now: NOW,
        premises: [premises]
      } as const
      return store.create({ ...creation, tokenHash: aToken(fixture.id).hash, decide: seen })
    }
    const own = PlacePremises((yield* aPlace(fixture)).id)
    const manager = yield* aBoundAdministrator(fixture, "manager")
    same((yield* refused(create(manager.administratorId, own), "Seen")).facts, { devices: 1 })
    same((yield* refused(create(manager.administratorId, foreign), "Seen")).facts, { devices: 1, unknown: foreign })
    const viewer = yield* aBoundAdministrator(fixture, "viewer")
    for (const administratorId of [viewer.administratorId, someAdministrator(), other.owner]) {
      yield* refused(create(administratorId, own), "PermissionTooLow")
    }
    same(yield* devicesOf({ ...fixture, owner: viewer.administratorId }), yield* devicesOf(fixture))
    yield* refused(devicesOf({ ...fixture, owner: other.owner }), "PermissionTooLow")
    same((yield* devicesOf(fixture)).length, 1)
    yield* refused(aDevice(fixture, [OrganizationPremises(other.id)]), "DevicePremisesUnknown")
  })

  it("of racing devices no more are kept than are allowed", function* (fixture) {
    const racing = times(8, () =>
      DeviceStore.use((store) =>
        store.create({
          organizationId: fixture.id,
          administratorId: fixture.owner,
          name: "Door",
          kind: "counter",
          premises: [fixture.premises],
          tokenHash: aToken(fixture.id).hash,
          now: NOW,
          decide: ({ devices }) => (devices < 3 ? Result.void : Result.fail({ _tag: "TooManyDevices" } as const))
        })
      )
    )
    yield* expectRefusals(race(racing), { TooManyDevices: 5 })
    assert.strictEqual((yield* devicesOf(fixture)).length, 3)
  })

  it("the former token of a device is valid for 60 s more, and the one before it no longer", function* (fixture) {
    const { device, token: first } = yield* aDevice(fixture)
    const second = yield* rotate(device.id, fixture.owner, NOW)
    assert.strictEqual(yield* deviceOfToken(first, after(NOW, 59_999)), device.id)
    assert.isUndefined(yield* deviceOfToken(first, after(NOW, 60_000)))
    assert.strictEqual(yield* deviceOfToken(second, after(NOW, 60_000)), device.id)
    const third = yield* rotate(device.id, fixture.owner, after(NOW, 1_000))
    assert.isUndefined(yield* deviceOfToken(first, after(NOW, 2_000)))
    assert.strictEqual(yield* deviceOfToken(second, after(NOW, 2_000)), device.id)
    assert.strictEqual(yield* deviceOfToken(third, after(NOW, 2_000)), device.id)
  })

  it("a removed device has no valid token, and what it counted stays counted", function* (fixture) {
    const { device, token } = yield* aDevice(fixture)
    const former = token
    const current = yield* rotate(device.id, fixture.owner, NOW)
    yield* send(device, [reading(fixture.premises, 5, 2)])
    const viewer = yield* aBoundAdministrator(fixture, "viewer")
    yield* refused(remove(device.id, viewer.administratorId), "PermissionTooLow")
    yield* refused(rotate(device.id, someAdministrator(), NOW), "PermissionTooLow")
    const { device: stays } = yield* aDevice(fixture, undefined, "display")
    yield* remove(device.id, fixture.owner)
    same(yield* existing(device.id, stays.id, NO_DEVICE), [stays.id])
    same(yield* existing(), [])
    yield* remove(stays.id, fixture.owner)
    for (const hash of [former, current]) assert.isUndefined(yield* deviceOfToken(hash))
    yield* refused(send(device, [reading(fixture.premises, 9, 2)]), "DeviceNotFound")
    for (const id of [device.id, NO_DEVICE]) {
      yield* refused(remove(id, fixture.owner), "DeviceNotFound")
      yield* refused(rotate(id, fixture.owner, NOW), "DeviceNotFound")
    }
    same(yield* devicesOf(fixture), [])
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 3)
  })

  it("a deleted place leaves the premises of a device, and a deleted organization takes its devices along", function* (fixture) {
    const place = yield* aPlace(fixture)
    const { device, token } = yield* aDevice(fixture, [PlacePremises(place.id), fixture.premises])
    yield* removePlace(fixture, place)
    same((yield* devicesOf(fixture))[0]?.premises, [fixture.premises])
    yield* refused(send(device, [reading(PlacePremises(place.id), 1, 0)]), "NotCountedByDevice")
    yield* deleteOrganization(fixture)
    assert.isUndefined(yield* deviceOfToken(token))
    yield* refused(send(device, [reading(fixture.premises, 1, 0)]), "DeviceNotFound")
    for (const gone of [fixture, neverCreated(fixture)]) {
      yield* refused(devicesOf(gone), "OrganizationNotFound")
      yield* refused(aDevice(gone), "OrganizationNotFound")
    }
  })

  it("a device that sends nothing is silent once, until its next reading", function* () {
    const fixture = yield* anOrganization()
    yield* changePolicy(fixture, { deviceSilentAfter: SilentAfter.make(60) })
    const { device } = yield* aDevice(fixture)
    yield* aDevice(fixture)
    const before = yield* versionOf(fixture)
    const states = Effect.map(devicesOf(fixture), (devices) => devices.map(({ state }) => state))
    yield* mark(1_000_000)
    same(yield* states, ["new", "new"])
    yield* send(device, [reading(fixture.premises, 0, 0)], after(NOW, 1_000_000))
    yield* mark(1_059_999)
    same(yield* states, ["ok", "new"])
    yield* mark(1_060_000)
    yield* mark(1_070_000)
    same(yield* states, ["silent", "new"])
    yield* send(device, [reading(fixture.premises, 0, 0)], after(NOW, 1_080_000))
    same(yield* states, ["ok", "new"])
    same(
      (yield* eventsSince(fixture, before)).filter(({ _tag }) => _tag === "DeviceChanged"),
      [
        { _tag: "DeviceChanged", deviceId: device.id, state: "silent" },
        { _tag: "DeviceChanged", deviceId: device.id, state: "ok" }
      ]
    )
  })

  it("a display that sends nothing is silent once, until it is seen again", function* () {
    const fixture = yield* anOrganization()
    yield* changePolicy(fixture, { deviceSilentAfter: SilentAfter.make(60) })
    const { device: display } = yield* aDevice(fixture, undefined, "display")
    const { device: other } = yield* aDevice(fixture, undefined, "display")
    const { device: counter } = yield* aDevice(fixture)
    const before = yield* versionOf(fixture)
    const sights = (deviceId: DeviceId, later: number, recorded = later) =>
      DeviceStore.use((store) =>
        store.recordSightings([{ organizationId: fixture.id, deviceId, at: after(NOW, later) }], after(NOW, recorded))
      )
    const found = Effect.map(devicesOf(fixture), (devices) =>
      devices.map(({ state, lastSeenAt }) => [state, lastSeenAt === undefined ? undefined : lastSeenAt - NOW])
    )
    for (const id of [display.id, counter.id, NO_DEVICE]) yield* sights(id, 0)
    yield* sights(display.id, 50_000, 60_000)
    same(yield* found, [
      ["ok", 50_000],
      ["new", undefined],
      ["new", undefined]
    ])
    // Sightings are recorded late: one that was not heard of yet may be on its way.
    yield* mark(110_000 + SIGHTING_DELAY_MS - 1)
    yield* sights(display.id, 40_000, 112_000)
    same((yield* found)[0], ["ok", 50_000])
    yield* mark(110_000 + SIGHTING_DELAY_MS)
    yield* sights(display.id, 50_000, 113_000)
    yield* mark(120_000)
    same((yield* found)[0], ["silent", 50_000])
    yield* sights(display.id, 121_000)
    yield* sights(other.id, 121_000)
    same(yield* found, [
      ["ok", 121_000],
      ["ok", 121_000],
      ["new", undefined]
    ])
    same(
      (yield* eventsSince(fixture, before)).filter(({ _tag }) => _tag === "DeviceChanged"),
      [
        { _tag: "DeviceChanged", deviceId: display.id, state: "silent" },
        { _tag: "DeviceChanged", deviceId: display.id, state: "ok" }
      ]
    )
  })

  it("a display that shows all day is recorded in time, to the minute, however often it is seen", function* () {
    const fixture = yield* anOrganization()
    yield* changePolicy(fixture, { deviceSilentAfter: SilentAfter.make(2) })
    const { device: display } = yield* aDevice(fixture, undefined, "display")
    const store = yield* DeviceStore
    const minuteOf = (at: number) => Math.floor(at / 60_000)
    for (let later = 0; later < 130_000; later += 1_000) {
      const at = after(NOW, later)
      yield* store.recordSightings([{ organizationId: fixture.id, deviceId: display.id, at }], at)
      yield* mark(later + 1_000)
      const [found] = yield* devicesOf(fixture)
      same([found!.state, minuteOf(found!.lastSeenAt!)], ["ok", minuteOf(at)])
    }
    yield* store.recordSightings(
      [{ organizationId: fixture.id, deviceId: display.id, at: after(NOW, 129_000) }],
      after(NOW, 131_000)
    )
    same((yield* devicesOf(fixture))[0]!.lastSeenAt, after(NOW, 129_000))
  })

  it("a display that was seen by a clock that was ahead by a year is silent in time once the clock is right", function* () {
    const fixture = yield* anOrganization()
    yield* changePolicy(fixture, { deviceSilentAfter: SilentAfter.make(60) })
    const { device: display } = yield* aDevice(fixture, undefined, "display")
    const year = after(NOW, 366 * 24 * 60 * 60_000)
    const store = yield* DeviceStore
    yield* store.recordSightings([{ organizationId: fixture.id, deviceId: display.id, at: year }], year)
    yield* store.recordSightings([{ organizationId: fixture.id, deviceId: display.id, at: NOW }], NOW)
    same((yield* devicesOf(fixture))[0]!.lastSeenAt, NOW)
    yield* mark(60_000 + SIGHTING_DELAY_MS)
    same((yield* devicesOf(fixture))[0]!.state, "silent")
  })

  it("a device whose totals began again is behind, until a reading counts", function* () {
    const fixture = yield* anOrganization()
    yield* changePolicy(fixture, { deviceSilentAfter: SilentAfter.make(1_000) })
    const devices = [yield* aDevice(fixture), yield* aDevice(fixture), yield* aDevice(fixture)].map(
      ({ device }) => device
    )
    const [restarted, late, renamed] = [devices[0]!, devices[1]!, devices[2]!]
    const before = yield* versionOf(fixture)
    const mark = (later: number) =>
      DeviceStore.use((store) =>
        Effect.gen(function* () {
          while ((yield* store.markStates(after(NOW, later), 1)) > 0);
        })
      )
    const states = Effect.map(devicesOf(fixture), (found) => found.map(({ state }) => state))
    const sends = (device: typeof late, into: number, later: number, epoch?: string) =>
      send(device, [reading(fixture.premises, into, 0, epoch)], after(NOW, later))
    for (const device of devices) yield* sends(device, 9, 0)
    for (const later of [1_000, 100_000, 300_999]) {
      yield* sends(restarted, 3, later)
      yield* sends(renamed, 3, later)
    }
    yield* sends(late, 8, 1_000)
    yield* mark(300_999)
    same(yield* states, ["ok", "ok", "ok"])
    yield* mark(301_000)
    yield* mark(302_000)
    same(yield* states, ["behind", "ok", "behind"])
    yield* sends(restarted, 4, 303_000)
    yield* sends(renamed, 9, 303_000)
    same(yield* states, ["behind", "ok", "behind"])
    yield* sends(restarted, 10, 304_000)
    yield* sends(renamed, 0, 304_000, "b")
    same(yield* states, ["ok", "ok", "ok"])
    yield* mark(2_000_000)
    same(yield* states, ["silent", "silent", "silent"])
    const told = (yield* eventsSince(fixture, before)).flatMap((event) =>
      event._tag === "DeviceChanged" ? [[event.deviceId, event.state]] : []
    )
    same(told, [
      [restarted.id, "behind"],
      [renamed.id, "behind"],
      [restarted.id, "ok"],
      [renamed.id, "ok"],
      ...devices.map(({ id }) => [id, "silent"])
    ])
  })

  it("a device that reported by a clock that was ahead by a year is silent in time once the clock is right", function* () {
    const fixture = yield* anOrganization()
    yield* changePolicy(fixture, { deviceSilentAfter: SilentAfter.make(60) })
    const year = 366 * 24 * 60 * 60_000
    const { device, token } = yield* aDevice(fixture)
    const { device: reporting } = yield* aDevice(fixture)
    const mark = (later: number) => DeviceStore.use((store) => store.markStates(after(NOW, later), 100))
    const states = Effect.map(devicesOf(fixture), (devices) => devices.map(({ state }) => state))
    for (const one of [device, reporting]) yield* send(one, [reading(fixture.premises, 0, 0)], after(NOW, year))
    yield* rotate(device.id, fixture.owner, after(NOW, year))
    assert.isUndefined(yield* deviceOfToken(token))
    yield* send(reporting, [reading(fixture.premises, 0, 0)], NOW)
    yield* mark(1)
    yield* send(reporting, [reading(fixture.premises, 0, 0)], after(NOW, 50_000))
    yield* mark(60_001)
    same(yield* states, ["silent", "ok"])
  })
}

/** What every adapter of `DeviceStore` promises. */
export const deviceStoreLaws = suite("DeviceStore", [laws])
