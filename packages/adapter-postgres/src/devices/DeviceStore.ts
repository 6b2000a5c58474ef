/** The port `DeviceStore` in PostgreSQL. Only hashes of tokens are stored. */
import {
  type AdministratorId,
  BEHIND_AFTER_MS,
  DEFAULT_SILENT_AFTER_SECONDS,
  type Device,
  deviceCreated,
  type DeviceId,
  type DeviceKind,
  DeviceNotFound,
  deviceRemoved,
  type DeviceState,
  type DeviceStore,
  deviceTokenMade,
  type DeviceTokens,
  type DisplaySighting,
  isValidDeviceToken,
  type OrganizationId,
  OrganizationNotFound,
  recorded,
  rotateDeviceTokens,
  SIGHTING_DELAY_MS,
  type Timestamp
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Clock, Effect, Exit, Option } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { BulkStatement, Operation } from "../database/BulkStatement.ts"
import { arrays } from "../database/columns.ts"
import type { Database } from "../database/Database.ts"
import { type ForReader, readRows, requireLevelIn } from "../database/levels.ts"
import { organizationsApart, togetherOrApart } from "../database/leavingOut.ts"
import { lockOrganization, requireOrganization } from "../database/locks.ts"
import { placeIdOf, premisesOf } from "../database/PremisesDirectory.ts"
import { idsOf, instantOf, requireRow, timestampOf } from "../database/rows.ts"
import type { Changes, Storing } from "../database/Storing.ts"
import { publishEvents } from "../feed/publishEvents.ts"
import * as sql from "./devices.sql.ts"

interface DeviceRow {
  readonly id: DeviceId
  readonly organization_id: OrganizationId
  readonly name: string
  readonly kind: DeviceKind
  readonly creation_date: Date
  readonly state: DeviceState
  readonly seen_at: Date | null
  readonly token_hash: string
  readonly former_hash: string | null
  readonly former_until: Date | null
}

interface WholeDeviceRow extends DeviceRow {
  readonly place_ids: string
  readonly whole_drift: bigint
}

const deviceOf = (row: WholeDeviceRow): Device => ({
  id: row.id,
  organizationId: row.organization_id,
  name: row.name,
  kind: row.kind,
  premises: idsOf(row.place_ids).map((placeId) => premisesOf({ organizationId: row.organization_id, placeId })),
  creationDate: timestampOf(row.creation_date),
  state: row.state,
  lastSeenAt: instantOf(row.seen_at),
  drift: Number(row.whole_drift)
})

interface SightedRow extends Pick<DeviceRow, "id" | "organization_id" | "state"> {
  readonly at: Date
}

interface LapsedRow extends Pick<DeviceRow, "id" | "organization_id"> {
  readonly state: "silent" | "behind"
}

const tokensOf = ({ token_hash: current, former_hash: hash, former_until: until }: DeviceRow): DeviceTokens =>
  hash === null || until === null ? { current } : { current, former: { hash, until: timestampOf(until) } }

/** A token to look up. */
interface TokenLookup {
  readonly tokenHash: string
  readonly now: Timestamp
}

/** The device of a token, where it is valid. */
type DeviceOfToken = Option.Option<Pick<Device, "id" | "organizationId" | "kind">>

/** The statement of devices by their tokens. */
export const devicesByToken = (db: Database): BulkStatement<TokenLookup, DeviceOfToken, never> => ({
  operation: "find the device of a token",
  run: (items) =>
    Effect.map(db.run<DeviceRow>(sql.BY_TOKENS, [arrays.texts(items, ({ tokenHash }) => tokenHash)]), (rows) => {
      const byHash = new Map(
        rows.flatMap((row) => [row.token_hash, row.former_hash].map((hash) => [hash, row] as const))
      )
      return items.map(({ tokenHash, now }) => {
        const row = byHash.get(tokenHash)
        return Exit.succeed(
          row !== undefined && isValidDeviceToken(tokensOf(row), tokenHash, now)
            ? Option.some({ id: row.id, organizationId: row.organization_id, kind: row.kind })
            : Option.none()
        )
      })
    })
})

