/** Administrators, their permissions, and changes of organizations over HTTP. */
import { describe, expect, it } from "vitest"
import { DEMO_SERVER } from "../src/demo/people.ts"
import { makeFixtures, NOWHERE, unique, want } from "./fixtures.ts"
import { type Bearer, sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { owner, operator, organization, post, put, patch, get } = fixtures
const phone = sojourn.user("phone")

const account = async () => {
  const administratorId = unique("account")
  const mail = `${administratorId}@example.test`
  want(await post(operator, "/operator/administrator", { administratorId, mail }), 201)
  return { administratorId, mail, bearer: sojourn.administrator(administratorId, mail) }
}
const bind = (organizationId: number, json: object) =>
  post(owner, "/administrator/bindadministrator", { organizationId, ...json })
const create = (organizationId: number, json: object) =>
  post(owner, "/administrator/createadministrator", { organizationId, ...json })
const update = (
  organizationId: number,
  administratorId: string,
  permission: unknown,
  over: object = {},
  who: Bearer = owner
) => patch(who, "/administrator/updatepermission", { organizationId, administratorId, permission, ...over })
const unbind = (organizationId: number, administratorId: string) =>
  post(owner, "/administrator/unbindadministrator", { organizationId, administratorId, permission: 1 })
const bound = async (organizationId: number, permission: number, over: object = {}) => {
  const made = await account()
  const { administratorId } = made
  return { ...made, permission: want(await bind(organizationId, { administratorId, permission, ...over }), 201).json }
}
const admins = async (organizationId: number): Promise<ReadonlyArray<any>> =>
  want(await get(owner, `/administrator/organization/${organizationId}`), 200).json

describe("bind (spec: accounts#binding)", () => {
  it("201 Permission, by id, by mail, or by both; the mail is compared without regard to case", async () => {
    const { id } = await organization()
    for (const name of [
      ({ administratorId }: any) => ({ administratorId }),
      ({ mail }: any) => ({ mail }),
      ({ mail }: any) => ({ mail: mail.toUpperCase() }),
      ({ administratorId, mail }: any) => ({ administratorId, mail }),
      ({ administratorId }: any) => ({ administratorId, mail: null }),
      ({ mail }: any) => ({ administratorId: null, mail })
    ]) {
      const made = await account()
      const { administratorId, mail } = made
      expect(want(await bind(id, { ...name(made), permission: 1 }), 201).json).toEqual({
        administratorId,
        organizationId: id,
        permission: 1,
        mail,
        nominatedBy: owner.id
      })
    }
  })

  it("an orgAuthServerId is kept with the permission", async () => {
    const { id } = await organization()
    const { administratorId, permission } = await bound(id, 1, { orgAuthServerId: "ada" })
    expect(permission.orgAuthServerId).toBe("ada")
    expect((await admins(id)).find((one) => one.administratorId === administratorId)).toEqual(permission)
  })

  it("neither id nor mail known: 404; already bound: 400", async () => {
    const { id } = await organization()
    want(await bind(id, { administratorId: "nobody", permission: 1 }), 404)
    want(await bind(id, { mail: "nobody@example.test", permission: 1 }), 404)
    const { administratorId } = await bound(id, 1)
    want(await bind(id, { administratorId, permission: 1 }), 400)
    want(await bind(id, { administratorId, permission: 2 }), 400)
    want(await bind(id, { administratorId: owner.id, permission: 3 }), 400)
  })

  it("the first authenticated call creates the account, with its mail", async () => {
    const { id } = await organization()
    const fresh = sojourn.administrator(unique("fresh"))
    want(await bind(id, { administratorId: fresh.id, permission: 1 }), 404)
    want(await get(fresh, `/administrator/permission/${fresh.id}`), 204)
    expect(want(await bind(id, { mail: fresh.mail, permission: 1 }), 201).json).toMatchObject({
      administratorId: fresh.id,
      mail: fresh.mail
    })
  })

  it("a first authenticated call creates the account also when it is refused", async () => {
    const { id } = await organization()
    const fresh = sojourn.administrator(unique("fresh"))
    want(await get(fresh, `/organization/${id}`), 403)
    want(await bind(id, { administratorId: fresh.id, permission: 1 }), 201)
  })

  it("an account without mail answers a Permission without mail", async () => {
    const { id } = await organization()
    const fresh = sojourn.administrator(unique("fresh"), "")
    want(await get(fresh, `/administrator/permission/${fresh.id}`), 204)
    expect(want(await bind(id, { administratorId: fresh.id, permission: 1 }), 201).json).not.toHaveProperty("mail")
  })
})

describe("create (spec: accounts#new-account)", () => {
  it("201 Permission; the account exists from then on", async () => {
    const { id } = await organization()
    const administratorId = unique("made")
    const mail = `${administratorId}@example.test`
    const body = { administratorId, mail, password: "a good password", permission: "manager", orgAuthServerId: "ada" }
    const permission = want(await create(id, body), 201).json
    expect(permission).toEqual({
      administratorId,
      organizationId: id,
      permission: 2,
      mail,
      orgAuthServerId: "ada",
      nominatedBy: owner.id
    })
    want(await bind((await organization()).id, { administratorId, permission: 1 }), 201)
    expect(
      want(await get(sojourn.administrator(administratorId, mail), `/administrator/permission/${administratorId}`), 200)
        .json
    ).toContainEqual(permission)
  })

  it("without an id the service issues one; no answer contains the password", async () => {
    const { id } = await organization()
    const mail = `${unique("made")}@example.test`
    const permission = want(await create(id, { mail, password: "a good password", permission: 1 }), 201).json
    expect(permission.administratorId).toMatch(/^.{1,256}$/)
    expect(JSON.stringify(permission)).not.toContain("a good password")
  })

  it("account exists: 400, and no permission is created", async () => {
    const { id } = await organization()
    const { mail } = await account()
    want(await create(id, { mail, permission: 1 }), 400)
    expect(await admins(id)).toHaveLength(1)
  })
})

describe("GET /administrator/permission (spec: accounts#own-permissions)", () => {
  it("400 an id that is no text, before it is compared with the caller's id and after the kind of caller", async () => {
    for (const id of ["%00", `${owner.id}%00`, "%ff"]) want(await get(owner, `/administrator/permission/${id}`), 400)
    want(await get(phone, "/administrator/permission/%00"), 403)
    want(await get(undefined, "/administrator/permission/%00"), 401)
  })

  it("lists the administrator's own permissions in every organization; 204 when there is none", async () => {
    const { bearer, administratorId } = await account()
    want(await get(bearer, `/administrator/permission/${administratorId}`), 204)
    const [one, two] = [await organization(), await organization()]
    const granted = [
      want(await bind(one.id, { administratorId, permission: 1 }), 201).json,
      want(await bind(two.id, { administratorId, permission: 3 }), 201).json
    ]
    // Cells issue ids of ranges of their own.
    if (one.id > two.id) granted.reverse()
    expect(want(await get(bearer, `/administrator/permission/${administratorId}`), 200).json).toEqual(granted)
  })

  it.each(["auth0|42", "a/b", "ä ö", "50%", "a,b", "a?b#c", "..", "a%2Fb", "😀"])(
    "the id is percent-decoded: %s",
    async (id) => {
      want(await get(sojourn.administrator(id, ""), `/administrator/permission/${encodeURIComponent(id)}`), 204)
    }
  )

  it("a semicolon in an id needs no escape", async () => {
    want(await get(sojourn.administrator("a;b", ""), "/administrator/permission/a;b"), 204)
    const user = sojourn.user("a;b")
    want(await get(user, "/favorite/a;b"), 204)
  })
})

describe("unbind and updatepermission (spec: accounts#last-owner)", () => {
  it("unbind: 204, and the administrator has no permission any more", async () => {
    const { id } = await organization()
    const { administratorId, bearer } = await bound(id, 2)
    want(await get(bearer, `/organization/${id}`), 200)
    expect(want(await unbind(id, administratorId), 204).text).toBe("")
    want(await get(bearer, `/organization/${id}`), 403)
    want(await unbind(id, administratorId), 404)
  })

  it("a change that would leave the organization without an owner: 403, and nothing changes", async () => {
    const { id } = await organization()
    want(await unbind(id, owner.id), 403)
    want(await update(id, owner.id, 2), 403)
    want(await update(id, owner.id, 1), 403)
    expect((await admins(id))[0].permission).toBe(3)
    want(await update(id, owner.id, 3), 201)
  })

  it("an update of the level leaves `nominatedBy` as it is; updating to the same level is 201", async () => {
    const { id } = await organization()
    const second = await bound(id, 3)
    const { administratorId, permission } = await bound(id, 1, { orgAuthServerId: "ada" })
    const raised = want(await update(id, administratorId, "manager", {}, second.bearer), 201).json
    expect(raised).toEqual({ ...permission, permission: 2 })
    expect(want(await update(id, administratorId, 2), 201).json).toEqual(raised)
    expect(
      want(await update(id, administratorId, 1, permission.permission && { ...permission, permission: 1 }), 201).json
        .permission
    ).toBe(1)
  })

  it("the other fields may be sent with their recorded values, the mail in any letter case, or as null", async () => {
    const { id } = await organization()
    const { administratorId, mail } = await bound(id, 1, { orgAuthServerId: "ada" })
    want(
      await update(id, administratorId, 2, { mail: mail.toUpperCase(), orgAuthServerId: "ada", nominatedBy: owner.id }),
      201
    )
    want(await update(id, administratorId, 2, { mail: null, orgAuthServerId: null, nominatedBy: null }), 201)
    want(await update(id, administratorId, 2, { orgAuthServerId: "alan" }), 400)
    want(await update(id, administratorId, 2, { mail: "other@example.test" }), 400)
  })
})

describe("organizations (spec: organizations#partial-update)", () => {
  it("PUT: changes the fields that are present and lastChangeDate; creationDate is unchanged", async () => {
    const before = await organization({ description: "before", city: "Padova" })
    await new Promise((resolve) => setTimeout(resolve, 5))
    const after = want(
      await put(owner, "/organization", { id: before.id, description: "after", creationDate: "x" }),
      200
    ).json
    expect(after).toEqual({ ...before, description: "after", lastChangeDate: after.lastChangeDate })
    expect(after.lastChangeDate > before.lastChangeDate).toBe(true)
  })

  it("PUT with nothing but the id: 200, unchanged", async () => {
    const o = await organization()
    expect(want(await put(owner, "/organization", { id: o.id }), 200).json).toEqual(o)
    expect(want(await put(owner, "/organization", o), 200).json).toEqual(o)
  })

  it("PUT: the name of another organization: 400; its own name: 200", async () => {
    const [one, other] = [await organization(), await organization()]
    want(await put(owner, "/organization", { id: one.id, name: other.name }), 400)
    want(await put(owner, "/organization", { id: one.id, name: one.name }), 200)
  })

  it("PUT: `authenticated` without an authenticationServerURL: 400, also when it is cleared", async () => {
    const { id } = await organization()
    want(await put(owner, "/organization", { id, trackingMode: "authenticated" }), 400)
    const both = { id, trackingMode: "authenticated", authenticationServerURL: DEMO_SERVER }
    want(await put(owner, "/organization", both), 200)
    want(await put(owner, "/organization", { id, authenticationServerURL: null }), 400)
    want(await put(owner, "/organization", { id, authenticationServerURL: null, trackingMode: "anonymous" }), 200)
  })

  it("PUT: a URL that is not allowed is 400 for every caller", async () => {
    const { id } = await organization()
    for (const authenticationServerURL of [
      "ldap://ldap.example.org",
      "ldaps://127.0.0.1",
      "https://example.org",
      "ldaps://[::ffff:127.0.0.1]",
      // Attributes with secret values are no ids.
      "ldaps://ldap.example.org/dc=example?userPassword",
      "ldaps://ldap.example.org/dc=example?UNICODEPWD",
      "ldaps://ldap.example.org/dc=example?2.5.4.35"
    ]) {
      want(await put(owner, "/organization", { id, authenticationServerURL }), 400)
    }
  })

  it("requestdeletion: an administratorId that is not the caller's: 400; a caller who is not an owner: 403 in any case", async () => {
    const { id } = await organization()
    const second = await bound(id, 3)
    const ask = (who: Bearer, over: object = {}) =>
      post(who, "/organization/requestdeletion", { organizationId: id, ...over })
    want(await ask(owner, { administratorId: second.administratorId }), 400)
    want(await ask(owner, { administratorId: "nobody" }), 400)
    const manager = await bound(id, 2)
    want(await ask(manager.bearer, { administratorId: owner.id }), 403)
    want(await ask(owner, { administratorId: owner.id }), 204)
    want(await ask(second.bearer, { administratorId: second.administratorId }), 204)
    want(
      await post(manager.bearer, "/organization/requestdeletion", { organizationId: NOWHERE, administratorId: "x" }),
      404
    )
  })
})
