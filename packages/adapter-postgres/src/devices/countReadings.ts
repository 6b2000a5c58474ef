/** Counts the readings of many requests in one transaction: locks what they change, decides by the rule of core, and writes. */
import {
  type BegunEpochs,
  countReadings,
  type CountFacts,
  type CountResult,
  deviceAfterReadings,
  type DeviceId,
  DeviceNotFound,
  type DeviceProgress,
  type DeviceState,
  type Missing,
  type OrganizationId,
  type Premises,
  premisesKey,
  type PremisesCount,
  type Reading,
  type ReadingRefusal,
  type StoreError,
  type StoredEpoch,
  Timestamp
} from "@sojourn/core"
import { Effect, Exit, type Latch, Result } from "effect"
import { makeBatchQueue } from "../batching/BatchQueue.ts"
import { apartInTransactions, type BulkStatement } from "../database/BulkStatement.ts"
import { arrays } from "../database/columns.ts"
import type { Database } from "../database/Database.ts"
import { placeIdOf, premisesOf } from "../database/PremisesDirectory.ts"
import { instantOf } from "../database/rows.ts"
import type { Storing } from "../database/Storing.ts"
import { publishEvents } from "../feed/publishEvents.ts"
import * as sql from "./counts.sql.ts"

export interface CountRequest {
  readonly deviceId: DeviceId
  readonly readings: ReadonlyArray<Reading>
  readonly now: Timestamp
}

interface DeviceRow {
  readonly id: DeviceId
  readonly organization_id: OrganizationId
  readonly state: DeviceState
  readonly seen_at: Date | null
  readonly below_since: Date | null
  readonly begun_since: Date | null
  readonly begun_people: number
}

/** A device, and what the requests of the batch have made of it so far. */
interface BatchDevice extends DeviceProgress {
  readonly row: DeviceRow
  readonly begun: BegunEpochs | undefined
}

const deviceOf = (row: DeviceRow): BatchDevice => {
  const since = instantOf(row.begun_since)
  return {
    row,
    state: row.state,
    lastSeenAt: instantOf(row.seen_at),
    belowSince: instantOf(row.below_since),
    begun: since === undefined ? undefined : { since, people: row.begun_people }
  }
}

interface CountedRow {
  readonly organization_id: OrganizationId
  readonly place_id: bigint
  readonly counted: bigint
  /** See `missingOf`. */
  readonly missing: string
  readonly corrected_until: Date | null
}

/** What all devices have counted at premises. */
type SharedCount = Pick<CountFacts, "counted" | "missing" | "correctedUntil">

const missingOf = (json: string): ReadonlyArray<Missing> =>
  (JSON.parse(json) as ReadonlyArray<readonly [string, number, number]>).map(([deviceId, people, at]) => ({
    deviceId: BigInt(deviceId) as DeviceId,
    people,
    at: Timestamp(at)
  }))

const missingColumn = (missing: ReadonlyArray<Missing>): string =>
  JSON.stringify(missing.map(({ deviceId, people, at }) => [String(deviceId), people, at]))

interface PremisesRow {
  readonly device_id: DeviceId
  readonly place_id: bigint
  readonly newest: bigint
}

interface EpochRow {
  readonly device_id: DeviceId
  readonly place_id: bigint
  readonly epoch: string
  readonly number: bigint
  readonly in_total: bigint
  readonly out_total: bigint
}

/** What a device may count on at premises: the shared number is kept apart. */
interface DevicePremises {
  readonly newest: number
  readonly epochs: ReadonlyMap<string, StoredEpoch>
}

/** The facts of a batch, which the results of its requests change one after another. */
interface Facts {
  readonly devices: Map<DeviceId, BatchDevice>
  /** By the device and the key of premises. */
  readonly premises: Map<string, DevicePremises>
  /** By the key of premises. */
  readonly counted: Map<string, SharedCount>
}

type Refusal = DeviceNotFound | ReadingRefusal

const keyOf = (deviceId: DeviceId, premises: string): string => `${deviceId} ${premises}`

