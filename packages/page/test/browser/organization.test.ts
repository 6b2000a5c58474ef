/** Managing in Chromium: data, administrators, devices, webhooks and people of an organization, many of them, and the operators. */
import { parseReceiverEntry } from "@sojourn/core"
import * as Result from "effect/Result"
import type { Page } from "playwright-core"
import { afterAll, assert, describe, it } from "vitest"
import { DEMO_PASSWORD, square } from "../../../server/test/fixtures.ts"
import { certificates, startReceiver, verified } from "../../../server/test/webhooks/Receiver.ts"
import {
  addressOf,
  answer,
  area,
  button,
  checkView,
  missing,
  openTab,
  pageForThisFile,
  PATIENCE,
  savedBy,
  until
} from "./visiting.ts"

const receiver = await startReceiver()
afterAll(receiver.stop)
const {
  sojourn,
  operator,
  owner,
  get,
  post,
  put,
  want,
  bind,
  enter,
  stay,
  linked,
  countBy,
  organization,
  authenticated,
  place,
  visit,
  visitAsOwner,
  withBuilding,
  withPlaces
} = await pageForThisFile({
  page: { provesMail: false },
  webhooks: {
    policy: { allow: [Result.getOrThrow(parseReceiverEntry(receiver.origin))] },
    certificates: [certificates.authority.pem]
  }
})

/** What the browser says of what the server refuses here. */
const REFUSED = /^40[034]: |status of 40[034]/
/** Where the bar at the side leads in an organization. */
const goals = async (page: Page) => (await page.locator("nav.rail a").allInnerTexts()).slice(1)
/** The lines of a file, which begins with a byte order mark. */
const linesOf = (csv: string) => {
  assert.isTrue(csv.startsWith("\ufeff"))
  return csv.slice(1).split("\r\n").slice(0, -1)
}
/** Makes the server answer a list in smaller parts than the page asks for. */
const inPartsOf = (page: Page, asked: number, answered: number) =>
  page.route(new RegExp(`limit=${asked}`), (route) =>
    route.continue({ url: route.request().url().replace(`limit=${asked}`, `limit=${answered}`) })
  )
const levelsOf = async (id: number): Promise<Readonly<Record<string, number>>> =>
  Object.fromEntries(
    want(await get(owner, `/administrator/organization/${id}`), 200).json.map(
      ({ mail, administratorId, permission }: any) => [mail ?? administratorId, permission]
    )
  )

