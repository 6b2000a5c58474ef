/** The tabs Details and Administrators in Chromium, also while others change the same. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { isTooWide } from "../../../../site/browser/Chromium.ts"
import {
  addressOf,
  answer,
  button,
  count,
  faultsOf,
  loaded,
  missing,
  pageForThisFile,
  PATIENCE,
  until
} from "./visiting.ts"

const {
  sojourn,
  operator,
  owner,
  get,
  want,
  bind,
  enter,
  organization,
  authenticated,
  visit,
  visitAsOwner,
  withPlaces
} = await pageForThisFile()

const levelsOf = async (id: number): Promise<Readonly<Record<string, number>>> =>
  Object.fromEntries(
    want(await get(owner, `/administrator/organization/${id}`), 200).json.map(
      ({ mail, administratorId, permission }: any) => [mail ?? administratorId, permission]
    )
  )

describe.skipIf(missing !== undefined)("the page: an organization's data", { timeout: PATIENCE }, () => {
  it("is changed, field by field, and cleared", async () => {
    const { id, name } = await organization({ city: "Graz", postCode: 8010, description: "old" })
    await visitAsOwner({ fragment: addressOf(id, "details"), expected: /^400|status of 400/ }, async (page) => {
      await page.getByLabel("Street").fill("Hauptplatz")
      await page.getByLabel("Description").fill("")
      await page.getByLabel("Name", { exact: true }).fill(`${name}, renamed`)
      await button(page, "Save").click()
      await page.getByText("Saved.").waitFor()
      await page.getByRole("heading", { name: `${name}, renamed`, level: 1 }).waitFor()
      const changed = want(await get(owner, `/organization/${id}`), 200).json
      assert.deepInclude(changed, { street: "Hauptplatz", city: "Graz", postCode: 8010, name: `${name}, renamed` })
      assert.notProperty(changed, "description")

      const other = await organization()
      await page.getByLabel("Name", { exact: true }).fill(other.name)
      await button(page, "Save").click()
      await page.getByText("Another organization has this name.").waitFor()
      assert.strictEqual(await page.getByLabel("Name", { exact: true }).inputValue(), other.name)
    })
  })

  it("has the tracking mode and the authentication server", async () => {
    const { authenticationServerURL: server } = await authenticated()
    const { id } = await organization()
    await visitAsOwner({ fragment: addressOf(id, "details") }, async (page) => {
      await page.getByLabel("Tracking mode").selectOption("authenticated")
      await page.getByLabel("Authentication server (LDAP URL)").fill(server)
      await button(page, "Save").click()
      await page.getByText("Saved.").waitFor()
      const { trackingMode, authenticationServerURL } = (await get(owner, `/organization/${id}`)).json
      assert.deepStrictEqual([trackingMode, authenticationServerURL], ["authenticated", server])
      await page.getByRole("link", { name: "Overview" }).click()
      await page.getByRole("heading", { name: "Who is inside" }).waitFor()
    })
  })

  it("changes, while a form is edited, only fields that were not touched", async () => {
    const { id } = await organization({ city: "Graz" })
    await visitAsOwner({ fragment: addressOf(id, "details") }, async (page) => {
      await page.getByLabel("City").waitFor()
      const change = (changes: object) => sojourn.call(owner, "PUT", "/organization", { json: { id, ...changes } })
      want(await change({ city: "Linz" }), 200)
      await until(() => page.getByLabel("City").inputValue()).toBe("Linz")
      await page.getByLabel("Street").fill("Ring")
      want(await change({ city: "Wien", name: "Changed meanwhile" }), 200)
      await page.getByRole("heading", { name: "Changed meanwhile", level: 1 }).waitFor()
      assert.strictEqual(await page.getByLabel("Street").inputValue(), "Ring")
      await button(page, "Save").click()
      await page.getByText("Saved.").waitFor()
      const { street, city } = (await get(owner, `/organization/${id}`)).json
      assert.deepStrictEqual([street, city], ["Ring", "Wien"])
      assert.strictEqual(await page.getByLabel("City").inputValue(), "Wien")
    })
  })

  it("is asked to be deleted", async () => {
    const { id, name } = await organization()
    await visitAsOwner({ fragment: addressOf(id, "details") }, async (page) => {
      await page.getByLabel("Reason").fill("It closed.")
      await button(page, "Request the deletion").click()
      assert.include(await answer(page, "Request the deletion"), name)
      await page.getByText("The deletion is requested.").waitFor()
      const requests = want(await get(operator, "/operator/deletionrequest?status=pending"), 200).json
      const request = requests.find(({ organizationId }: any) => organizationId === id)
      assert.deepInclude(request, { requestReason: "It closed.", administratorId: owner.id })
    })
  })
})

describe.skipIf(missing !== undefined)("the page: administrators", { timeout: PATIENCE }, () => {
  it("are created, bound, changed and unbound", async () => {
    const { id } = await organization()
    const known = sojourn.administrator("known-elsewhere")
    await bind((await organization()).id, known, "viewer")
    await visitAsOwner({ fragment: addressOf(id, "administrators"), expected: /^400|status of 400/ }, async (page) => {
      const add = async (fields: Readonly<Record<string, string>>, level: string) => {
        for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value)
        await page.locator("form").getByLabel("Permission").selectOption(level)
        await button(page, "Add").click()
      }
      await page.getByText(`(you)`).waitFor()
      // The only owner stays one.
      assert.strictEqual(await button(page, /^Unbind: /).count(), 0)
      await add({ "Administrator's id": known.id }, "manager")
      await page.getByText(/ was added\.$/).waitFor()
      const invitation = page.getByRole("group", { name: /^Invitation to / })
      await invitation.getByRole("link").waitFor()
      const link = (await invitation.getByRole("link").getAttribute("href"))!
      assert.strictEqual(link, `${new URL(page.url()).origin}/#organization=${id}`)
      await invitation.getByRole("img", { name: `QR code of ${link}` }).waitFor()
      // A browser reads the code where it has a reader; its size is that of a code of so many letters anyway.
      assert.match((await invitation.getByRole("img").getAttribute("viewBox"))!, /^0 0 (33|37|41) \1$/)
      await page.getByLabel("Account").selectOption("has none: create one")
      await add({ "Mail address": "new@example.test", "Password (optional)": "correct horse battery" }, "viewer")
      await page.getByText("new@example.test was added.").waitFor()
      const levels = await levelsOf(id)
      assert.deepStrictEqual([levels[known.mail!], levels["new@example.test"], levels[owner.mail!]], [2, 1, 3])
      await add({ "Mail address": "new@example.test" }, "viewer")
      await page.getByText(/The server refused \(400\)/).waitFor()

      await page.getByLabel("Permission: new@example.test").selectOption("owner")
      await button(page, "Change the permission: new@example.test").click()
      await until(async () => (await levelsOf(id))["new@example.test"]).toBe(3)
      await button(page, `Unbind: ${known.mail}`).click()
      assert.include(await answer(page, "Unbind"), known.mail)
      await until(async () => Object.keys(await levelsOf(id)).length).toBe(2)
      assert.deepStrictEqual(await faultsOf(page), [])

      // An owner who becomes a manager sees at once what managers see.
      await page.getByLabel(`Permission: ${owner.mail}`).selectOption("manager")
      await button(page, `Change the permission: ${owner.mail}`).click()
      await answer(page, "Change the permission")
      await page.locator(".permission").getByText("manager", { exact: true }).waitFor()
      assert.deepStrictEqual(await page.locator("nav.tabs a").allInnerTexts(), ["Overview", "Areas", "Devices"])
    })
  })
})

describe.skipIf(missing !== undefined)("the page: a level that others lower", { timeout: PATIENCE }, () => {
  it("hides what it does not allow as soon as the server refuses it", async () => {
    const { id } = await organization()
    const former = await bind(id, sojourn.administrator("a-former-owner"), "owner")
    const fragment = `#token=${await former.token}${addressOf(id, "details")}`
    await visit({ fragment, expected: /^403|status of 403/ }, async (page) => {
      await page.getByLabel("City").fill("Graz")
      const update = { organizationId: id, administratorId: former.id, permission: 1 }
      want(await sojourn.call(owner, "PATCH", "/administrator/updatepermission", { json: update }), 201)
      await button(page, "Save").click()
      await page.locator(".permission").getByText("viewer", { exact: true }).waitFor()
      assert.deepStrictEqual(await page.locator("nav.tabs a").allInnerTexts(), ["Overview", "Devices"])
      await page.getByRole("table", { name: "Places" }).waitFor()
    })
  })
})

describe.skipIf(missing !== undefined)("the page: many organizations", { timeout: PATIENCE }, () => {
  it("are searched and paged, and counted as people come and go", async () => {
    const many = sojourn.administrator("of-many")
    const made: Array<{ id: number; name: string }> = []
    for (let n = 0; n < 45; n++) {
      const { id, name } = await organization({ name: `Branch ${String(n).padStart(2, "0")}` })
      await bind(id, many, "viewer")
      made.push({ id, name })
    }
    const link = (page: Page, n: number) => page.getByRole("link", { name: made[n]!.name })
    const inside = (page: Page, n: number) => link(page, n).locator("b")
    const visitor = sojourn.user("visitor")
    await visit({ fragment: `#token=${await many.token}` }, async (page) => {
      await page.getByText("45 found, page 1 of 3").waitFor()
      assert.strictEqual(await page.locator("nav:not(.tabs) a[href^='#organization']").count(), 19)
      await inside(page, 3).waitFor()
      want(await enter(visitor, { kind: "organization", id: made[3]!.id }), 201)
      await until(() => inside(page, 3).innerText()).toBe("1")

      await button(page, "Next page").click()
      await page.getByText("45 found, page 2 of 3").waitFor()
      want(await enter(visitor, { kind: "organization", id: made[20]!.id }), 201)
      await until(() => inside(page, 20).innerText()).toBe("1")

      await page.getByLabel("Search organizations").fill("branch 4")
      await page.getByText("5 found, page 1 of 1").waitFor()
      await link(page, 44).click()
      await page.getByRole("heading", { name: "Branch 44", level: 1 }).waitFor()
      want(await enter(visitor, { kind: "organization", id: made[44]!.id }), 201)
      await count(page, "Whole organization", 1)
      await page.getByLabel("Search organizations").fill("")
      await page.getByText("45 found, page 1 of 3").waitFor()
      // What is shown is followed beside the page.
      want(await enter(visitor, { kind: "organization", id: made[44]!.id }), 201)
      await count(page, "Whole organization", 2)
      assert.deepStrictEqual(await faultsOf(page), [])
    })
    await visit({ fragment: `#token=${await many.token}&organization=${made[44]!.id}` }, (page) =>
      page.getByRole("heading", { name: "Branch 44", level: 1 }).waitFor()
    )
  })
})

describe.skipIf(missing !== undefined)("the page: managing, accessibility", { timeout: PATIENCE }, () => {
  it.each(["light", "dark"] as const)(
    "has no fault that axe-core finds, and fits 320 pixels in German, in %s",
    async (colorScheme) => {
      const { id } = await withPlaces({ city: "Graz" }, authenticated)
      await bind(id, sojourn.administrator("a-second-one-with-a-rather-long-identifier"), "manager")
      const narrow = { viewport: { width: 320, height: 600 }, locale: "de-AT", colorScheme }
      for (const name of ["details", "administrators"]) {
        await visitAsOwner({ fragment: addressOf(id, name), ...narrow }, async (page) => {
          await page.locator("main form").first().waitFor()
          await loaded(page, "Wird geladen ...")
          assert.deepStrictEqual(await faultsOf(page), [])
          assert.isFalse(await isTooWide(page))
        })
      }
    }
  )
})