/** A reading with its device. */
interface Located {
  readonly device: DeviceRow
  readonly reading: Reading
}

/** Locks the numbers of premises, which are added where they are new. */
const lockCounted = Effect.fnUntraced(function* (db: Database, located: ReadonlyArray<Located>) {
  const keys = [
    arrays.bigints(located, ({ device }) => device.organization_id),
    arrays.bigints(located, ({ reading }) => placeIdOf(reading.premises))
  ]
  const wanted = new Set(located.map(({ reading }) => premisesKey(reading.premises))).size
  const rows = yield* db.run<CountedRow>(sql.LOCK_COUNTED, keys)
  if (rows.length === wanted) return rows
  yield* db.run(sql.ADD_COUNTED, keys)
  return yield* db.run<CountedRow>(sql.LOCK_COUNTED, keys)
})

/** Locks and reads what the requests are counted on. */
const readFacts = Effect.fnUntraced(function* (db: Database, requests: ReadonlyArray<CountRequest>) {
  yield* db.run(sql.LOCK_PLACES, [])
  const ids = [...new Set(requests.map(({ deviceId }) => deviceId))]
  const rows = yield* db.run<DeviceRow>(sql.DEVICES, [arrays.bigints(ids, (id) => id)])
  const devices = new Map(rows.map((row) => [row.id, row]))
  const own = yield* db.run<PremisesRow>(sql.PREMISES, [
    arrays.bigints(rows, ({ organization_id }) => organization_id),
    arrays.bigints(rows, ({ id }) => id)
  ])
  const nameOf = (deviceId: DeviceId, placeId: bigint) =>
    keyOf(deviceId, premisesKey(premisesOf({ organizationId: devices.get(deviceId)!.organization_id, placeId })))
  const newest = new Map(own.map((row) => [nameOf(row.device_id, row.place_id), Number(row.newest)]))
  const located = requests.flatMap(({ deviceId, readings }) => {
    const device = devices.get(deviceId)
    return readings.flatMap((reading): ReadonlyArray<Located> =>
      device !== undefined && newest.has(keyOf(deviceId, premisesKey(reading.premises))) ? [{ device, reading }] : []
    )
  })
  const counted = yield* lockCounted(db, located)
  const epochs = yield* db.run<EpochRow>(sql.EPOCHS, [
    arrays.bigints(located, ({ device }) => device.organization_id),
    arrays.bigints(located, ({ device }) => device.id),
    arrays.bigints(located, ({ reading }) => placeIdOf(reading.premises)),
    arrays.texts(located, ({ reading }) => reading.epoch)
  ])
  const epochsOf = Map.groupBy(epochs, (row) => nameOf(row.device_id, row.place_id))
  const storedEpoch = ({ epoch, number, in_total, out_total }: EpochRow): readonly [string, StoredEpoch] => [
    epoch,
    { number: Number(number), in: Number(in_total), out: Number(out_total) }
  ]
  return {
    devices: new Map(rows.map((row) => [row.id, deviceOf(row)])),
    premises: new Map(
      [...newest].map(([name, number]) => [
        name,
        { newest: number, epochs: new Map(epochsOf.get(name)?.map(storedEpoch) ?? []) }
      ])
    ),
    counted: new Map(
      counted.map((row) => [
        premisesKey(premisesOf({ organizationId: row.organization_id, placeId: row.place_id })),
        {
          counted: Number(row.counted),
          missing: missingOf(row.missing),
          correctedUntil: instantOf(row.corrected_until)
        }
      ])
    )
  } satisfies Facts
})

/** What a request changed. */
interface Counted extends CountResult {
  readonly device: DeviceRow
  readonly now: Timestamp
}

const NOTHING_COUNTED: SharedCount = { counted: 0, missing: [] }