describe.skipIf(missing !== undefined)("the page: an organization's data", { timeout: PATIENCE }, () => {
  it("is changed field by field, while others change it too, as is who may change it", async () => {
    const { authenticationServerURL: server } = await authenticated()
    const { id, name } = await organization({ city: "Graz", postCode: 8010, description: "old" })
    const other = await organization()
    const former = await bind(id, sojourn.administrator("a-former-owner"), "owner")
    const fragment = `#token=${await former.token}${addressOf(id, "details")}`
    const stored = async () => want(await get(owner, `/organization/${id}`), 200).json
    await visit({ fragment, expected: REFUSED }, async (page) => {
      const field = (label: string) => page.getByLabel(label, { exact: true })
      const save = async () => {
        await button(page, "Save").click()
        await page.getByText("Saved.").waitFor()
      }
      const change = async (json: object) => want(await put(owner, "/organization", { id, ...json }), 200)
      await field("City").waitFor()
      await change({ city: "Linz" })
      await until(() => field("City").inputValue()).toBe("Linz")
      await field("Street").fill("Ring")
      await change({ city: "Wien", name: "Changed meanwhile" })
      await page.getByRole("heading", { name: "Changed meanwhile", level: 1 }).waitFor()
      assert.strictEqual(await field("Street").inputValue(), "Ring")
      await save()
      assert.deepInclude(await stored(), { street: "Ring", city: "Wien", name: "Changed meanwhile" })
      await until(() => field("City").inputValue()).toBe("Wien")

      await field("Description").fill("")
      await field("Name").fill(`${name}, renamed`)
      await page.getByLabel("Tracking mode").selectOption("authenticated")
      await page.getByLabel("Authentication server (LDAP URL)").fill(server)
      await button(page, "Save").click()
      await page.getByRole("heading", { name: `${name}, renamed`, level: 1 }).waitFor()
      const changed = await stored()
      assert.deepInclude(changed, { city: "Wien", postCode: 8010, name: `${name}, renamed` })
      assert.deepInclude(changed, { trackingMode: "authenticated", authenticationServerURL: server })
      assert.notProperty(changed, "description")

      await field("Name").fill(other.name)
      await button(page, "Save").click()
      await page.getByText("Another organization has this name.").waitFor()
      assert.strictEqual(await field("Name").inputValue(), other.name)

      // What the level no longer allows is hidden as soon as the server refuses it.
      await field("City").fill("Graz")
      const update = { organizationId: id, administratorId: former.id, permission: 1 }
      want(await sojourn.call(owner, "PATCH", "/administrator/updatepermission", { json: update }), 201)
      await button(page, "Save").click()
      await page.locator(".permission").getByText("viewer", { exact: true }).waitFor()
      assert.deepStrictEqual(await goals(page), ["Overview", "Records", "Devices"])
    })
  })

  it("has administrators that are created, bound, changed and unbound", async () => {
    const { id, garden } = await withPlaces()
    const known = sojourn.administrator("known-elsewhere")
    await bind((await organization()).id, known, "viewer")
    await visitAsOwner({ fragment: addressOf(id, "administrators"), expected: REFUSED }, async (page) => {
      const add = async (fields: Readonly<Record<string, string>>, level: string) => {
        for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value)
        await page.locator("form").getByLabel("Permission").selectOption(level)
        await button(page, "Add").click()
      }
      await page.getByText(`(you)`).waitFor()
      // The only owner stays one.
      assert.strictEqual(await button(page, /^Remove: /).count(), 0)
      await add({ "Administrator's id": known.id }, "manager")
      await page.getByText(/ was added\.$/).waitFor()
      const invitation = page.getByRole("group", { name: /^Invitation to / })
      const link = (await invitation.getByRole("link").getAttribute("href"))!
      assert.strictEqual(link, `${new URL(page.url()).origin}/#organization=${id}`)
      await invitation.getByRole("img", { name: `QR code of ${link}` }).waitFor()
      // A browser reads the code where it has a reader; its size is that of a code of so many letters anyway.
      assert.match((await invitation.getByRole("img").getAttribute("viewBox"))!, /^0 0 (33|37|41) \1$/)
      assert.isFalse(await page.getByText("no invitation can be accepted").isVisible())
      await page.getByLabel("Account").selectOption("has none: create one")
      await page.getByText("no invitation can be accepted").waitFor()
      await add({ "Mail address": "new@example.test", "Password (optional)": "correct horse battery" }, "viewer")
      await page.getByText("new@example.test was added.").waitFor()
      const levels = await levelsOf(id)
      assert.deepStrictEqual([levels[known.mail!], levels["new@example.test"], levels[owner.mail!]], [2, 1, 3])
      await add({ "Mail address": "new@example.test" }, "viewer")
      await page.getByText(/The server refused \(400\)/).waitFor()
      await checkView(page)
      const csv = await savedBy(page, () => button(page, "Download as CSV: Administrators").click())
      assert.strictEqual(linesOf(csv)[0], "administratorId,mail,permission,nominatedBy,orgAuthServerId")
      assert.include(linesOf(csv), `${known.id},${known.mail},manager,${owner.id},`)

      // Each change has an entry, and a place says who changed it last.
      want(await put(owner, "/place", { id: garden.id, name: "Yard" }), 200)
      await inPartsOf(page, 200, 2)
      await openTab(page, id, "changes")
      await page.getByText("1–2 of 2").waitFor()
      const whole = await savedBy(page, () => button(page, "Download as CSV: Changes").click())
      assert.include(whole, ",organization.create,")
      const changes = page.getByRole("table", { name: "Changes" })
      await changes
        .getByRole("row", { name: `${owner.id} (you) Administrator added: ${known.id} Permission: – → manager` })
        .waitFor()
      await changes.getByRole("row", { name: "Place changed: Yard Name: Garden → Yard" }).waitFor()
      await page.getByLabel("Id of who did it").fill(operator.id)
      await page.keyboard.press("Enter")
      await changes.getByRole("row", { name: `Operator: ${operator.id} Organization created` }).waitFor()
      await until(() => changes.locator("tbody tr").count()).toBe(1)
      await page.getByLabel("What").selectOption("Looking at people alone")
      await page.getByText("There is nothing to show.").waitFor()
      await page.getByLabel("What").selectOption("Changes alone")
      const entries = linesOf(await savedBy(page, () => button(page, "Download as CSV: Changes").click()))
      assert.strictEqual(entries[0], "at,actorKind,actor,action,targetKind,target,placeId,count,changes,requestId")
      assert.strictEqual(entries.length, 2)
      await openTab(page, id, "areas")
      await button(page, "Edit: Yard").click()
      await page.getByText(`Last changed by ${owner.id} (you), `).waitFor()
      await openTab(page, id, "administrators")

      await page.getByLabel("Permission: new@example.test").selectOption("owner")
      await button(page, "Change the permission: new@example.test").click()
      await until(async () => (await levelsOf(id))["new@example.test"]).toBe(3)
      await button(page, `Remove: ${known.mail}`).click()
      assert.include(await answer(page, "Remove"), known.mail)
      await until(async () => Object.keys(await levelsOf(id)).length).toBe(2)
      // An owner who becomes a manager sees at once what managers see.
      await page.getByLabel(`Permission: ${owner.mail}`).selectOption("manager")
      await button(page, `Change the permission: ${owner.mail}`).click()
      await answer(page, "Change the permission")
      await page.locator(".permission").getByText("manager", { exact: true }).waitFor()
      assert.deepStrictEqual(await goals(page), ["Overview", "Areas", "Devices"])
    })
  })
})

