/** Laws of `TokenRevocationStore`. Suites share a database, so they hold whatever else is revoked. */
import { hashOfCaller, Timestamp, type TokenRevocation, TokenRevocationStore, User, UserId } from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { NOW } from "../../arbitraries/times.ts"
import { unused } from "../shared/fixtures.ts"
import { allSucceed, concurrently, same, times } from "../shared/outcome.ts"
import { type Laws, suite } from "../shared/suite.ts"

/** Whom the audit names. */
const CALLER = User(UserId.make("revoked"))

const aRevocation = (issuedBefore: Timestamp = NOW): TokenRevocation => ({
  callerHash: hashOfCaller(User(UserId.make(unused("revoked")))),
  issuedBefore
})

/** Positions above all that a store issues. */
const NEVER_ISSUED = 2n ** 62n

const laws: Laws<TokenRevocationStore> = (it) => {
  it("a reading has what was revoked since the one before", function* () {
    const store = yield* TokenRevocationStore
    const [one, other] = [aRevocation(), aRevocation(Timestamp(NOW + 1))]
    const of = (...expected: ReadonlyArray<TokenRevocation>) => {
      const hashes = expected.map(({ callerHash }) => callerHash)
      return (revocations: ReadonlyArray<TokenRevocation>) =>
        revocations.filter(({ callerHash }) => hashes.includes(callerHash))
    }
    const both = of(one, other)
    const before = yield* store.since()
    same(both(before.revocations), [])
    yield* store.revoke(one, CALLER)
    const first = yield* store.since(before.position)
    same(both(first.revocations), [one])
    yield* store.revoke(other, CALLER)
    const second = yield* store.since(first.position)
    same(both(second.revocations), [other])
    same(both((yield* store.since(second.position)).revocations), [])
    for (const position of [undefined, NEVER_ISSUED]) {
      const all = yield* store.since(position)
      assert.sameDeepMembers([...both(all.revocations)], [one, other])
      same(both((yield* store.since(all.position)).revocations), [])
    }
  })

  it("of the revocations of a caller the one with the latest moment is kept, also of racing ones", function* () {
    const store = yield* TokenRevocationStore
    const { callerHash } = aRevocation()
    const kept = Effect.map(store.since(), ({ revocations }) =>
      revocations.filter((one) => one.callerHash === callerHash)
    )
    for (const [moment, expected] of [
      [NOW, NOW],
      [NOW - 1, NOW],
      [NOW + 1, NOW + 1]
    ] as const) {
      yield* store.revoke({ callerHash, issuedBefore: Timestamp(moment) }, CALLER)
      same(yield* kept, [{ callerHash, issuedBefore: expected }])
    }
    yield* allSucceed(
      times(20, (n) => store.revoke({ callerHash, issuedBefore: Timestamp(NOW + 1 + ((n * 7) % 20)) }, CALLER))
    )
    same(yield* kept, [{ callerHash, issuedBefore: NOW + 20 }])
  })

  it("readings that follow each other miss none of racing revocations", function* () {
    const store = yield* TokenRevocationStore
    const revocations = times(20, () => aRevocation())
    const seen = new Set<string>()
    let position: bigint | undefined
    const read = Effect.map(
      Effect.suspend(() => store.since(position)),
      (found) => {
        found.revocations.forEach(({ callerHash }) => seen.add(callerHash))
        position = found.position
      }
    )
    const readings = Effect.forEach(
      times(10, () => read),
      (one) => one
    )
    yield* concurrently([allSucceed(revocations.map((one) => store.revoke(one, CALLER))), readings])
    yield* read
    same(
      revocations.filter(({ callerHash }) => !seen.has(callerHash)),
      []
    )
  })
}

/** The laws of `TokenRevocationStore`. */
export const tokenRevocationStoreLaws = suite<TokenRevocationStore>("TokenRevocationStore", [laws])
