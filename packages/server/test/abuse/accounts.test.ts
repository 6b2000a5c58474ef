/** Attacks that try to gain permissions in another organization through data entered about another person. */
import { beforeEach, describe, expect, it } from "vitest"
import { makeFixtures, unique, want } from "../fixtures.ts"
import { type Bearer, sojournForThisFile } from "../harness.ts"

const sojourn = await sojournForThisFile()
const {
  operator,
  call: send,
  eraseData,
  organization,
  authenticated,
  post,
  patch,
  get,
  linked,
  ofPeople
} = makeFixtures(sojourn)
const PASSWORD = "correct horse battery staple"

/** The organization Corp with its owner, the attacker's own organization, and Carol of Corp, who has no account yet. */
let corp: { readonly id: number; readonly owner: Bearer }
let shop: { readonly id: number; readonly owner: Bearer }
let carol: Bearer

const owned = async (what: string) => {
  const owner = sojourn.administrator(unique(`${what}-owner`))
  return { owner, ...(await organization({ owner: { administratorId: owner.id, mail: owner.mail } })) }
}

beforeEach(async () => {
  corp = await owned("corp")
  shop = await owned("shop")
  carol = sojourn.administrator(unique("provider|carol"), `${unique("carol")}@corp.test`)
})

const create = (where: typeof corp, json: object) =>
  post(where.owner, "/administrator/createadministrator", { organizationId: where.id, permission: "owner", ...json })
const bind = (where: typeof corp, json: object) =>
  post(where.owner, "/administrator/bindadministrator", { organizationId: where.id, permission: "owner", ...json })
const call = (who: Bearer) => get(who, `/administrator/permission/${encodeURIComponent(who.id)}`)
const administrators = async (where: typeof corp): Promise<ReadonlyArray<string>> =>
  want(await get(where.owner, `/administrator/organization/${where.id}`), 200).json.map(
    (one: any) => one.administratorId
  )

/** The attacker creates an account with an id of her own and this mail address; returns a caller with that id. */
const squat = async (mail: string, id = unique("second-id")) => {
  want(await create(shop, { administratorId: id, mail }), 201)
  return sojourn.administrator(id, "")
}

/** Expects that the caller has no permission in Corp, and that Corp's owner is unchanged. */
const expectNothing = async (who: Bearer) => {
  want(await get(who, `/organization/${corp.id}`), 403)
  want(await get(who, `/administrator/organization/${corp.id}`), 403)
  const { id: organizationId, owner } = corp
  const removal = { organizationId, administratorId: owner.id, permission: 3 }
  want(await post(who, "/administrator/unbindadministrator", removal), 403)
  expect(await administrators(corp)).toContain(owner.id)
}

describe("an unproved mail address of an account that an attacker created", () => {
  it("gives the attacker no permission where the address is bound, before and after its holder proves it", async () => {
    const squatter = await squat(carol.mail)
    want(await bind(corp, { mail: carol.mail }), 404)
    await expectNothing(squatter)
    want(await call(carol), 204)
    await expectNothing(squatter)
    expect(want(await bind(corp, { mail: carol.mail }), 201).json).toMatchObject({ administratorId: carol.id })
    expect(await administrators(corp)).toEqual([corp.owner.id, carol.id])
    await expectNothing(squatter)
    want(await get(carol, `/organization/${corp.id}`), 200)
    want(await get(carol, `/organization/${shop.id}`), 403)
  })

  it("cannot be bound, with or without an id, not even in the attacker's organization", async () => {
    const squatter = await squat(carol.mail)
    want(await bind(shop, { mail: carol.mail }), 404)
    want(await bind(shop, { administratorId: squatter.id }), 400)
    want(await bind(corp, { administratorId: carol.id, mail: carol.mail }), 404)
    want(await call(carol), 204)
    want(await bind(corp, { administratorId: squatter.id, mail: carol.mail }), 400)
    expect(await administrators(corp)).toEqual([corp.owner.id])
  })

  it("gives no permission either when it is entered again after its holder was erased", async () => {
    await squat(carol.mail)
    want(await call(carol), 204)
    want(await create(shop, { administratorId: unique("third-id"), mail: carol.mail }), 400)
    want(await eraseData({ administratorId: carol.id }), 200)
    const again = await squat(carol.mail)
    want(await bind(corp, { mail: carol.mail }), 404)
    await expectNothing(again)
  })

  it("is not proved by a sign-in with a password, nor by a token with another address", async () => {
    const { administratorId } = want(await create(shop, { mail: carol.mail, password: PASSWORD }), 201).json
    const form = { grant_type: "password", username: carol.mail, password: PASSWORD }
    const { access_token: token } = want(await send(undefined, "POST", "/authentication/token", { form }), 200).json
    const squatter = { id: administratorId, mail: "", token: Promise.resolve(token) }
    for (const who of [squatter, sojourn.administrator(administratorId, `${unique("other")}@evil.test`)]) {
      want(await call(who), 200)
      want(await bind(corp, { mail: carol.mail }), 404)
      await expectNothing(who)
    }
  })

  it("can be assigned to its holder by an operator", async () => {
    const squatter = await squat(carol.mail)
    want(await post(operator, "/operator/administrator", { administratorId: carol.id, mail: carol.mail }), 201)
    expect(want(await bind(corp, { mail: carol.mail }), 201).json.administratorId).toBe(carol.id)
    await expectNothing(squatter)
  })
})

