/** Laws of `AuditLog`: an entry for each change in the step of the change, merged readings, lists, retention and erasure. */
import { assert } from "@effect/vitest"
import {
  type Actor,
  AdministratorSubject,
  type AuditEntry,
  AuditLog,
  type AuditQuery,
  CurrentActor,
  CurrentCommand,
  ERASED,
  NO_POLICY,
  PersonalDataStore,
  PersonSubject,
  READINGS_MERGED_MS,
  StayPolicyStore,
  Timestamp
} from "@sojourn/core"
import { Clock, Effect } from "effect"
import {
  aBoundAdministrator,
  aPerson,
  aPlace,
  changePlace,
  deleteOrganization,
  neverCreated,
  type OrganizationFixture,
  removePlace,
  someAdministrator
} from "../shared/fixtures.ts"
import { concurrently, refused, same, times } from "../shared/outcome.ts"
import { ALL_ENTRIES, entriesOf } from "../shared/auditEntries.ts"
import { type Laws, suite } from "../shared/suite.ts"

const list = ({ id, owner }: OrganizationFixture, query: Partial<AuditQuery> = {}, administratorId = owner) =>
  AuditLog.use((audit) => audit.list({ ...ALL_ENTRIES, ...query, organizationId: id, administratorId }))

const actionsOf = (fixture: OrganizationFixture) =>
  Effect.map(entriesOf(fixture), (entries) => entries.map(({ action }) => action))

/** The time of the stores: entries have no other. */
const present = Effect.map(Clock.currentTimeMillis, Timestamp)

const actor = (): Actor => ({ kind: "administrator", id: someAdministrator() })

const readAt = (fixture: OrganizationFixture, at: number, over: Partial<AuditEntry> & { readonly count: number }) =>
  AuditLog.use((audit) =>
    audit.read({
      actor: { kind: "administrator", id: fixture.owner },
      organizationId: fixture.id,
      target: { kind: "organization", id: `${fixture.id}` },
      at: Timestamp(at),
      ...over
    })
  )

const changes: Laws = (it) => {
  it("a change leaves one entry that says who made it, when, and what differs", function* (fixture) {
    const before = yield* present
    const manager = actor()
    const place = yield* Effect.provideService(aPlace(fixture, undefined, "Hall"), CurrentActor, manager)
    yield* changePlace(fixture, place, (one) => ({ ...one, name: "Foyer" })).pipe(
      Effect.provideService(CurrentCommand, "rename")
    )
    yield* removePlace(fixture, place)
    const [created, updated, removed, ...others] = yield* entriesOf(fixture)
    same(others, [])
    same(created!.actor, manager)
    same(updated!.actor, { kind: "command", id: "rename" })
    for (const entry of [created!, updated!, removed!]) {
      same([entry.organizationId, entry.placeId], [fixture.id, place.id])
      same(entry.target, { kind: "place", id: `${place.id}` })
      assert.isAtLeast(entry.at, before - 60_000)
      assert.isAtMost(entry.at, (yield* present) + 60_000)
    }
    same(
      [created, updated, removed].map((entry) => entry?.action),
      ["place.create", "place.update", "place.remove"]
    )
    const area = created!.changes!["trackingArea"]!.to as { readonly points: number; readonly sha256: string }
    same([created!.changes!["name"], area.points], [{ to: "Hall" }, 5])
    assert.match(area.sha256, /^[0-9a-f]{64}$/)
    same(updated!.changes, { name: { from: "Hall", to: "Foyer" } })
  })

  it("a change that is refused, or changes nothing, leaves none", function* (fixture) {
    const place = yield* aPlace(fixture)
    const before = yield* actionsOf(fixture)
    yield* changePlace(fixture, place, (one) => one)
    yield* StayPolicyStore.use((store) => store.change({ organizationId: fixture.id, decide: () => NO_POLICY }))
    yield* changePlace(neverCreated(fixture), { id: neverCreated(fixture).id as never }, (one) => one).pipe(Effect.exit)
    same(yield* actionsOf(fixture), before)
  })

  it("concurrent changes leave an entry each", function* (fixture) {
    const place = yield* aPlace(fixture)
    yield* concurrently(times(10, (n) => changePlace(fixture, place, (one) => ({ ...one, name: `Hall ${n}` }))))
    const entries = (yield* entriesOf(fixture)).slice(1)
    // Each goes on from the one before.
    same(entries.length, 10)
    entries.reduce((name, { changes }) => {
      same(changes!["name"]!.from, name)
      return changes!["name"]!.to
    }, undefined as unknown)
  })
}

