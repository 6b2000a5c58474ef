/** The ports whose operations each concern one organization, or sum up over all. */
import {
  AccountLinkStore,
  AuditLog,
  AuditOrder,
  CapacityStore,
  CountStore,
  type DeviceState,
  DeviceStore,
  FloorPlanStore,
  HistoryStore,
  ImportStore,
  MusterStore,
  OpenStayStatistics,
  premisesId,
  StayEndingStore,
  StayLog,
  StayPolicyStore,
  type WebhookLeases,
  WebhookStore
} from "@sojourn/core"
import { Array, Context, Effect } from "effect"
import { ask, askAll, byBigInt, type Cells, takeInTurn } from "./Cells.ts"

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)

const askSum = <S, E>(stores: ReadonlyArray<S>, question: (store: S) => Effect.Effect<number, E>) =>
  Effect.map(ask(stores, question), sum)

const makeAccountLinkStore = (cells: Cells): AccountLinkStore["Service"] => {
  const { at } = cells.ports(AccountLinkStore)
  return {
    put: (link) => at(link.organizationId).put(link),
    remove: (userId, organizationId) => at(organizationId).remove(userId, organizationId),
    tie: (premises, userId) => at(premisesId(premises)).tie(premises, userId)
  }
}

const makeStayLog = (cells: Cells): StayLog["Service"] => {
  const { at } = cells.ports(StayLog)
  return {
    open: (opening) => at(premisesId(opening.premises)).open(opening),
    close: (closing) => at(premisesId(closing.premises)).close(closing),
    countOpen: (reader, premises) => at(premisesId(premises)).countOpen(reader, premises),
    closedByIds: (organizationId, premises, ids) => at(organizationId).closedByIds(organizationId, premises, ids),
    closedByPeople: (administratorId, premises, people) =>
      at(premisesId(premises)).closedByPeople(administratorId, premises, people),
    closedByUser: (userId, premises, people) => at(premisesId(premises)).closedByUser(userId, premises, people),
    timePerPerson: (administratorId, placeId) => at(placeId).timePerPerson(administratorId, placeId),
    timePerPersonInside: (administratorId, premises, window) =>
      at(premisesId(premises)).timePerPersonInside(administratorId, premises, window),
    closedInWindow: (administratorId, window) => at(premisesId(window.premises)).closedInWindow(administratorId, window)
  }
}

const makeAuditLog = (cells: Cells): AuditLog["Service"] => {
  const { all, at, home } = cells.ports(AuditLog)
  return {
    list: (query) => at(query.organizationId).list(query),
    listAll: (query) =>
      query.organizationId === undefined
        ? Effect.map(
            ask(all, (store) => store.listAll(query)),
            (pages) => {
              const entries = pages.flatMap((page) => page.entries).sort(AuditOrder)
              const hasMore = entries.length > query.limit || pages.some((page) => page.hasMore)
              return { entries: entries.slice(0, query.limit), hasMore }
            }
          )
        : at(query.organizationId).listAll(query),
    read: (reading) => (reading.organizationId === undefined ? home : at(reading.organizationId)).read(reading),
    forget: (before, now) => Effect.asVoid(ask(all, (store) => store.forget(before, now)))
  }
}

const makeStayEndingStore = (cells: Cells): StayEndingStore["Service"] => {
  const { all, at } = cells.ports(StayEndingStore)
  return {
    end: (ending) => at(premisesId(ending.premises)).end(ending),
    clear: (clearing) => at(premisesId(clearing.premises)).clear(clearing),
    endDue: (now) => askSum(all, (store) => store.endDue(now))
  }
}