describe.skipIf(missing !== undefined)("the page: devices", { timeout: PATIENCE }, () => {
  it("are made by keys, show their token or link once, are renewed, removed and seen by viewers, silent ones first", async () => {
    const { id, first, library } = await withBuilding()
    const path = `/device/organization/${id}`
    const card = (page: Page, name: string) =>
      page.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) })
    await visitAsOwner({ fragment: addressOf(id, "devices"), expected: /401/ }, async (page) => {
      const door = card(page, "Main door")
      await page.getByLabel("Name", { exact: true }).fill("Main door")
      // The organization is proposed. The premises are one tab stop; arrow keys lead from one to the next.
      assert.isTrue(await page.getByLabel("Whole organization").isChecked())
      await page.keyboard.press("Tab")
      await page.keyboard.press("Tab")
      for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "Space"]) await page.keyboard.press(key)
      await page.getByText("(2 of 20)").waitFor()
      await page.getByText("No device counts Building: people who are counted in First floor alone").waitFor()
      await button(page, "Create").click()
      const token = page.getByRole("group", { name: "Token of Main door" })
      await token.getByText("it is not shown again").waitFor()
      assert.isTrue(await token.evaluate<boolean, any>((one) => one === one.ownerDocument.activeElement))
      const former = await token.locator("code").innerText()
      const [device] = want(await get(owner, path), 200).json
      assert.deepStrictEqual(device.premises, [{ organization: true }, { placeId: first }])
      await until(() => door.locator("dd").allInnerTexts()).toEqual([
        "Whole organization",
        "Building › First floor",
        "–",
        "0"
      ])
      await door.getByText("sent nothing yet").waitFor()
      assert.strictEqual(await page.getByLabel("Name", { exact: true }).inputValue(), "")
      // A second count of the organization is not proposed: who passes both doors would count twice.
      await page.getByRole("heading", { name: "New device" }).click()
      await page.getByText("(0 of 20)").waitFor()
      assert.isTrue(await button(page, "Create").isDisabled())
      want(await countBy(former, { placeId: first }, 3, 5), 200)
      await door.getByText("sending").waitFor()
      await until(() => door.locator("dd").last().innerText()).toBe("2")
      await button(page, "New token: Main door").click()
      assert.include(await answer(page, "New token"), "60 seconds")
      await until(() => token.locator("code").innerText()).not.toBe(former)
      want(await countBy(await token.locator("code").innerText(), { placeId: first }, 4, 5), 200)
      await checkView(page)
      // A display has a link, which its screen opens, and a code of it.
      await page.getByLabel("Name", { exact: true }).fill("Library door")
      await page.getByLabel("Kind").selectOption("Screen or door sign")
      await page.getByLabel("Whole organization").uncheck()
      await page.getByLabel("Building › First floor › Library").check()
      await button(page, "Create").click()
      const link = page.getByRole("group", { name: "Link of Library door" })
      const address = await link.locator("code").innerText()
      assert.match(address, new RegExp(`^${sojourn.baseUrl}/#token=sjd_[\\w-]{43}&board=${id}&place=${library}$`))
      await link.getByRole("img", { name: `QR code of ${address}` }).waitFor()
      await card(page, "Library door").getByText("not opened yet").waitFor()
      await checkView(page)
      const screen = await page.context().newPage()
      await screen.goto(address)
      await screen.getByRole("heading", { name: "Library", level: 1 }).waitFor()
      await screen.getByText("Come in", { exact: true }).waitFor()
      await button(page, "Remove: Library door").click()
      assert.include(await answer(page, "Remove"), "stops showing")
      await screen.getByRole("heading", { name: "This display was removed" }).waitFor({ timeout: 10_000 })
      await screen.close()
      await button(page, "Remove: Main door").click()
      assert.include(await answer(page, "Remove"), "stays counted")
      await page.getByText("There are no devices.").waitFor()
      assert.strictEqual(await token.count(), 0)
      want(await get(owner, path), 204)
    })
    want(await put(operator, `/operator/organization/${id}/policy`, { deviceSilentAfter: 1 }), 200)
    const make = async (name: string) =>
      want(await post(owner, path, { name, premises: [{ placeId: first }] }), 201).json.token
    await make("Back door")
    want(await countBy(await make("Main door"), { placeId: first }, 1), 200)
    const viewer = await bind(id, sojourn.administrator("viewer-of-devices"), "viewer")
    await visit({ fragment: `#token=${await viewer.token}${addressOf(id, "devices")}` }, async (page) => {
      await card(page, "Main door").getByText("silent", { exact: true }).waitFor()
      await page.getByText("1 of 2 devices are silent").waitFor()
      assert.deepStrictEqual(await page.locator(".cards h3").allInnerTexts(), ["Main door", "Back door"])
      assert.strictEqual(await page.getByRole("button", { name: /^(New token|Remove|Create)/ }).count(), 0)
      assert.strictEqual(await page.getByText("New device").count(), 0)
    })
  })
})