const lists: Laws = (it) => {
  it("entries are listed newest first, by page, by window, action and actor", function* (fixture) {
    const at = (n: number) => Date.UTC(2031, 4, 1) + n * READINGS_MERGED_MS * 2
    const other = actor()
    for (const n of times(5, (n) => n)) yield* readAt(fixture, at(n), { count: n + 1 })
    yield* readAt(fixture, at(5), { count: 6, actor: other })
    const window = { from: Timestamp(at(0)), to: Timestamp(at(5) + 1) }
    const countsOf = ({ entries }: { readonly entries: ReadonlyArray<AuditEntry> }) => entries.map(({ count }) => count)
    same(countsOf(yield* list(fixture, window)), [6, 5, 4, 3, 2, 1])
    same(countsOf(yield* list(fixture, { ...window, to: Timestamp(at(4)), from: Timestamp(at(1)) })), [4, 3, 2])
    same(countsOf(yield* list(fixture, { ...window, actor: other.id })), [6])
    same(countsOf(yield* list(fixture, { ...window, action: "person.rea" })), [])
    const pages: Array<ReadonlyArray<number | undefined>> = []
    let page = yield* list(fixture, { ...window, limit: 4 })
    pages.push(countsOf(page))
    assert.isTrue(page.hasMore)
    page = yield* list(fixture, { ...window, limit: 4, after: page.entries.at(-1)! })
    pages.push(countsOf(page))
    assert.isFalse(page.hasMore)
    same(pages, [
      [6, 5, 4, 3],
      [2, 1]
    ])
    assert.isFalse((yield* list(fixture, { ...window, limit: 6 })).hasMore)
  })

  it("entries of one moment are listed by page, each once", function* (fixture) {
    const at = Date.UTC(2031, 5, 1)
    for (const n of times(5, (n) => n)) yield* readAt(fixture, at, { count: n + 1, actor: actor() })
    const found: Array<bigint> = []
    const window = { from: Timestamp(at), to: Timestamp(at + 1), limit: 2 }
    let page = yield* list(fixture, window)
    found.push(...page.entries.map(({ id }) => id))
    while (page.hasMore) {
      page = yield* list(fixture, { ...window, after: page.entries.at(-1)! })
      found.push(...page.entries.map(({ id }) => id))
    }
    same([found.length, new Set(found).size], [5, 5])
  })

  it("the entries of an organization are listed for its owners alone", function* (fixture, other) {
    const manager = yield* aBoundAdministrator(fixture, "manager")
    yield* refused(list(fixture, {}, manager.administratorId), "PermissionTooLow")
    yield* refused(list(fixture, {}, other.owner), "PermissionTooLow")
    yield* refused(list(neverCreated(fixture)), "OrganizationNotFound")
    for (const { organizationId } of (yield* list(fixture)).entries) same(organizationId, fixture.id)
  })

  it("entries outlive their organization", function* (fixture) {
    yield* aPlace(fixture)
    const listed = AuditLog.use((audit) => audit.listAll({ ...ALL_ENTRIES, organizationId: fixture.id }))
    const before = (yield* listed).entries
    yield* deleteOrganization(fixture)
    const actions = (yield* listed).entries.map(({ action }) => action)
    same(actions, ["deletionRequest.approve", "deletionRequest.create", ...before.map(({ action }) => action)])
  })
}

