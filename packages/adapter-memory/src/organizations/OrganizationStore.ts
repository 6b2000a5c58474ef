import {
  accountAfter,
  hasOrganizationChanged,
  NO_POLICY,
  type Organization,
  type OrganizationFacts,
  type OrganizationFactsQuery,
  type OrganizationId,
  OrganizationNameTaken,
  type OrganizationOverview,
  type OrganizationStore,
  organizationCreated,
  organizationUpdated,
  recorded
} from "@sojourn/core"
import { Effect, Iterable, Option, Result } from "effect"
import { atomically, recording } from "../state/atomically.ts"
import { changeAccounts } from "../accounts/accountChanges.ts"
import { answeredInside, endAnonymity, publishEvents } from "../feed/feed.ts"
import {
  emptyStays,
  findAccounts,
  findOrganization,
  levelIn,
  type OrganizationRecord,
  pageOf,
  previewOf,
  type State
} from "../state/State.ts"

const factsFor = (
  organization: OrganizationRecord,
  { administratorId, withPlaces }: OrganizationFactsQuery
): OrganizationFacts => ({
  organization: organization.data,
  places: withPlaces ? Array.from(organization.places.values(), ({ place }) => place) : [],
  level: Option.flatMap(administratorId, (id) => levelIn(organization, id))
})

const overviewOf = (record: OrganizationRecord): OrganizationOverview => {
  const outermost = Array.from(record.places.values()).filter(({ position }) => position.ancestors.length === 0)
  return {
    organization: record.data,
    places: record.places.size,
    administrators: record.permissions.size,
    inside: Math.max(
      answeredInside(record, record.stays),
      outermost.reduce((sum, { stays }) => sum + answeredInside(record, stays), 0)
    )
  }
}

/** Organizations kept in memory, by id and by name. */
export const makeOrganizationStore = (state: State): OrganizationStore["Service"] => ({
  create: ({ organization, owner, now, decide }) =>
    recording(state, function* () {
      const accounts = findAccounts(state, owner)
      const change = yield* decide(accounts)
      const { name } = organization
      if (state.organizationByName.has(name)) return yield* Result.fail(new OrganizationNameTaken({ name }))

      const id = ++state.lastId.organization as OrganizationId
      const created: Organization = { ...organization, id, creationDate: now, lastChangeDate: now }
      const { administratorId } = Option.getOrThrow(accountAfter(change, accounts))
      changeAccounts(state, change)
      state.organizationByName.set(name, id)
      state.organizations.set(id, {
        data: created,
        anonymousUntil: undefined,
        stays: emptyStays(id, now),
        places: new Map(),
        permissions: new Map([
          [administratorId, { administratorId, organizationId: id, level: "owner", nominatedBy: administratorId }]
        ]),
        personByUser: new Map(),
        userByPerson: new Map(),
        policy: NO_POLICY,
        lease: { number: 0n, taken: undefined },
        erasures: new Map(),
        feed: { version: 0, at: now, events: [] },
        history: { version: 0, minutesFrom: undefined, importedAt: undefined },
        importKeys: new Set(),
        musters: new Map(),
        floorPlans: new Map(),
        devices: new Map(),
        moments: {},
        webhooks: new Map()
      })
      return recorded(created, organizationCreated(created))
    }),

  get: (organizationId) => Effect.sync(() => Option.fromUndefinedOr(state.organizations.get(organizationId)?.data)),

  findByName: (name) =>
    Effect.sync(() =>
      Option.map(Option.fromUndefinedOr(state.organizationByName.get(name)), (id) => state.organizations.get(id)!.data)
    ),

  list: (after) =>
    Effect.sync(() =>
      pageOf(
        Iterable.map(state.organizations, ([id, { data }]) => [id, data, data.trackingArea] as const),
        after
      )
    ),

  overview: ({ after, limit }) =>
    Effect.sync(() => {
      const { items, hasMore } = pageOf(
        Iterable.map(state.organizations, ([id, record]) => [id, record, record.data.trackingArea] as const),
        after,
        limit
      )
      return { items: items.map(overviewOf), hasMore }
    }),

  preview: (query) =>
    atomically(function* () {
      return previewOf(factsFor(yield* findOrganization(state, query.organizationId), query))
    }),

  update: ({ decide, ...query }) =>
    recording(state, function* (now) {
      const { organizationId } = query
      const organization = yield* findOrganization(state, organizationId)
      const before = organization.data
      const changed = yield* decide(factsFor(organization, query))
      const { name } = changed
      if (name !== before.name && state.organizationByName.has(name)) {
        return yield* Result.fail(new OrganizationNameTaken({ name }))
      }
      state.organizationByName.delete(before.name)
      state.organizationByName.set(name, organizationId)
      if (before.trackingMode === "anonymous" && changed.trackingMode !== before.trackingMode) {
        endAnonymity(state, organization, now)
      }
      organization.data = changed
      if (hasOrganizationChanged(before, changed)) {
        publishEvents(state, organization, now, [{ _tag: "OrganizationChanged", changed: "updated" }])
      }
      return recorded(changed, organizationUpdated(before, changed))
    })
})
