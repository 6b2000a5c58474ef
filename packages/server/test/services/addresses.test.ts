/** Permissions by mail address: who entered the address, who proved it, and what a binding names. */
import {
  Administrator,
  AdministratorId,
  type AdministratorName,
  Administrators,
  Mail,
  type OrganizationId,
  Organizations,
  PermissionStore,
  SignIns
} from "@sojourn/core"
import { layerStores } from "@sojourn/adapter-memory"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Redacted, Result } from "effect"
import { readFileSync } from "node:fs"
import { anAnonymousOrganization, countingHasher, OPERATOR } from "./fixtures.ts"
import { asMarkdown, CELLS, type Outcome, type Row, TABLE } from "./addresses.ts"

const PASSWORD = Redacted.make("correct horse battery staple")

let serial = 0
const unique = (what: string) => `${what}-${++serial}`
const someAdministrator = (mail?: Mail) => Administrator(AdministratorId.make(unique("administrator")), mail)

/** Creates an organization. */
const anOrganization = (owner: Parameters<typeof anAnonymousOrganization>[1]) =>
  Effect.map(anAnonymousOrganization(unique("organization"), owner), ({ id }) => id)
const anOwner = () => Administrator(AdministratorId.make(unique("owner")), Mail.make(`${unique("owner")}@example.org`))
const owned = Effect.suspend(() => {
  const owner = anOwner()
  return Effect.map(anOrganization(owner), (id) => ({
    owner,
    id
  }))
})
type Owned = Effect.Success<typeof owned>

const enrol = (administrator: Administrator) => Administrators.use((all) => all.recordSignIn(administrator))

/** Creates a row's account with a mail address; returns its id, and the organization that created it. */
const write = Effect.fnUntraced(function* ({ writer }: Row, mail: Mail) {
  const administrators = yield* Administrators
  const { administratorId } = someAdministrator()
  const account = { administratorId, mail }
  const made = (id: AdministratorId, ground?: Owned) => ({ administratorId: id, ground })
  if (writer === "an operator registers the account") {
    yield* administrators.register(OPERATOR, account)
    return made(administratorId)
  }
  if (writer === "an operator names the first owner") {
    return made(administratorId, { id: yield* anOrganization(account), owner: Administrator(administratorId, mail) })
  }
  if (writer === "the administrator's own token") {
    yield* enrol(Administrator(administratorId, mail))
    return made(administratorId)
  }
  const ground = yield* owned
  const permission = yield* administrators.create(ground.owner, {
    organizationId: ground.id,
    administrator: writer === "an owner, with an id" ? account : { mail },
    level: "owner",
    ...(writer === "an owner, with a password" && { password: PASSWORD })
  })
  return made(permission.administratorId, ground)
})

/** Performs a row's proof; returns the account that proved the address, if it is another one. */
const prove = Effect.fnUntraced(function* ({ proof, writer }: Row, mail: Mail, administratorId: AdministratorId) {
  const shouted = Mail.make(mail.toUpperCase())
  switch (proof) {
    case "nothing":
      return undefined
    case "the account proves the address":
      yield* enrol(Administrator(administratorId, shouted))
      return undefined
    case "the account's id, without the address": {
      const result = yield* Effect.result(enrol(Administrator(administratorId)))
      const isRefused = Result.isFailure(result) && result.failure._tag === "InvitationNotProved"
      assert.strictEqual(isRefused, writer === "an owner, with neither (invitation)")
      return undefined
    }
    case "the account's password": {
      const administrator = yield* SignIns.use((signIns) => signIns.withPassword(mail, PASSWORD, "a network"))
      assert.deepStrictEqual(administrator, Administrator(administratorId))
      yield* enrol(administrator)
      return undefined
    }
    case "another account proves the address": {
      const other = someAdministrator(shouted)
      yield* enrol(other)
      return other.administratorId
    }
  }
})

const STATUS: Readonly<Record<string, Outcome>> = {
  AdministratorNotFound: "404",
  AdministratorsDiffer: "400",
  AlreadyBound: "400"
}