const readings: Laws = (it) => {
  it("readings of one actor and target within a minute are one entry with the largest count", function* (fixture) {
    const at = Date.UTC(2031, 1, 1)
    const person = { kind: "person", id: aPerson() }
    for (const [after, count] of [
      [0, 3],
      [10, 7],
      [READINGS_MERGED_MS - 1, 5]
    ] as const) {
      yield* readAt(fixture, at + after, { count })
    }
    yield* readAt(fixture, at + 20, { count: 1, target: person })
    yield* readAt(fixture, at + READINGS_MERGED_MS, { count: 2 })
    const entries = yield* entriesOf(fixture)
    same(
      entries.map(({ action, at: when, count, target }) => [action, when - at, count, target?.kind]),
      [
        ["person.read", 0, 7, "organization"],
        ["person.read", 20, 1, "person"],
        ["person.read", READINGS_MERGED_MS, 2, "organization"]
      ]
    )
  })

  it("concurrent readings of one actor and target are one entry", function* (fixture) {
    const at = Date.UTC(2031, 2, 1)
    yield* concurrently(times(10, (n) => readAt(fixture, n % 2 === 0 ? at + n : at - n, { count: n + 1 })))
    same(
      (yield* entriesOf(fixture)).map(({ count }) => count),
      [10]
    )
  })
}

const retention: Laws = (it) => {
  it("entries are forgotten after their retention", function* (fixture) {
    const at = Date.UTC(1971, 1, 1)
    yield* readAt(fixture, at, { count: 1 })
    yield* readAt(fixture, at + READINGS_MERGED_MS, { count: 2 })
    const now = yield* present
    const forget = AuditLog.use((audit) => audit.forget(Timestamp(at + 1), now))
    yield* forget
    yield* forget
    same(
      (yield* entriesOf(fixture)).map(({ count }) => count),
      [2]
    )
  })

  it("what names somebody in entries is collected, and erased", function* (fixture) {
    const person = aPerson()
    const { administratorId } = yield* aBoundAdministrator(fixture, "manager")
    const target = { kind: "person", id: person }
    yield* readAt(fixture, Date.UTC(2031, 3, 1), {
      count: 1,
      target,
      actor: { kind: "administrator", id: administratorId }
    })
    const store = yield* PersonalDataStore
    const subjects = [PersonSubject(fixture.id, person), AdministratorSubject(administratorId)] as const
    const [looked, acted] = [yield* store.collect(subjects[0]), yield* store.collect(subjects[1])]
    same(
      looked.auditEntries.map(({ action }) => action),
      ["person.read"]
    )
    same(
      acted.auditEntries.map(({ action }) => action),
      ["permission.create", "person.read"]
    )
    for (const subject of subjects) {
      const erased = yield* store.erase(subject, yield* present)
      assert.isAtLeast(erased.mentions, 1)
      same((yield* store.collect(subject)).auditEntries, [])
    }
    const entries = yield* entriesOf(fixture)
    const named = (action: string) => entries.filter((entry) => entry.action === action)
    const [administrator, erased] = [
      { kind: "administrator", id: ERASED },
      { kind: "person", id: ERASED }
    ]
    same(
      named("permission.create").map((entry) => entry.target),
      [administrator]
    )
    same(
      named("person.read").map((entry) => [entry.target, entry.actor]),
      [[erased, administrator]]
    )
    same(
      named("personalData.erase").map((entry) => entry.target),
      [erased]
    )
  })

  it("a person is erased from entries of an organization that was deleted", function* (fixture) {
    const person = aPerson()
    yield* readAt(fixture, Date.UTC(2031, 3, 1), { count: 1, target: { kind: "person", id: person } })
    yield* deleteOrganization(fixture)
    const store = yield* PersonalDataStore
    const subject = PersonSubject(fixture.id, person)
    same((yield* store.collect(subject)).auditEntries.length, 1)
    same((yield* store.erase(subject, yield* present)).mentions, 1)
    same((yield* store.collect(subject)).auditEntries, [])
  })
}

export const auditLogLaws = suite("AuditLog", [changes, lists, readings, retention])