describe.skipIf(missing !== undefined)("the page: webhooks", { timeout: PATIENCE }, () => {
  it("are added, tested, given a new secret, delivered again, disabled with a reason, and removed", async () => {
    const { id } = await withPlaces()
    const former = sojourn.administrator("former-owner")
    await bind(id, former, "owner")
    const [path, orphaned] = ["/hooks/managed", `${receiver.origin}/hooks/orphaned`]
    const url = `${receiver.origin}${path}`
    const received = () => receiver.received(path)
    const permissions = ["clipboard-read", "clipboard-write"]
    await visitAsOwner({ fragment: addressOf(id, "details"), expected: REFUSED, permissions }, async (page) => {
      await page.getByLabel("URL (https)").fill(url)
      await button(page, "Add").click()
      const secretOf = page.getByRole("group", { name: `Secret of ${url}` })
      const secrets = () => secretOf.getByText(/^whsec_/).allInnerTexts()
      await secretOf.getByText(/^whsec_/).waitFor()
      const [first] = await secrets()
      await secretOf.getByRole("button", { name: "Copy" }).click()
      await secretOf.getByText("Copied.").waitFor()
      assert.strictEqual(await page.evaluate("navigator.clipboard.readText()"), first)
      await page.getByText("active", { exact: true }).waitFor()
      await page.getByText(`Belongs to ${owner.id}.`).waitFor()
      await page.getByText(`Deliveries and secret: ${url}`).click()
      await page.getByText("There is nothing to show.").waitFor()
      await button(page, `Test: ${url}`).click()
      await page.getByText("The test is sent within some seconds.").waitFor()
      await until(() => received().map(({ json }) => json.type)).toEqual(["webhook.test"])
      const attempts = page.getByRole("table", { name: `Last attempts: ${url}` })
      await attempts.getByText("204").waitFor()
      await attempts.getByText("Test", { exact: true }).waitFor()
      await button(page, `New secret: ${url}`).click()
      await answer(page, "New secret")
      const renewed = async () => (await secrets()).find((one) => one !== first)
      await until(renewed).toBeDefined()
      want(await put(owner, "/organization", { id, description: "told" }), 200)
      await until(() => received().length).toBe(2)
      for (const known of [await renewed(), first]) verified(known!, received()[1]!)

      const { version } = received()[1]!.json.data
      await page.getByLabel("Deliver again from version").fill(String(version))
      await button(page, `Deliver again: ${url}`).click()
      await page.getByText(`Events are delivered again from version ${version}.`).waitFor()
      await until(() =>
        received()
          .map(({ json }) => json.data.version)
          .slice(1)
      ).toEqual([version, version])
      // Attempts and states are read again by themselves.
      await until(() => attempts.locator("tbody tr").count()).toBe(3)
      await page.getByLabel("Deliver again from version").fill("1000000")
      await button(page, `Deliver again: ${url}`).click()
      await page.getByText("The server refused (400).").waitFor()
      await checkView(page)
      await button(page, `Remove: ${url}`).click()
      await answer(page, "Remove")
      await page.getByText("There are no webhooks.").waitFor()

      want(await post(former, `/webhook/organization/${id}`, { url: orphaned }), 201)
    })
    await visitAsOwner({ fragment: addressOf(id, "details") }, async (page) => {
      await page.getByText(`Belongs to ${former.id}.`).waitFor()
      const unbinding = { administratorId: former.id, organizationId: id }
      want(await post(owner, "/administrator/unbindadministrator", unbinding), 204)
      // Its state is shown without anything being pressed.
      await page.getByText(/^Disabled .*owner/).waitFor()
      await page.getByText("It belongs to the owner who lets it go on.").waitFor()
      await button(page, `Go on: ${orphaned}`).click()
      await page.getByText(`Belongs to ${owner.id}.`).waitFor()
      await page.getByText("active", { exact: true }).waitFor()
    })
  })
})