/** Counts one request on the facts, and changes them by its result. */
const countRequest = (facts: Facts, { deviceId, readings, now }: CountRequest): Result.Result<Counted, Refusal> => {
  const device = facts.devices.get(deviceId)
  if (device === undefined) return Result.fail(new DeviceNotFound({ deviceId }))
  const factsOf = (premises: Premises): CountFacts | undefined => {
    const key = premisesKey(premises)
    const own = facts.premises.get(keyOf(deviceId, key))
    return own && { ...own, ...(facts.counted.get(key) ?? NOTHING_COUNTED) }
  }
  return Result.map(countReadings(readings, factsOf, { deviceId, now, begun: device.begun }), (result) => {
    for (const [key, { counted, missing, correctedUntil, newest, epochs }] of result.premises) {
      const known = facts.premises.get(keyOf(deviceId, key))!
      facts.premises.set(keyOf(deviceId, key), { newest, epochs: new Map([...known.epochs, ...epochs]) })
      facts.counted.set(key, { counted, missing, correctedUntil })
    }
    const progress = deviceAfterReadings(device, result.seen, now)
    facts.devices.set(deviceId, { row: device.row, ...progress, begun: result.begun })
    return { ...result, device: device.row, now }
  })
}

/** Writes the epochs of devices. Of those that several requests changed, the totals of the last one are theirs. */
const writeEpochs = (db: Database, results: ReadonlyArray<Counted>) => {
  const rows = new Map<string, { readonly device: DeviceRow; readonly count: PremisesCount; readonly epoch: string }>()
  for (const { device, premises } of results) {
    for (const [key, count] of premises) {
      for (const epoch of count.epochs.keys())
        rows.set(JSON.stringify([keyOf(device.id, key), epoch]), { device, count, epoch })
    }
  }
  const epochs = [...rows.values()]
  const number = (of: (stored: StoredEpoch) => number) =>
    arrays.bigints(epochs, ({ count, epoch }) => BigInt(of(count.epochs.get(epoch)!)))
  return db.run(sql.WRITE_EPOCHS, [
    arrays.bigints(epochs, ({ device }) => device.organization_id),
    arrays.bigints(epochs, ({ device }) => device.id),
    arrays.bigints(epochs, ({ count }) => placeIdOf(count.premises)),
    arrays.texts(epochs, ({ epoch }) => epoch),
    number((stored) => stored.number),
    number((stored) => stored.in),
    number((stored) => stored.out)
  ])
}

/** Writes the drift of devices, which readings of other devices repay, too. */
const writeDrift = Effect.fnUntraced(function* (db: Database, results: ReadonlyArray<Counted>) {
  const changes = results.flatMap(({ device, premises, now }) =>
    [...premises.values()].flatMap((count) =>
      Array.from(count.drift, ([deviceId, change]) => ({
        organizationId: device.organization_id,
        deviceId,
        placeId: placeIdOf(count.premises),
        change,
        now
      }))
    )
  )
  if (changes.length === 0) return
  const byDevice = [...Map.groupBy(changes, ({ deviceId, placeId }) => `${deviceId} ${placeId}`).values()]
  yield* db.run(sql.WRITE_DRIFT, [
    arrays.bigints(byDevice, ([one]) => one!.organizationId),
    arrays.bigints(byDevice, ([one]) => one!.deviceId),
    arrays.bigints(byDevice, ([one]) => one!.placeId),
    arrays.bigints(byDevice, (own) => BigInt(own.reduce((sum, { change }) => sum + change, 0))),
    arrays.instants(byDevice, (own) => Math.max(...own.map(({ now }) => now)))
  ])
})

