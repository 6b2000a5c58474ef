/** Laws of `DeletionRequestStore` for making and listing requests. */
import {
  type AdministratorId,
  DeletionRequestId,
  type DeletionRequestStatus,
  DeletionRequestStore,
  OperatorId,
  OrganizationStore
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { after, NOW } from "../../../arbitraries/times.ts"
import {
  aBoundAdministrator,
  aDeletionRequest,
  anOrganization,
  deleteOrganization,
  type OrganizationFixture,
  OPERATOR,
  someAdministrator,
  neverCreated,
  NEVER_ISSUED
} from "../../shared/fixtures.ts"
import { race, refused, same, times } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"

const conclude = (id: DeletionRequestId, verdict: "approved" | "rejected", decidedBy = OPERATOR, now = NOW) =>
  DeletionRequestStore.use((store) => store.conclude({ id, verdict, decidedBy, now }))

/** Lists the requests of the given organizations only, since a database may contain others. */
const listOf = (fixtures: ReadonlyArray<OrganizationFixture>, status?: DeletionRequestStatus) =>
  Effect.map(
    DeletionRequestStore.use((store) => store.list(Option.fromUndefinedOr(status))),
    (requests) => {
      const ids = fixtures.map(({ organization }) => organization.id)
      return requests.filter(({ organizationId }) => ids.includes(organizationId))
    }
  )

const levelOf = ({ id }: OrganizationFixture, administratorId: AdministratorId) =>
  Effect.map(
    refused(
      DeletionRequestStore.use((store) =>
        store.request({
          organizationId: id,
          administratorId,
          reason: undefined,
          now: NOW,
          decide: (level) => Result.fail({ _tag: "Seen" as const, level })
        })
      ),
      "Seen"
    ),
    ({ level }) => Option.getOrUndefined(level)
  )

export const requestLaws: Laws = (law) => {
  law("a request is kept pending as it was made, and deletes nothing", function* () {
    const [fixture, silent] = [yield* anOrganization(), yield* anOrganization()]
    const request = yield* aDeletionRequest(fixture, "moved, 'away' 漢 😀", after(NOW, 5))
    same(request, {
      id: request.id,
      organizationId: fixture.id,
      administratorId: fixture.owner,
      reason: "moved, 'away' 漢 😀",
      creationDate: after(NOW, 5),
      status: "pending"
    })
    assert.strictEqual((yield* aDeletionRequest(silent)).reason, undefined)
    same((yield* listOf([fixture]))[0], request)
    assert.isTrue(Option.isSome(yield* OrganizationStore.use((store) => store.get(fixture.id))))
  })

  law("while a request is pending another one answers it unchanged", function* () {
    const fixture = yield* anOrganization()
    const first = yield* aDeletionRequest(fixture, "first")
    same(yield* aDeletionRequest(fixture, "second", after(NOW, 1000)), first)
    same(yield* listOf([fixture]), [first])
  })

  law("of 20 requests for one organization at the same moment one is kept, and answered to all", function* () {
    const fixture = yield* anOrganization()
    const { succeeded, refusals } = yield* race(times(20, (n) => aDeletionRequest(fixture, `reason ${n}`)))
    same(refusals, {})
    for (const request of succeeded) same(request, succeeded[0])
    same(yield* listOf([fixture]), [succeeded[0]])
  })

  law("a request is decided on the administrator's level, and kept only when it may be made", function* () {
    const [fixture, other] = [yield* anOrganization(), yield* anOrganization()]
    const manager = yield* aBoundAdministrator(fixture, "manager")
    assert.strictEqual(yield* levelOf(fixture, fixture.owner), "owner")
    assert.strictEqual(yield* levelOf(fixture, manager.administratorId), "manager")
    assert.strictEqual(yield* levelOf(fixture, other.owner), undefined)
    assert.strictEqual(yield* levelOf(fixture, someAdministrator()), undefined)
    same(yield* listOf([fixture]), [])
    yield* aDeletionRequest(fixture)
    assert.strictEqual(yield* levelOf(fixture, manager.administratorId), "manager", "also while one is pending")
  })

  law("an organization that does not exist cannot be asked for", function* () {
    const fixture = yield* anOrganization()
    yield* deleteOrganization(fixture)
    yield* refused(aDeletionRequest(fixture), "OrganizationNotFound")
    yield* refused(aDeletionRequest(neverCreated(fixture)), "OrganizationNotFound")
  })

  law("a rejection is kept with who decided it and when, and another request may be made", function* () {
    const fixture = yield* anOrganization()
    const first = yield* aDeletionRequest(fixture, "first")
    const decidedBy = OperatorId.make("oscar")
    const rejected = yield* conclude(first.id, "rejected", decidedBy, after(NOW, 9))
    same(rejected, { ...first, status: "rejected", decidedBy, decisionDate: after(NOW, 9) })
    assert.isTrue(Option.isSome(yield* OrganizationStore.use((store) => store.get(fixture.id))))
    const second = yield* aDeletionRequest(fixture, "second", after(NOW, 10))
    assert.isTrue(second.id > first.id)
    same(yield* listOf([fixture]), [rejected, second])
  })

  law("a decision is final, and a request that is not there is not decided", function* () {
    for (const verdict of ["approved", "rejected"] as const) {
      const { id } = yield* aDeletionRequest(yield* anOrganization())
      yield* conclude(id, verdict)
      for (const again of ["approved", "rejected"] as const) {
        assert.strictEqual((yield* refused(conclude(id, again), "DeletionRequestDecided")).status, verdict)
      }
    }
    yield* refused(conclude(DeletionRequestId.make(NEVER_ISSUED), "approved"), "DeletionRequestNotFound")
  })

  law("of 20 decisions of one request at the same moment one is kept", function* () {
    const fixture = yield* anOrganization()
    const { id } = yield* aDeletionRequest(fixture)
    const { succeeded, refusals } = yield* race(times(20, (n) => conclude(id, n % 2 === 0 ? "rejected" : "approved")))
    assert.strictEqual(succeeded.length, 1)
    same(refusals, { DeletionRequestDecided: 19 })
    same(yield* listOf([fixture]), succeeded)
    const kept = yield* OrganizationStore.use((store) => store.get(fixture.id))
    assert.strictEqual(Option.isNone(kept), succeeded[0]?.status === "approved")
  })

  law("requests are listed by their status, or all, oldest first", function* () {
    const fixtures = [
      yield* anOrganization(),
      yield* anOrganization(),
      yield* anOrganization(),
      yield* anOrganization()
    ]
    const requests = yield* Effect.forEach(fixtures, (fixture, n) =>
      aDeletionRequest(fixture, undefined, after(NOW, n))
    )
    const rejected = yield* conclude(requests[2]!.id, "rejected")
    const approved = yield* conclude(requests[0]!.id, "approved")
    same(yield* listOf(fixtures), [approved, requests[1], rejected, requests[3]])
    same(yield* listOf(fixtures, "pending"), [requests[1], requests[3]])
    same(yield* listOf(fixtures, "approved"), [approved])
    same(yield* listOf(fixtures, "rejected"), [rejected])
    const ids = requests.map(({ id }) => id)
    assert.isTrue(ids.every((id, index) => id > (ids[index - 1] ?? 0n)))
  })
}