describe.skipIf(missing !== undefined)("the page: people", { timeout: PATIENCE }, () => {
  it("are listed with their times in places and their stays, by names of the directory, and saved whole", async () => {
    const { id } = await authenticated()
    const [ada, alan] = [await linked(id, "ada"), await linked(id, "alan")]
    const whole = { kind: "organization", id, organizationId: id } as const
    for (let n = 0; n < 27; n++) {
      const { id: placeId } = await place(id, square(n), { name: n === 0 ? "=Garden" : `Room ${n}` })
      const where = { kind: "place", id: placeId, organizationId: id } as const
      await stay(ada, where, -7200, -7200 + 90)
      await stay(alan, where, -3600, -3600 + 30)
    }
    await stay(ada, whole, -86_400, -86_400 + 3_661)
    await stay(ada, whole, -3_600, -3_000)
    want(await enter(ada, whole), 201)
    const viewer = await bind(id, sojourn.administrator(`viewer-of-${id}`), "viewer")
    const fragment = `#token=${await viewer.token}${addressOf(id, "people")}`
    await visit({ fragment, expected: REFUSED, timezoneId: "UTC" }, async (page) => {
      const report = page.getByRole("table", { name: "Time in places" })
      const saved = async (what: string) =>
        linesOf(await savedBy(page, () => button(page, `Download as CSV: ${what}`).click()))
      await page.getByLabel("Place").first().selectOption("All places")
      await page.getByText("1–50 of 54").waitFor()
      await button(page, "Next page").focus()
      await page.keyboard.press("Enter")
      await page.getByText("51–54 of 54").waitFor()
      assert.isTrue(await button(page, "Next page").isDisabled())
      assert.strictEqual((await saved("Time in places")).length, 55)

      // The rows of another choice are gone until its own are read.
      const held = Promise.withResolvers<void>()
      await page.route("**/report/place/*", async (route) => {
        await held.promise
        await route.fallback()
      })
      await page.getByLabel("Place").first().selectOption("=Garden")
      await until(() => report.count()).toBe(0)
      held.resolve()
      await page.unrouteAll({ behavior: "wait" })
      await report.getByRole("row", { name: "ada – =Garden 0:01:30" }).waitFor()
      await page.getByText("Names of people").click()
      await page.getByLabel("User name in the directory").fill("grace")
      for (const [password, told] of [
        ["wrong", "The server refused (403)."],
        [DEMO_PASSWORD, "3 names were read."]
      ] as const) {
        await page.getByLabel("Password in the directory").fill(password)
        await button(page, "Read the names").click()
        await page.getByText(told).waitFor()
      }
      await report.getByRole("row", { name: "ada Ada Lovelace =Garden 0:01:30" }).waitFor()
      assert.strictEqual(await page.getByLabel("Password in the directory").inputValue(), "")
      assert.notInclude(await page.evaluate("JSON.stringify({ ...sessionStorage, ...localStorage })"), "Lovelace")
      await page.getByLabel("Search").fill("turing")
      await report.getByRole("row", { name: "ada" }).waitFor({ state: "detached" })
      const csv = await saved("Time in places")
      assert.strictEqual(csv[0], "orgAuthServerId,name,surname,placeId,place,totalTime")
      assert.match(csv[1]!, /^alan,Alan,Turing,\d+,'=Garden,30$/)
      await page.getByLabel("Search").fill("")

      await page.getByRole("checkbox", { name: "ada" }).first().check()
      assert.strictEqual(await page.getByLabel("People's ids").inputValue(), "ada")
      await button(page, "Show the visits").click()
      const stays = page.getByRole("table", { name: "Visits" })
      const first = stays.locator("tbody tr").first()
      const isOne = async (length: string, many = 1) => {
        await first.getByText(length).waitFor()
        assert.strictEqual(await stays.locator("tbody tr").count(), many)
      }
      // A stay that is open is none yet.
      await isOne("1:01:01", 2)
      await button(page, "Choose all of these people").click()
      await page.getByLabel("Place").last().selectOption("=Garden")
      await button(page, "Show the visits").click()
      await first.getByText("0:01:30").waitFor()
      const [head, ...rows] = await saved("Visits")
      assert.strictEqual(head, "id,orgAuthServerId,name,surname,entranceTimestamp,exitTimestamp")
      assert.deepStrictEqual(
        rows.map((line) => line.split(",")[1]),
        ["ada", "alan"]
      )
      await checkView(page)
      // A person who was never there.
      await page.getByLabel("People's ids").fill("nobody\n\n  nobody ")
      await button(page, "Show the visits").click()
      await page.getByText("There is nothing to show.").waitFor()

      // In a period: all people in parts, and a file of the server's with all parts.
      await inPartsOf(page, 500, 30)
      const dayOf = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
      const choose = async (from: number, to: number) => {
        await page.getByLabel("From", { exact: true }).fill(dayOf(from))
        await page.getByLabel("To", { exact: true }).fill(dayOf(to))
      }
      await page.getByLabel("Period").selectOption("Dates")
      await choose(1, -4)
      await page.getByText("Choose a first day that is not after the last one").waitFor()
      await choose(-4, 1)
      await page.getByText("Days and times are those of UTC.").waitFor()
      await page.getByLabel("Place").first().selectOption("Whole organization")
      await report.getByRole("row", { name: "ada Ada Lovelace Whole organization 1:11:01" }).waitFor()
      await page.getByLabel("People's ids").fill("")
      await page.getByLabel("Place").last().selectOption("Organization and its places")
      await button(page, "Show the visits").click()
      await page.getByText("1–30 of 30").waitFor()
      await isOne("1:01:01", 30)
      await button(page, "Load more").click()
      await page.getByText("1–50 of 56").waitFor()
      assert.strictEqual(await button(page, "Load more").count(), 0)
      await checkView(page)
      const downloading = page.waitForEvent("download")
      const file = await saved("Visits")
      assert.match((await downloading).suggestedFilename(), / - \S+\.csv$/)
      assert.strictEqual(file.length, 57)
      assert.include(file[0]!, "entranceLocal")
      await page.getByLabel("Place").last().selectOption("Whole organization")
      await page.getByLabel("People's ids").fill("ada")
      await button(page, "Show the visits").click()
      await isOne("1:01:01", 2)
      await page.getByLabel("Period").selectOption("Any time")
      // Names are known to other parts of the page, too.
      await openTab(page, id)
      await page.getByRole("heading", { name: "Who is inside" }).click()
      await page.getByRole("table", { name: "Who is inside" }).getByRole("row", { name: "ada Ada Lovelace" }).waitFor()
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
    const visitor = sojourn.user("visitor")
    const enterOne = async (n: number) => want(await enter(visitor, { kind: "organization", id: made[n]!.id }), 201)
    await visit({ fragment: `#token=${await many.token}` }, async (page) => {
      const inside = (n: number) => link(page, n).locator("b")
      await page.getByText("45 found, page 1 of 3").waitFor()
      assert.strictEqual(await page.locator(".organizations li").count(), 19)
      await inside(3).waitFor()
      await enterOne(3)
      await until(() => inside(3).innerText()).toBe("1")
      await button(page, "Next page").click()
      await page.getByText("45 found, page 2 of 3").waitFor()
      await enterOne(20)
      await until(() => inside(20).innerText()).toBe("1")
      await page.getByLabel("Search organizations").fill("branch 4")
      await page.getByText("5 found, page 1 of 1").waitFor()
      await checkView(page)
      await page.getByLabel("Search organizations").fill("branch 4x")
      await page.getByText("0 found, page 1 of 1").waitFor()
      await page.getByLabel("Search organizations").fill("")
      await page.getByText("45 found, page 1 of 3").waitFor()
      // What is shown is followed beside the page.
      await page.evaluate(`location.hash = "organization=${made[44]!.id}"`)
      await page.getByRole("heading", { name: "Branch 44", level: 1 }).waitFor()
      await enterOne(44)
      await until(() => page.locator(".hero .total b").innerText()).toBe("1")
      await page.evaluate(`location.hash = "#token=${await many.token}&organization=${made[43]!.id}"`)
      await page.getByRole("heading", { name: "Branch 43", level: 1 }).waitFor()
    })
  })
})

describe.skipIf(missing !== undefined)("the page: operators", { timeout: PATIENCE }, () => {
  it("decide deletion requests, which owners see as pending", async () => {
    const [kept, ended] = [await withPlaces(), await withPlaces()]
    await visitAsOwner({ fragment: addressOf(kept.id, "details") }, async (page) => {
      for (const { id, name } of [kept, ended]) {
        await openTab(page, id, "details")
        await page.getByRole("heading", { name, level: 1 }).waitFor()
        await page.getByLabel("Reason").fill(`Because of ${name}`)
        await button(page, "Request the deletion").click()
        assert.include(await answer(page, "Request the deletion"), name)
        await page.getByText("Deletion requested", { exact: true }).waitFor()
        await page.getByText(`Reason: Because of ${name}`).waitFor()
      }
    })
    await visit({ fragment: `#token=${await operator.token}`, expected: /403/ }, async (page) => {
      await page.getByRole("heading", { name: "Operators of the service", level: 1 }).waitFor()
      const request = (name: string) => page.getByRole("listitem", { name })
      const press = (name: string, what: string) => request(name).getByRole("button", { name: what }).click()
      await request(ended.name).getByText(`Reason: Because of ${ended.name}`).waitFor()
      await press(kept.name, "Reject")
      await page.getByText(`The request for ${kept.name} was rejected.`).waitFor()
      await press(ended.name, "Approve")
      assert.include(await answer(page, "Cancel"), ended.name)
      want(await get(owner, `/organization/${ended.id}`), 200)
      await press(ended.name, "Approve")
      await answer(page, "Approve")
      await page.getByText(`${ended.name} was deleted.`).waitFor()
      await until(() => request(ended.name).count()).toBe(0)
      want(await get(owner, `/organization/${ended.id}`), 404)
      want(await get(owner, `/organization/${kept.id}`), 200)
    })
  })

  it("create an organization from a GeoJSON file or a drawing, and set its policy", async () => {
    const fragment = `#token=${await operator.token}`
    await visit({ fragment, viewport: { width: 320, height: 900 }, expected: REFUSED }, async (page) => {
      const name = "Museum"
      const create = button(page, "Create")
      const fill = async (name: string) => {
        await page.getByLabel("Name", { exact: true }).fill(name)
        await page.getByLabel("Owner's id").fill("founder")
        await page.getByLabel("Mail address", { exact: true }).first().fill("founder@example.test")
      }
      const take = (json: object) =>
        page.getByLabel("GeoJSON file").setInputFiles({
          name: "area.geojson",
          mimeType: "application/geo+json",
          buffer: Buffer.from(JSON.stringify(json))
        })
      await fill(name)
      assert.isTrue(await create.isDisabled())
      await take({ type: "Point", coordinates: [11, 45] })
      await page.getByText("This is no GeoJSON with a polygon.").waitFor()
      const geometry: unknown = JSON.parse(area(11, 45, 12, 46))
      await take({ type: "FeatureCollection", features: [{ type: "Feature", properties: {}, geometry }] })
      await page.getByRole("button", { name: /^Corner 1 of 4/ }).waitFor()
      await checkView(page)
      await create.click()
      await page.getByText(`${name} was created with the id `).waitFor()
      const founder = sojourn.administrator("founder", "founder@example.test")
      const [made] = want(await get(founder, `/administrator/permission/${founder.id}`), 200).json.slice(-1)
      assert.strictEqual(want(await get(founder, `/organization/${made.organizationId}`), 200).json.name, name)
      // The server's refusal is said in words.
      await fill(name)
      await page.getByLabel("Or paste GeoJSON").fill(area(11, 45, 12, 46))
      await page.getByLabel("Name", { exact: true }).focus()
      await create.click()
      await page.getByText("The server refused (400).").waitFor()

      await page.getByLabel("Organization's id").first().fill(String(made.organizationId))
      await button(page, "Show").click()
      await page.getByRole("heading", { name, exact: true }).waitFor()
      await page.getByLabel("Longest visit, in hours").fill("12")
      await page.getByLabel("Visits are kept for, in days").fill("30")
      await page.getByLabel("Open visits end daily at").fill("03:00")
      await page.getByLabel("Time zone").fill("Europe/Rome")
      await button(page, "Save").click()
      await page.getByText("Saved.", { exact: true }).waitFor()
      const path = `/operator/organization/${made.organizationId}/policy`
      const policy = want(await get(operator, path), 200).json
      assert.deepInclude(policy, {
        longestStay: 43_200,
        retention: 2_592_000,
        staysEndAt: "03:00",
        timeZone: "Europe/Rome"
      })
      assert.notProperty(policy, "countedResetAt")

      const imports = page.getByRole("region", { name: "Import accesses" })
      await imports.getByLabel("Organization's id").fill(String(made.organizationId))
      const [entrance, exit] = ["2026-11-02T08:00:00Z", "2026-11-02T09:00:00Z"]
      await imports.getByLabel("File of accesses").setInputFiles({
        name: "old.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(`entranceTimestamp,exitTimestamp,key\n${entrance},${exit},a\n${exit},${entrance},b\n`)
      })
      await imports.getByRole("button", { name: "Import accesses" }).click()
      await imports.getByText("Imported: 1. There already: 0.").waitFor()
      await imports.getByRole("cell", { name: "the exit is before the entrance" }).waitFor()
      await checkView(page)

      // A way back for an organization without its owner, and an end of a caller's tokens.
      const rescuer = sojourn.administrator("rescuer")
      await page.getByLabel("Organization's id").last().fill(String(made.organizationId))
      await page.getByLabel("Administrator's id").fill(rescuer.id)
      await button(page, "Add").click()
      await page.getByText("The server refused (404).").waitFor()
      want(
        await post(operator, "/operator/administrator", { administratorId: rescuer.id, mail: "rescuer@example.test" }),
        201
      )
      await button(page, "Add").click()
      await page.getByText("rescuer@example.test was added.").waitFor()
      want(await get(rescuer, `/organization/${made.organizationId}`), 200)
      await page.getByLabel("Id", { exact: true }).fill(rescuer.id)
      await button(page, "Revoke tokens").click()
      assert.include(await answer(page, "Revoke tokens"), rescuer.id)
      await page.getByText(`The tokens of ${rescuer.id} are revoked.`).waitFor()
      await until(async () => (await get(rescuer, `/organization/${made.organizationId}`)).status).toBe(401)
    })
    await visit({ fragment, expected: REFUSED }, async (page) => {
      const all = await savedBy(page, () => button(page, "Download as CSV: All organizations").click())
      assert.match(all, /^\d+,Museum,0,2,0\r$/m)
      // Without an id the owner is invited.
      await page.getByLabel("Name", { exact: true }).fill("Drawn museum")
      await page.getByLabel("Mail address", { exact: true }).first().fill("invited@example.test")
      await page.getByLabel("Latitude").first().fill("45.5")
      await page.getByLabel("Longitude").first().fill("11.5")
      await button(page, "Begin the drawing").click()
      await page.getByRole("button", { name: /^Corner 1 of 4/ }).waitFor()
      await button(page, "Create").click()
      await page.getByText("Drawn museum was created with the id ").waitFor()
    })
  })
})