/** Writes what the requests changed. Of premises that several of them changed, the number of the last one is theirs. */
const writeResults = Effect.fnUntraced(function* (db: Database, facts: Facts, results: ReadonlyArray<Counted>) {
  const devices = [...Map.groupBy(results, ({ device }) => device.id)]
  const after = ([id]: (typeof devices)[number]) => facts.devices.get(id)!
  yield* db.run(sql.SEEN, [
    arrays.bigints(devices, ([id]) => id),
    arrays.texts(devices, (one) => after(one).state),
    arrays.instants(devices, (one) => after(one).belowSince),
    arrays.instants(devices, (one) => after(one).begun?.since),
    arrays.bigints(devices, (one) => BigInt(after(one).begun?.people ?? 0)),
    arrays.instants(devices, ([, own]) => Math.max(...own.map(({ now }) => now)))
  ])
  const changes = results.flatMap(({ device, premises, now }) =>
    Array.from(premises, ([key, count]) => ({ device, key, count, now }))
  )
  if (changes.length === 0) return
  yield* writeEpochs(db, results)
  yield* writeDrift(db, results)
  const byPremises = [...Map.groupBy(changes, ({ key }) => key)]
  const sum = (of: (count: PremisesCount) => number) =>
    arrays.bigints(byPremises, ([, own]) => BigInt(own.reduce((total, { count }) => total + of(count), 0)))
  yield* db.run(sql.WRITE_COUNTED, [
    arrays.bigints(byPremises, ([, own]) => own[0]!.device.organization_id),
    arrays.bigints(byPremises, ([, own]) => placeIdOf(own[0]!.count.premises)),
    arrays.bigints(byPremises, ([key]) => BigInt(facts.counted.get(key)!.counted)),
    sum(({ entered }) => entered),
    sum(({ left }) => left),
    arrays.instants(byPremises, ([, own]) => Math.max(...own.map(({ now }) => now))),
    arrays.texts(byPremises, ([key]) => missingColumn(facts.counted.get(key)!.missing))
  ])
})

/** Publishes that devices report as they should again, in the order of organizations, as all transactions lock feeds. */
const publishRecovered = Effect.fnUntraced(function* (db: Database, facts: Facts, results: ReadonlyArray<Counted>) {
  const recovered = new Map(
    results.flatMap(({ device }) => {
      const isRecovered = device.state !== "new" && device.state !== facts.devices.get(device.id)!.state
      return isRecovered ? [[device.id, device] as const] : []
    })
  )
  const byOrganization = Map.groupBy(recovered.values(), ({ organization_id }) => organization_id)
  for (const [organizationId, devices] of [...byOrganization].sort(([one], [other]) => (one < other ? -1 : 1))) {
    yield* publishEvents(
      db,
      organizationId,
      devices.map(({ id: deviceId }) => ({ _tag: "DeviceChanged", deviceId, state: "ok" }))
    )
  }
})

/** The statement of readings. Requests are counted in their order; one that is refused changes nothing. */
export const countings = (db: Database, appended: Latch.Latch): BulkStatement<CountRequest, number, Refusal> => ({
  operation: "count readings",
  run: (requests) =>
    Effect.tap(
      db.transaction(
        Effect.gen(function* () {
          const facts = yield* readFacts(db, requests)
          const outcomes = requests.map((request) => countRequest(facts, request))
          const results = outcomes.flatMap((outcome) => (Result.isSuccess(outcome) ? outcome.success : []))
          if (results.length > 0) {
            yield* writeResults(db, facts, results)
            yield* publishRecovered(db, facts, results)
          }
          return outcomes.map((outcome) =>
            Result.isSuccess(outcome) ? Exit.succeed(outcome.success.accepted) : Exit.fail(outcome.failure)
          )
        })
      ),
      appended.open
    )
})

/** Who writes the readings of a request. */
export const writerOfCount = ({ deviceId }: CountRequest): string => `device ${deviceId}`

/** How many requests of devices may wait. */
const MAX_PENDING_REQUESTS = 10_000

/** Batches readings as long as the scope is open: requests that wait at the same moment share a transaction. */
export const batchCounts = (
  statement: ReturnType<typeof countings>,
  storing: Storing,
  ready: Effect.Effect<void, StoreError>
) =>
  Effect.map(
    makeBatchQueue(statement, {
      name: "counts",
      ready,
      apart: apartInTransactions(statement, storing, writerOfCount),
      largestBatch: 128,
      concurrency: 1,
      mostPending: MAX_PENDING_REQUESTS
    }),
    ({ submit }) =>
      (request: CountRequest) =>
        submit(request, { fairnessKey: request.deviceId })
  )