/** Binds an administrator and returns which account was bound; a third account is returned by its id. */
const bind = Effect.fnUntraced(function* (
  ground: Owned,
  administrator: AdministratorName,
  ids: { readonly account: AdministratorId; readonly prover: AdministratorId | undefined }
) {
  const { administratorId } = administrator
  const binding = { organizationId: ground.id, administrator, level: "owner" } as const
  const before = yield* permissionsOf(ground.id)
  const bound = yield* Effect.result(Administrators.use((all) => all.bind(ground.owner, binding)))
  if (Result.isFailure(bound)) {
    assert.deepStrictEqual(yield* permissionsOf(ground.id), before)
    return STATUS[bound.failure._tag] ?? `${bound.failure._tag} ${administratorId}`
  }
  const found = bound.success.administratorId
  return found === ids.prover ? "the prover" : found === ids.account ? "the account" : found
})

const permissionsOf = (organizationId: OrganizationId) =>
  Effect.map(
    PermissionStore.use((store) => store.listByOrganization(organizationId)),
    (all) => all.map(({ administratorId, level }) => [administratorId, level] as const)
  )

/** A row's account with its address and proof, and another organization. */
const scene = Effect.fnUntraced(function* (row: Row) {
  const mail = Mail.make(`${unique("Carol")}@Corp.example.org`)
  const { administratorId: account, ground } = yield* write(row, mail)
  const prover = yield* prove(row, mail, account)
  const third = someAdministrator(Mail.make(`${unique("third")}@example.org`))
  yield* enrol(third)
  return { mail, ids: { account, prover }, made: ground, third, other: yield* owned }
})

type Cell = (typeof CELLS)[number]

const named = (cell: Cell, { ids, mail, third }: Effect.Success<ReturnType<typeof scene>>): AdministratorName => {
  const written = Mail.make(mail.toLowerCase())
  switch (cell) {
    case "id":
    case "ownId":
      return { administratorId: ids.account }
    case "mail":
    case "ownMail":
      return { mail: written }
    case "both":
      return { administratorId: ids.account, mail: written }
    case "differing":
      return { administratorId: third.administratorId, mail: written }
  }
}

const services = Layer.mergeAll(Administrators.layer, Organizations.layer, SignIns.layer)

layer(Layer.provideMerge(services, Layer.merge(layerStores, countingHasher().layer)))(
  "a binding by mail address",
  (it) => {
    for (const row of TABLE) {
      const situation = `${row.writer}; ${row.proof}`
      for (const cell of CELLS) {
        const expected = row[cell]
        if (expected === undefined) continue
        it.effect(`${situation}; binding by ${cell}: ${expected}`, () =>
          Effect.gen(function* () {
            const world = yield* scene(row)
            const ground = cell === "ownId" || cell === "ownMail" ? world.made! : world.other
            assert.strictEqual(yield* bind(ground, named(cell, world), world.ids), expected)
          })
        )
      }
      it.effect(`${situation}; a later account proves the address: the permission belongs to ${row.later}`, () =>
        Effect.gen(function* () {
          const world = yield* scene(row)
          const by = row.mail === "404" ? "id" : "mail"
          assert.strictEqual(yield* bind(world.other, named(by, world), world.ids), row[by])
          const holder = someAdministrator(world.mail)
          yield* enrol(holder)
          const ids = {
            "the account": world.ids.account,
            "the prover": world.ids.prover,
            "the later account": holder.administratorId
          }
          assert.deepStrictEqual(yield* permissionsOf(world.other.id), [
            [world.other.owner.administratorId, "owner"],
            [ids[row.later]!, "owner"]
          ])
        })
      )
    }
  }
)

describe("the table", () => {
  it("equals the table in docs/identity.md, which says of an address and another account's id that they are always 400", () => {
    assert.deepStrictEqual([...new Set(TABLE.map(({ differing }) => differing))], ["400"])
    const text = readFileSync(new URL("../../../../docs/identity.md", import.meta.url), "utf8")
    const shown = new Set(text.split("\n").map((line) => line.replaceAll(/\s+/g, " ").trim()))
    assert.deepStrictEqual(
      asMarkdown().filter((line) => !shown.has(line)),
      []
    )
  })
})
