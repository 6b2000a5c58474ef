/** Laws of `StayLog` for random histories, compared with a model at each step. */
import {
  AccountLinkStore,
  type ClosedStay,
  type Opened,
  OrgAuthServerId,
  PlacePremises,
  type RetryKey,
  StayLog
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { history, type Step } from "../../../arbitraries/histories.ts"
import { mode } from "../../../arbitraries/permissions.ts"
import { after, NOW } from "../../../arbitraries/times.ts"
import { StayModel } from "./StayModel.ts"
import {
  anOrganization,
  aPlace,
  closedBy,
  closedOf,
  countIn,
  locate,
  someUser,
  timesIn,
  setTrackingMode,
  unused
} from "../../shared/fixtures.ts"
import { total, same, times } from "../../shared/outcome.ts"
import { type Laws } from "../../shared/suite.ts"

const PEOPLE = ["ada", "bob", "uid=cleo,ou=people"].map((id) => OrgAuthServerId.make(id))

const outcome = <A>(result: Result.Result<A, { readonly _tag: string }>): string =>
  Result.isFailure(result) ? result.failure._tag : "done"

/** Lives a history on the store and on the model, and compares them at each step and at its end. */
const runHistory = Effect.fnUntraced(function* (
  trackingMode: "anonymous" | "authenticated",
  steps: ReadonlyArray<Step>
) {
  const log = yield* StayLog
  const links = yield* AccountLinkStore
  const fixture = yield* anOrganization({ trackingMode })
  const place = yield* aPlace(fixture)
  const premisesOf = { organization: fixture.premises, place: PlacePremises(place.id) }
  const organizationId = fixture.id
  const model = new StayModel(organizationId, trackingMode)
  const users = times(3, () => someUser())
  const keys = times(2, () => unused("retry") as RetryKey)
  const opened: Array<Opened> = []
  let now = NOW

  const claimOf = ({
    time,
    claims
  }: {
    readonly time: number | undefined
    readonly claims: OrgAuthServerId | undefined
  }) => ({
    timestamp: time === undefined ? undefined : after(now, time),
    orgAuthServerId: claims,
    now
  })

  for (const [number, step] of steps.entries()) {
    now = after(now, 1000)
    const where = `step ${number}: ${step._tag}`
    switch (step._tag) {
      case "Enter": {
        // What a key stands for when it comes from a person who is inside already is not promised.
        const key = model.mode === "anonymous" && step.key !== undefined ? keys[step.key] : undefined
        const opening = {
          premises: premisesOf[step.at],
          userId: users[step.user]!,
          claim: claimOf(step),
          keyId: number % 256,
          retryKey: Option.fromUndefinedOr(key)
        }
        const before = model.stays.length
        const expected = model.open(opening)
        const actual = yield* Effect.result(log.open(opening))
        assert.strictEqual(outcome(actual), outcome(expected), where)
        if (Result.isFailure(actual) || Result.isFailure(expected)) break
        if (expected.success === before) opened.push(actual.success)
        const { id, entrance, orgAuthServerId, premises } = actual.success
        const stay = model.stays[expected.success]!
        assert.strictEqual(id, opened[expected.success]!.id, where)
        same([entrance, orgAuthServerId, premises], [stay.entrance, stay.orgAuthServerId, stay.premises])
        break
      }
      case "Leave": {
        const index = model.stays.length - 1 - step.stay
        const stay = model.stays[index]
        if (stay === undefined) break
        const isPlace = (stay.premises._tag === "PlacePremises") !== step.elsewhere
        const closing = {
          premises: isPlace ? premisesOf.place : premisesOf.organization,
          userId: users[step.user]!,
          claim: claimOf(step)
        }
        const expected = model.close(index, closing)
        const actual = yield* Effect.result(log.close({ ...closing, stay: locate(opened[index]!) }))
        assert.strictEqual(outcome(actual), outcome(expected), where)
        if (Result.isSuccess(actual))
          same(actual.success, { ...Result.getOrThrow(expected), id: opened[index]!.id }, where)
        break
      }
      case "Link": {
        const userId = users[step.user]!
        const link = { userId, organizationId, orgAuthServerId: step.person }
        const expected = model.link(userId, step.person)
        assert.strictEqual(outcome(yield* Effect.result(links.put(link))), outcome(expected), where)
        break
      }
      case "Unlink": {
        const userId = users[step.user]!
        const expected = model.links.delete(userId) ? "done" : "AccountLinkNotFound"
        assert.strictEqual(outcome(yield* Effect.result(links.remove(userId, organizationId))), expected, where)
        break
      }
      case "Track": {
        model.mode = step.mode
        yield* setTrackingMode(organizationId, step.mode)
        break
      }
      case "Wait": {
        now = after(now, step.milliseconds)
      }
    }
    for (const premises of Object.values(premisesOf)) {
      assert.strictEqual(yield* countIn(premises, fixture), model.countOpen(premises), where)
    }
  }

  const known = (stay: ClosedStay): ClosedStay => ({ ...stay, id: opened[Number(stay.id) - 1]!.id })
  for (const premises of Object.values(premisesOf)) {
    const closed = model.closed(premises)
    const anonymous = closed.filter((stay) => stay.orgAuthServerId === undefined)
    same(yield* closedOf(premises, fixture, opened), anonymous.map(known))
    same(yield* closedBy(premises, fixture, PEOPLE), closed.filter((stay) => !anonymous.includes(stay)).map(known))
  }
  const sums = PEOPLE.flatMap((orgAuthServerId) => {
    const stays = model.closed(premisesOf.place).filter((stay) => stay.orgAuthServerId === orgAuthServerId)
    const milliseconds = total(stays.map((stay) => stay.exit - stay.entrance))
    return stays.length === 0 ? [] : [{ orgAuthServerId, milliseconds }]
  })
  same(yield* timesIn(place.id, fixture), sums)
})

export const historyLaws: Laws = (it) => {
  it.prop(
    "any history of movements, links and modes counts and lists what the rules say",
    { mode, steps: history },
    function* ({ mode, steps }) {
      yield* runHistory(mode, steps)
    },
    60
  )
}
