import { describe, it } from "vitest"
import { rectangle } from "../src/demo/areas.ts"
import { makeFixtures, NOWHERE, square, unique, want } from "./fixtures.ts"
import { type Bearer, sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { owner, operator, organization, authenticated, place, post, put, patch, get, remove, call, enter } = fixtures

const phone = sojourn.user("phone")
const stranger = sojourn.administrator("a-stranger")
const account = async () => {
  const administratorId = unique("account")
  const mail = `${administratorId}@example.test`
  want(await post(operator, "/operator/administrator", { administratorId, mail }), 201)
  return { administratorId, mail }
}
const bound = async (organizationId: number, permission: number) => {
  const made = await account()
  want(await post(owner, "/administrator/bindadministrator", { organizationId, ...made, permission }), 201)
  return sojourn.administrator(made.administratorId, made.mail)
}
const area = (id: number, trackingArea: string, who: Bearer = owner) =>
  call(who, "PATCH", `/organization/${id}/trackingArea`, { form: { trackingArea } })
const bind = (who: Bearer, json: object) => post(who, "/administrator/bindadministrator", json)
const create = (who: Bearer, json: object) => post(who, "/administrator/createadministrator", json)
const update = (who: Bearer, json: object) => patch(who, "/administrator/updatepermission", json)
const unbind = (who: Bearer, json: object) => post(who, "/administrator/unbindadministrator", json)
const askDeletion = (who: Bearer, json: object) => post(who, "/organization/requestdeletion", json)
const outside = rectangle(20, 45, 21, 46)

/** The rows of interface.md, section 7, in their order: each sentence is a test. */
describe("400 (interface, section 7)", () => {
  it("Organization update (PUT) or place update (PUT): the inserted data has issues", async () => {
    const o = await organization()
    const p = await place(o.id)
    want(await put(owner, "/organization", { id: o.id, name: "" }), 400)
    want(await put(owner, "/organization", { id: o.id, trackingArea: "x" }), 400)
    want(await put(owner, "/place", { id: p.id, name: "x".repeat(129) }), 400)
    want(await put(owner, "/place", { id: p.id, trackingArea: outside }), 400)
  })

  it("Tracking-area update or place creation: the area does not respect the area constraints for the organization", async () => {
    const o = await organization({ trackingArea: square(0), maxArea: 2e6 })
    want(await area(o.id, rectangle(11, 45, 12, 46)), 400)
    want(await post(owner, "/place", { organizationId: o.id, trackingArea: outside }), 400)
  })

  it("Bind administrator: the permission given is higher than the caller's", async () => {
    // Only owners bind, and owner is the highest level, so a level above the caller's is no valid level.
    want(await bind(owner, { organizationId: (await organization()).id, ...(await account()), permission: 4 }), 400)
  })

  it("Create administrator: the administrator to be created already has an account", async () => {
    const { administratorId, mail } = await account()
    const { id: organizationId } = await organization()
    want(await create(owner, { organizationId, mail, permission: 1 }), 400)
    want(await create(owner, { organizationId, mail: mail.toUpperCase(), permission: 1 }), 400)
    want(await create(owner, { organizationId, administratorId, mail: `new-${mail}`, permission: 1 }), 400)
  })

  it("Update permission: something other than the permission was changed", async () => {
    const { id: organizationId } = await organization()
    const { id: administratorId } = await bound(organizationId, 1)
    const record = { organizationId, administratorId, permission: 2 }
    want(await update(owner, { ...record, mail: "other@example.test" }), 400)
    want(await update(owner, { ...record, nominatedBy: "another" }), 400)
    want(await update(owner, { ...record, orgAuthServerId: "ada" }), 400)
    want(await update(owner, record), 201)
  })

  it("Add favorite: the user already has the organization as a favorite", async () => {
    const { id: organizationId } = await organization()
    want(await post(phone, "/favorite/addfavorite", { organizationId }), 201)
    want(await post(phone, "/favorite/addfavorite", { organizationId }), 400)
  })

  it("Get favorites: the supplied userId is incorrect", async () => {
    want(await get(phone, "/favorite/another"), 400)
  })

  it.each(["organization", "place"] as const)("Track movement (%s): exit without exitToken", async (kind) => {
    const where = await fixtures.premises(kind)
    want(await enter(phone, where), 201)
    want(await fixtures.track(phone, where, { movementType: -1 }), 400)
  })
})

describe("401 and 403 (interface, section 7)", () => {
  it("The caller is not authenticated; the caller is of the wrong kind, or lacks the permission level: see authorization.test.ts", () => {})

  it("Organization deletion request and organization update: an administrator who does not own the organization", async () => {
    const { id } = await organization()
    for (const who of [stranger, await bound(id, 1), await bound(id, 2)]) {
      want(await askDeletion(who, { organizationId: id }), 403)
      want(await put(who, "/organization", { id, description: "x" }), 403)
    }
  })

  it("Get places of an organization: an administrator not bound to the organization", async () => {
    want(await get(stranger, `/place/organization/${(await organization()).id}`), 403)
  })

  it("Authenticated accesses: a user asking for accesses other than their own", async () => {
    const { id } = await authenticated()
    const ada = await fixtures.linked(id, "ada")
    want(await fixtures.ofPeople(ada, { kind: "organization", id }, "alan"), 403)
  })

  it("Add favorite: a user whose account is not linked to the organization's account, and administrators", async () => {
    const { id: organizationId } = await authenticated()
    for (const who of [phone, owner, stranger]) want(await post(who, "/favorite/addfavorite", { organizationId }), 403)
  })

  it("Permission list of an administrator: another administrator's id, or a user", async () => {
    want(await get(owner, `/administrator/permission/${stranger.id}`), 403)
    want(await get(owner, "/administrator/permission/nobody-at-all"), 403)
    want(await get(phone, `/administrator/permission/${phone.id}`), 403)
  })
})

describe("404 (interface, section 7)", () => {
  const id = NOWHERE
  const ORGANIZATION: ReadonlyArray<readonly [string, () => Promise<any>]> = [
    ["get organization", () => get(owner, `/organization/${id}`)],
    ["deletion request", () => askDeletion(owner, { organizationId: id })],
    ["update", () => put(owner, "/organization", { id, name: "x" })],
    ["tracking-area update", () => area(id, square(0))],
    ["counter", () => get(owner, `/presence/organization/${id}/counter`)],
    ["administrator list", () => get(owner, `/administrator/organization/${id}`)],
    ["bind", () => bind(owner, { organizationId: id, administratorId: stranger.id, permission: 1 })],
    ["create", () => create(owner, { organizationId: id, mail: "new@example.test", permission: 1 })],
    ["update-permission", () => update(owner, { organizationId: id, administratorId: owner.id, permission: 1 })]
  ]
  it.each(ORGANIZATION)("Organization not found: %s", async (_, ask) => {
    want(await ask(), 404)
  })

  const PLACE: ReadonlyArray<readonly [string, () => Promise<any>]> = [
    ["delete place", () => remove(owner, `/place/${id}`)],
    ["place counter", () => get(owner, `/presence/place/${id}/counter`)],
    ["place update, an invalid place id", () => put(owner, "/place", { id, name: "x" })]
  ]
  it.each(PLACE)("Place not found: %s", async (_, ask) => {
    want(await ask(), 404)
  })

  it("Administrator not found (bind, update-permission)", async () => {
    const { id: organizationId } = await organization()
    want(await bind(owner, { organizationId, administratorId: "nobody-at-all", permission: 1 }), 404)
    want(await bind(owner, { organizationId, mail: "nobody@example.test", permission: 1 }), 404)
    want(await update(owner, { organizationId, administratorId: "nobody-at-all", permission: 1 }), 404)
    want(
      await update(owner, { organizationId, administratorId: (await account()).administratorId, permission: 1 }),
      404
    )
  })

  it("Permission record not found (unbind)", async () => {
    const { id: organizationId } = await organization()
    want(await unbind(owner, { organizationId, administratorId: (await account()).administratorId }), 404)
    want(await unbind(owner, { organizationId, administratorId: "nobody-at-all" }), 404)
  })

  it("Favorite not found on removal (the favorite is not removed)", async () => {
    want(await post(phone, "/favorite/removefavorite", { organizationId: (await organization()).id }), 404)
  })
})