const makeStayPolicyStore = (cells: Cells): StayPolicyStore["Service"] => {
  const { all, at } = cells.ports(StayPolicyStore)
  return {
    get: (organizationId) => at(organizationId).get(organizationId),
    change: (change) => at(change.organizationId).change(change),
    list: askAll(
      all,
      (store) => store.list,
      byBigInt((id) => id)
    ),
    takeLease: (request) => at(request.organizationId).takeLease(request),
    abandon: (batch) => at(batch.lease.organizationId).abandon(batch),
    forget: (batch) => at(batch.lease.organizationId).forget(batch),
    forgetAtOnce: (now) => askSum(all, (store) => store.forgetAtOnce(now))
  }
}

const makeMusterStore = (cells: Cells): MusterStore["Service"] => {
  const { all, at } = cells.ports(MusterStore)
  return {
    inside: (premises, readers) => at(premisesId(premises)).inside(premises, readers),
    start: (start) => at(start.organizationId).start(start),
    list: (organizationId, readers) => at(organizationId).list(organizationId, readers),
    get: (musterId, readers) => at(musterId).get(musterId, readers),
    mark: (musterId, markings) => at(musterId).mark(musterId, markings),
    end: (musterId, endings) => at(musterId).end(musterId, endings),
    forget: (before, most) => takeInTurn(all, most, (store, rest) => store.forget(before, rest))
  }
}

const makeCapacityStore = (cells: Cells): CapacityStore["Service"] => {
  const { at } = cells.ports(CapacityStore)
  return {
    set: (change) => at(premisesId(change.premises)).set(change),
    get: (reading) => at(premisesId(reading.premises)).get(reading)
  }
}

const makeCountStore = (cells: Cells): CountStore["Service"] => {
  const { all, at } = cells.ports(CountStore)
  return {
    count: (request) => at(request.deviceId).count(request),
    get: (query) => at(premisesId(query.premises)).get(query),
    set: (change) => at(premisesId(change.premises)).set(change),
    reset: (now) => askSum(all, (store) => store.reset(now))
  }
}

const makeDeviceStore = (cells: Cells): DeviceStore["Service"] => {
  const { all, at } = cells.ports(DeviceStore)
  return {
    create: (creation) => at(creation.organizationId).create(creation),
    list: (query) => at(query.organizationId).list(query),
    rotate: (change) => at(change.deviceId).rotate(change),
    remove: (removal) => at(removal.deviceId).remove(removal),
    findByToken: (token, now) => {
      const store = all[cells.all.findIndex(({ number }) => number === token.cell)]
      return store === undefined ? Effect.succeedNone : store.findByToken(token, now)
    },
    existing: (deviceIds) =>
      Effect.map(
        Effect.forEach(Map.groupBy(deviceIds, at), ([store, own]) => store.existing(own), { concurrency: "unbounded" }),
        (found) => found.flat()
      ),
    recordSightings: (sightings, now) =>
      Effect.forEach(
        Map.groupBy(sightings, ({ deviceId }) => at(deviceId)),
        ([store, own]) => store.recordSightings(own, now),
        { concurrency: "unbounded", discard: true }
      ),
    markStates: (now, most) => takeInTurn(all, most, (store, rest) => store.markStates(now, rest))
  }
}

const makeFloorPlanStore = (cells: Cells): FloorPlanStore["Service"] => {
  const { at } = cells.ports(FloorPlanStore)
  return {
    put: (change) => at(change.plan.organizationId).put(change),
    get: (query) => at(query.organizationId).get(query),
    digest: (query) => at(query.organizationId).digest(query),
    list: (query) => at(query.organizationId).list(query),
    remove: (query) => at(query.organizationId).remove(query)
  }
}

const makeHistoryStore = (cells: Cells): HistoryStore["Service"] => {
  const { all, at } = cells.ports(HistoryStore)
  return {
    read: (reader, premises, range) => at(premisesId(premises)).read(reader, premises, range),
    timeZone: (premises) => at(premisesId(premises)).timeZone(premises),
    rollUp: (most) => askSum(all, (store) => store.rollUp(most)),
    forgetMinutes: (before, most) =>
      Effect.gen(function* () {
        // Each cell learns the time, also where no more buckets may be removed.
        let taken = 0
        for (const store of all) taken += yield* store.forgetMinutes(before, Math.max(0, most - taken))
        return taken
      })
  }
}