export const makeDeviceStore = (
  db: Database,
  storing: Storing,
  find: Operation<ReturnType<typeof devicesByToken>>
): DeviceStore["Service"] => {
  const get = Effect.fnUntraced(function* (deviceId: DeviceId) {
    const now = PgTypes.timestamptz(yield* Clock.currentTimeMillis)
    return yield* requireRow(db.run<WholeDeviceRow>(sql.GET, [deviceId, now]), () => new DeviceNotFound({ deviceId }))
  })

  /** Locks the organization of a device, and then the device, for a manager. */
  const lockDevice = Effect.fnUntraced(function* (deviceId: DeviceId, administratorId: AdministratorId) {
    const { organization_id: organizationId } = yield* get(deviceId)
    yield* lockOrganization(db, organizationId)
    yield* requireRow(db.run<object>(sql.LOCK, [deviceId]), () => new DeviceNotFound({ deviceId }))
    yield* requireLevelIn(db, organizationId, administratorId, "manager")
    return yield* get(deviceId)
  })

  const markFound = (find: Effect.Effect<ReadonlyArray<LapsedRow>, SqlError>) =>
    db.transaction(
      Effect.gen(function* () {
        const rows = yield* find
        if (rows.length === 0) return 0
        yield* db.run(sql.MARK, [arrays.bigints(rows, ({ id }) => id), arrays.texts(rows, ({ state }) => state)])
        // In the order of organizations, as all transactions lock feeds.
        for (const [organizationId, lapsed] of Map.groupBy(rows, (row) => row.organization_id)) {
          yield* publishEvents(
            db,
            organizationId,
            lapsed.map(({ id: deviceId, state }) => ({ _tag: "DeviceChanged", deviceId, state }))
          )
        }
        return rows.length
      })
    )

  const markLapsed = (now: Timestamp, most: number) => {
    const parameters = [
      PgTypes.timestamptz(now),
      most,
      DEFAULT_SILENT_AFTER_SECONDS,
      BEHIND_AFTER_MS,
      SIGHTING_DELAY_MS
    ]
    const apart = Effect.gen(function* () {
      const organizations = yield* db.run<Pick<DeviceRow, "organization_id">>(sql.WITH_DEVICES, [])
      const marked = yield* organizationsApart(
        "the search for devices that lapsed",
        organizations.map(({ organization_id }) => organization_id),
        (organizationId) => markFound(db.run(sql.LAPSED_OF, [...parameters, organizationId]))
      )
      return marked.reduce((sum, count) => sum + count, 0)
    })
    return Effect.andThen(
      db.run(sql.SEEN_AHEAD, [PgTypes.timestamptz(now)]),
      togetherOrApart(markFound(db.run(sql.LAPSED, parameters)), apart)
    )
  }

  /** Records what is due of sightings, in the order of organizations, as all transactions lock feeds. */
  const recordFound = (find: Effect.Effect<ReadonlyArray<SightedRow>, SqlError>) =>
    db.transaction(
      Effect.gen(function* () {
        const rows = yield* find
        if (rows.length === 0) return
        yield* db.run(sql.RECORD_SIGHTINGS, [
          arrays.bigints(rows, ({ id }) => id),
          arrays.instants(rows, ({ at }) => timestampOf(at))
        ])
        const back = rows.filter(({ state }) => state === "silent")
        for (const [organizationId, displays] of Map.groupBy(back, (row) => row.organization_id)) {
          yield* publishEvents(
            db,
            organizationId,
            displays.map(({ id: deviceId }) => ({ _tag: "DeviceChanged", deviceId, state: "ok" }))
          )
        }
      })
    )

  const recordSightings = (sightings: ReadonlyArray<DisplaySighting>, now: Timestamp) => {
    const sighted = (some: ReadonlyArray<DisplaySighting>) =>
      db.run<SightedRow>(sql.SIGHTED, [
        arrays.bigints(some, ({ deviceId }) => deviceId),
        arrays.instants(some, ({ at }) => at),
        PgTypes.timestamptz(now),
        DEFAULT_SILENT_AFTER_SECONDS
      ])
    const byOrganization = Map.groupBy(sightings, ({ organizationId }) => organizationId)
    return togetherOrApart(
      recordFound(sighted(sightings)),
      organizationsApart("the record of sightings of displays", [...byOrganization.keys()], (organizationId) =>
        recordFound(sighted(byOrganization.get(organizationId)!))
      )
    )
  }

  const inOrganizationOf = <A, E>(deviceId: DeviceId, write: (changes: Changes) => Effect.Effect<A, E>) =>
    Effect.flatMap(storing("find a device", get(deviceId)), ({ organization_id: organizationId }) =>
      write(storing.by(organizationId))
    )

  return {
    create: ({ organizationId, administratorId, name, kind, premises, tokenHash, now, decide }) =>
      storing.by(organizationId).transaction("make a device", function* () {
        yield* requireOrganization(db, organizationId)
        yield* requireLevelIn(db, organizationId, administratorId, "manager")
        const places = arrays.bigints(premises, placeIdOf)
        const [facts] = yield* db.run<{ readonly devices: number; readonly known: string | null }>(sql.CREATION_FACTS, [
          organizationId,
          places
        ])
        const known = new Set(idsOf(facts!.known ?? "{}"))
        const unknown = premises.find((one) =>
          one._tag === "PlacePremises" ? !known.has(one.placeId) : one.organizationId !== organizationId
        )
        yield* Effect.fromResult(decide({ devices: facts!.devices, unknown }))
        const values = [organizationId, name, PgTypes.timestamptz(now), tokenHash, places, kind]
        const [made] = yield* db.run<{ readonly id: DeviceId }>(sql.CREATE, values)
        const device = deviceOf(yield* Effect.orDie(get(made!.id)))
        return recorded(device, deviceCreated(device))
      }),

    list: ({ organizationId, administratorId }) =>
      storing.gen("list devices", function* () {
        const parameters = [organizationId, administratorId, PgTypes.timestamptz(yield* Clock.currentTimeMillis)]
        const rows = db.run<ForReader<WholeDeviceRow>>(sql.LIST, parameters)
        return (yield* readRows(rows, "viewer", () => new OrganizationNotFound({ organizationId }))).map(deviceOf)
      }),

    rotate: ({ deviceId, administratorId, tokenHash, now }) =>
      inOrganizationOf(deviceId, ({ transaction }) =>
        transaction("make another token of a device", function* () {
          const row = yield* lockDevice(deviceId, administratorId)
          const { current, former } = rotateDeviceTokens(tokensOf(row), tokenHash, now)
          yield* db.run(sql.SET_TOKENS, [deviceId, current, former!.hash, PgTypes.timestamptz(former!.until)])
          const device = deviceOf(row)
          return recorded(device, deviceTokenMade(device))
        })
      ),

    remove: ({ deviceId, administratorId }) =>
      inOrganizationOf(deviceId, ({ transaction }) =>
        transaction("remove a device", function* () {
          const { organization_id: organizationId } = yield* lockDevice(deviceId, administratorId)
          for (const statement of sql.REMOVE) yield* db.run(statement, [organizationId, deviceId])
          return recorded(undefined, deviceRemoved({ id: deviceId, organizationId }))
        })
      ),

    findByToken: ({ hash: tokenHash }, now) => find({ tokenHash, now }),

    existing: (deviceIds) =>
      storing.byServer(
        "find devices",
        Effect.map(db.run<Pick<DeviceRow, "id">>(sql.EXISTING, [arrays.bigints(deviceIds, (id) => id)]), (rows) =>
          rows.map(({ id }) => id)
        )
      ),

    recordSightings: (sightings, now) =>
      storing.byServer("record sightings of displays", Effect.asVoid(recordSightings(sightings, now))),

    markStates: (now, most) => storing.byServer("mark silent devices", markLapsed(now, most))
  }
}
