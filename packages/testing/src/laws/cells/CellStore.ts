/** Laws of `CellStore`: accounts as they were decided, names by cell, and the lock. */
import {
  AdministratorAccounts,
  AdministratorId,
  AdministratorSubject,
  CellNumber,
  CellStore,
  type PasswordHash,
  type StorageId,
  StorageIdentity,
  type Stores,
  UserId,
  UserSubject
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { aBoundAdministrator, someAdministrator, someMail, unused } from "../shared/fixtures.ts"
import { concurrently, pluck, same, times } from "../shared/outcome.ts"
import { permissionsOf } from "../shared/permissions.ts"
import { type Laws, suite } from "../shared/suite.ts"

const laws: Laws<Stores | CellStore> = (it) => {
  it("accounts are found by each part of a name, and together", function* (one, other) {
    const store = yield* CellStore
    const owner = { administratorId: one.owner, mail: one.ownerMail }
    const { byId, byMail } = yield* store.findAccounts({ administratorId: one.owner, mail: other.ownerMail })
    same([byId, byMail], [Option.some(owner), Option.some({ administratorId: other.owner, mail: other.ownerMail })])
    const nobody = yield* store.findAccounts({ administratorId: someAdministrator(), mail: someMail() })
    same(nobody, { byId: Option.none(), byMail: Option.none() })
    const listed = yield* store.listAccounts([one.owner, someAdministrator(), other.owner])
    assert.sameMembers(pluck(listed, "administratorId"), [one.owner, other.owner])
    assert.sameMembers(pluck(listed, "mail"), [one.ownerMail, other.ownerMail])
    same(yield* store.listAccounts([]), [])
  })

  it("accounts are kept as they were decided, and an invitation's permissions go to who takes it over", function* (one, other) {
    const store = yield* CellStore
    const passwordHash = unused("hash") as PasswordHash
    const account = { administratorId: someAdministrator(), mail: someMail(), isMailUnproved: true }
    yield* store.changeAccounts({ _tag: "Kept", account: { ...account, passwordHash } })
    const credential = yield* AdministratorAccounts.use((accounts) => accounts.credential({ mail: account.mail }))
    same(Option.getOrThrow(credential), { account, passwordHash })
    const prover = { administratorId: someAdministrator(), mail: account.mail }
    yield* store.changeAccounts({ _tag: "Kept", account: prover, displaced: account.administratorId })
    same(yield* store.listAccounts([account.administratorId]), [{ administratorId: account.administratorId }])
    same(yield* store.listAccounts([prover.administratorId]), [prover])

    // As the copy of an invitation in another cell is: without its mail address.
    const invitation = someAdministrator()
    yield* aBoundAdministrator(one, "owner", { administratorId: invitation, mail: undefined })
    yield* aBoundAdministrator(other, "viewer", { administratorId: prover.administratorId, mail: prover.mail })
    const copy = { administratorId: invitation, isInvitation: true, isMailUnproved: true }
    yield* store.changeAccounts({ _tag: "Kept", account: copy })
    yield* store.changeAccounts({ _tag: "TakenOver", invitation, account: prover })
    same(yield* store.listAccounts([invitation]), [])
    same(yield* permissionsOf(invitation), [])
    const taken = yield* permissionsOf(prover.administratorId)
    assert.sameDeepMembers(
      taken.map(({ organizationId, level }) => [organizationId, level]),
      [
        [one.id, "owner"],
        [other.id, "viewer"]
      ]
    )
    yield* store.changeAccounts({ _tag: "Unchanged" })
  })

  it("a name is of the cell that was given last, until it is removed", function* () {
    const store = yield* CellStore
    const [name, other] = [unused("name"), unused("name")]
    const [first, second] = [CellNumber.make(7), CellNumber.make(255)]
    const countOf = (cell: CellNumber) => Effect.map(store.countNames, (counts) => counts.get(cell) ?? 0)
    const before = [yield* countOf(first), yield* countOf(second)] as const
    same(yield* store.findName(name), Option.none())
    yield* store.putName(name, first)
    yield* store.putName(other, second)
    same(yield* store.findName(name), Option.some(first))
    yield* store.putName(name, second)
    same(yield* store.findName(name), Option.some(second))
    same([yield* countOf(first), yield* countOf(second)], [before[0], before[1] + 2])
    yield* store.removeName(name)
    yield* store.removeName(name)
    same(yield* store.findName(name), Option.none())
    same(yield* store.findName(other), Option.some(second))
    yield* store.removeName(other)
  })

  it("a subject has the cells that were added, until it is removed", function* () {
    const store = yield* CellStore
    const id = unused("id")
    const administrator = AdministratorSubject(AdministratorId.make(id))
    const user = UserSubject(UserId.make(id))
    const [first, second] = [CellNumber.make(1), CellNumber.make(255)]
    same(yield* store.listCells(user), [])
    yield* store.addCell(user, second)
    yield* store.addCell(user, first)
    yield* store.addCell(user, first)
    yield* store.addCell(administrator, second)
    assert.sameMembers([...(yield* store.listCells(user))], [first, second])
    same(yield* store.listCells(administrator), [second])
    yield* store.removeSubject(user)
    yield* store.removeSubject(user)
    same([yield* store.listCells(user), yield* store.listCells(administrator)], [[], [second]])
    yield* store.removeSubject(administrator)
  })

  it("a cell has the identity that it took", function* () {
    const { takeIdentity } = yield* CellStore
    const { read } = yield* StorageIdentity
    const own = yield* read
    const taken = "0b0e6b0c-5c6e-4a61-9d2c-8f6f5a3d7e11" as StorageId
    for (const identity of [taken, taken, own]) {
      yield* takeIdentity(identity)
      same(yield* read, identity)
    }
  })

  it("of effects under the lock one runs at a time, and a failure ends it", function* () {
    const store = yield* CellStore
    let running = 0
    let most = 0
    const enter = Effect.gen(function* () {
      most = Math.max(most, ++running)
      // Uses the store while it is locked.
      yield* store.findName("no such name")
      yield* Effect.yieldNow
      running--
    })
    const results = yield* concurrently(
      times(20, (n) =>
        Effect.result(store.locked(n % 3 === 0 ? Effect.andThen(enter, Effect.fail(n)) : Effect.as(enter, n)))
      )
    )
    same([most, running], [1, 0])
    same(
      results.map((result) => (result._tag === "Success" ? result.success : result.failure)),
      times(20, (n) => n)
    )
  })
}

/** The laws of `CellStore`, for adapters whose stores can be cells. */
export const cellStoreLaws = suite<Stores | CellStore>("CellStore", [laws])