describe("an invitation of another person's mail address by an attacker", () => {
  it("passes its permissions to the account that proves the address, and not to a caller with its id", async () => {
    const { administratorId } = want(await create(shop, { mail: carol.mail }), 201).json
    want(await bind(corp, { mail: carol.mail }), 201)
    for (const mail of ["", `${unique("own")}@evil.test`, shop.owner.mail, corp.owner.mail]) {
      const thief = sojourn.administrator(administratorId, mail)
      for (let n = 0; n < 2; n++) {
        want(await call(thief), 401)
        want(await get(thief, `/organization/${corp.id}`), 401)
        want(await get(thief, `/presence/organization/${corp.id}/counter`), 401)
      }
    }
    want(await call(carol), 200)
    want(await get(carol, `/organization/${corp.id}`), 200)
    expect(await administrators(corp)).toEqual([corp.owner.id, carol.id])
  })

  it("and an unproved address exclude each other in either order, and give the attacker no permission", async () => {
    want(await create(corp, { mail: carol.mail }), 201)
    want(await create(shop, { administratorId: unique("second-id"), mail: carol.mail }), 400)
    want(await call(carol), 200)
    const dave = sojourn.administrator(unique("dave"), `${unique("dave")}@corp.test`)
    const squatter = await squat(dave.mail)
    want(await create(corp, { mail: dave.mail }), 400)
    await expectNothing(squatter)
    want(await call(dave), 204)
    expect(want(await bind(corp, { mail: dave.mail }), 201).json.administratorId).toBe(dave.id)
  })
})

describe("other data that a caller enters about another person", () => {
  it("an orgAuthServerId in a permission does not identify its administrator as that person", async () => {
    const known = await authenticated({ owner: { administratorId: shop.owner.id, mail: shop.owner.mail } })
    await linked(known.id, "ada")
    const mine = sojourn.administrator(unique("mine"), "")
    want(await call(mine), 204)
    const permission = { administratorId: mine.id, orgAuthServerId: "ada", nominatedBy: corp.owner.id }
    const bound = want(await bind({ ...known, owner: shop.owner }, permission), 201).json
    expect(bound.nominatedBy).toBe(shop.owner.id)
    // A user with the same id is neither the administrator nor the person.
    const user = sojourn.user(mine.id)
    want(await ofPeople(user, { kind: "organization", id: known.id }, "ada"), 403)
    want(await post(user, "/favorite/addfavorite", { organizationId: known.id, orgAuthServerId: "ada" }), 403)
    const entrance = { organizationId: known.id, movementType: 1, orgAuthServerId: "ada" }
    want(await post(user, "/movement/track/organization", entrance), 403)
  })

  it("a nominator, user or administrator in a body never replaces the caller", async () => {
    const victim = sojourn.user(unique("victim"))
    want(
      await post(sojourn.user(unique("user")), "/favorite/addfavorite", { organizationId: corp.id, userId: victim.id }),
      403
    )
    const request = { organizationId: corp.id, administratorId: corp.owner.id }
    want(await post(shop.owner, "/organization/requestdeletion", request), 403)
    const update = {
      organizationId: corp.id,
      administratorId: corp.owner.id,
      permission: 1,
      nominatedBy: corp.owner.id
    }
    want(await patch(shop.owner, "/administrator/updatepermission", update), 403)
    const made = want(await create(shop, { mail: carol.mail, nominatedBy: corp.owner.id }), 201).json
    expect(made.nominatedBy).toBe(shop.owner.id)
  })
})