const makeImportStore = (cells: Cells): ImportStore["Service"] => {
  const { at } = cells.ports(ImportStore)
  return {
    previewPlaces: (creation) => at(creation.organizationId).previewPlaces(creation),
    createPlaces: (creation) => at(creation.organizationId).createPlaces(creation),
    addAccesses: (request) => at(request.organizationId).addAccesses(request)
  }
}

const makeOpenStayStatistics = (cells: Cells): OpenStayStatistics["Service"] => {
  const { all } = cells.ports(OpenStayStatistics)
  return {
    read: (most) =>
      Effect.map(
        ask(all, (store) => store.read(most)),
        (counts) => {
          const total = (of: (count: (typeof counts)[number]) => number) => sum(counts.map(of))
          const devices = (state: DeviceState) => total((count) => count.devices[state])
          return {
            open: total(({ open }) => open),
            organizations: total(({ organizations }) => organizations),
            largest: counts
              .flatMap(({ largest }) => largest)
              .sort((one, other) => other.open - one.open || (one.organizationId < other.organizationId ? -1 : 1))
              .slice(0, most),
            counted: total(({ counted }) => counted),
            devices: { new: devices("new"), ok: devices("ok"), silent: devices("silent"), behind: devices("behind") }
          }
        }
      )
  }
}

const makeWebhookStore = (cells: Cells): WebhookStore["Service"] => {
  const { all, at } = cells.ports(WebhookStore)
  return {
    create: (creation) => at(creation.organizationId).create(creation),
    list: (reading) => at(reading.organizationId).list(reading),
    attempts: (reading) => at(reading.webhookId).attempts(reading),
    remove: (removal) => at(removal.webhookId).remove(removal),
    change: (change) => at(change.webhookId).change(change),
    test: (test) => at(test.webhookId).test(test),
    lease: (request) =>
      Effect.gen(function* () {
        const leases = { kept: Array.empty(), taken: Array.empty(), tests: Array.empty() } as {
          readonly [K in keyof WebhookLeases]: globalThis.Array<WebhookLeases[K][number]>
        }
        for (const store of all) {
          // Each cell extends its leases, also where no more are to be taken.
          const found = yield* store.lease({ ...request, most: Math.max(0, request.most - leases.taken.length) })
          leases.kept.push(...found.kept)
          leases.taken.push(...found.taken)
          leases.tests.push(...found.tests)
        }
        return leases
      }),
    release: (holder) => ask(all, (store) => store.release(holder)),
    record: (written) => at(written.webhookId).record(written),
    recordTest: (written) => at(written.webhookId).recordTest(written)
  }
}

/** These ports over cells. */
export const routedStores = (cells: Cells) =>
  Context.empty().pipe(
    Context.add(AccountLinkStore, makeAccountLinkStore(cells)),
    Context.add(AuditLog, makeAuditLog(cells)),
    Context.add(CapacityStore, makeCapacityStore(cells)),
    Context.add(CountStore, makeCountStore(cells)),
    Context.add(DeviceStore, makeDeviceStore(cells)),
    Context.add(FloorPlanStore, makeFloorPlanStore(cells)),
    Context.add(HistoryStore, makeHistoryStore(cells)),
    Context.add(ImportStore, makeImportStore(cells)),
    Context.add(MusterStore, makeMusterStore(cells)),
    Context.add(OpenStayStatistics, makeOpenStayStatistics(cells)),
    Context.add(StayEndingStore, makeStayEndingStore(cells)),
    Context.add(StayLog, makeStayLog(cells)),
    Context.add(StayPolicyStore, makeStayPolicyStore(cells)),
    Context.add(WebhookStore, makeWebhookStore(cells))
  )
