/** The tab People in Chromium: reports, accesses, names from a directory, and what is downloaded. */
import { assert, describe, it } from "vitest"
import { isTooWide } from "../../../../site/browser/Chromium.ts"
import { DEMO_PASSWORD, square } from "../../../server/test/fixtures.ts"
import { addressOf, faultsOf, loaded, missing, pageForThisFile, PATIENCE, savedBy } from "./visiting.ts"

const {
  sojourn,
  authenticated,
  organization,
  linked,
  bind,
  enter,
  owner,
  post,
  stay,
  place,
  want,
  visit,
  visitAsOwner
} = await pageForThisFile()

const linesOf = (csv: string) => csv.split("\r\n").slice(0, -1)

/** An organization of Ada and Alan, with stays in so many places; a place's name is a formula. */
const withStays = async (count = 1) => {
  const { id, name } = await authenticated()
  const [ada, alan] = [await linked(id, "ada"), await linked(id, "alan")]
  for (let n = 0; n < count; n++) {
    const { id: placeId } = await place(id, square(n), { name: n === 0 ? "=Garden" : `Room ${n}` })
    const where = { kind: "place", id: placeId, organizationId: id } as const
    await stay(ada, where, -7200, -7200 + 90)
    await stay(alan, where, -3600, -3600 + 30)
  }
  const whole = { kind: "organization", id, organizationId: id } as const
  await stay(ada, whole, -86_400, -86_400 + 3_661)
  await stay(ada, whole, -3_600, -3_000)
  const viewer = await bind(id, sojourn.administrator(`viewer-of-${id}`), "viewer")
  return { id, name, ada, fragment: `#token=${await viewer.token}&organization=${id}&tab=people` }
}

describe.skipIf(missing !== undefined)("the page: stays of people", { timeout: PATIENCE }, () => {
  it("shows a viewer how long people were in places, with names of the directory, and saves it", async () => {
    const { id, ada, fragment } = await withStays()
    want(await enter(ada, { kind: "organization", id }), 201)
    await visit({ fragment, expected: /403/ }, async (page) => {
      const report = page.getByRole("table", { name: "Time in places" })
      await report.getByRole("row", { name: "ada – =Garden 0:01:30" }).waitFor()
      await report.getByRole("row", { name: "alan – =Garden 0:00:30" }).waitFor()
      assert.match(await report.locator("tbody tr").first().innerText(), /^\s*ada/)

      await page.getByText("Names of people").click()
      await page.getByLabel("User name in the directory").fill("grace")
      await page.getByLabel("Password in the directory").fill("wrong")
      await page.getByRole("button", { name: "Read the names" }).click()
      await page.getByText("The server refused (403).").waitFor()
      await page.getByLabel("Password in the directory").fill(DEMO_PASSWORD)
      await page.getByRole("button", { name: "Read the names" }).click()
      await page.getByText("3 names were read.").waitFor()
      await report.getByRole("row", { name: "ada Ada Lovelace =Garden 0:01:30" }).waitFor()
      assert.strictEqual(await page.getByLabel("Password in the directory").inputValue(), "")
      assert.notInclude(await page.evaluate("JSON.stringify({ ...sessionStorage, ...localStorage })"), "Lovelace")

      await page.getByLabel("Search").fill("turing")
      await report.getByRole("row", { name: "ada" }).waitFor({ state: "detached" })
      const csv = linesOf(
        await savedBy(page, () => page.getByRole("button", { name: "Download as CSV: Time in places" }).click())
      )
      assert.strictEqual(csv.length, 2)
      assert.strictEqual(csv[0], "orgAuthServerId,name,surname,placeId,place,totalTime")
      assert.match(csv[1]!, /^alan,Alan,Turing,\d+,'=Garden,30$/)
      assert.deepStrictEqual(await faultsOf(page), [])
      // Names are known to other parts of the page, too.
      await page.getByRole("navigation", { name: "Parts of the organization" }).getByRole("link").first().click()
      await page.getByRole("heading", { name: "Who is inside" }).click()
      await page.getByRole("table", { name: "Who is inside" }).getByRole("row", { name: "ada Ada Lovelace" }).waitFor()
      want(await post(owner, `/muster/organization/${id}`, { kind: "drill" }), 201)
      await page.getByRole("button", { name: "Show the muster" }).click()
      await page.getByLabel("Search").last().fill("lovelace")
      await page.getByRole("table", { name: "Muster" }).getByRole("row", { name: "ada Ada Lovelace" }).waitFor()
    })
  })

  it("shows when people who are chosen came and went, in the organization or a place, within a time", async () => {
    const { id, ada, fragment } = await withStays()
    want(await enter(ada, { kind: "organization", id }), 201)
    await visit({ fragment, timezoneId: "UTC" }, async (page) => {
      await page.getByRole("checkbox", { name: "ada" }).check()
      assert.strictEqual(await page.getByLabel("People's ids").inputValue(), "ada")
      await page.getByRole("button", { name: "Show the stays" }).click()
      const stays = page.getByRole("table", { name: "Stays" })
      const first = stays.locator("tbody tr").first()
      await first.getByText("1:01:01").waitFor()
      // A stay that is open is none yet.
      assert.strictEqual(await stays.locator("tbody tr").count(), 2)

      const yesterday = new Date(Date.now() - 12 * 3_600_000).toISOString().slice(0, 16)
      await page.getByLabel("From", { exact: true }).fill(yesterday)
      await first.getByText("0:10:00").waitFor()
      assert.strictEqual(await stays.locator("tbody tr").count(), 1)
      await page.getByLabel("From", { exact: true }).fill("")
      await page.getByLabel("To", { exact: true }).fill(yesterday)
      await first.getByText("1:01:01").waitFor()
      assert.strictEqual(await stays.locator("tbody tr").count(), 1)

      await page.getByRole("button", { name: "Choose all of these people" }).click()
      await page.getByLabel("Place").last().selectOption("=Garden")
      await page.getByLabel("To", { exact: true }).fill("")
      await page.getByRole("button", { name: "Show the stays" }).click()
      await first.getByText("0:01:30").waitFor()
      const csv = linesOf(
        await savedBy(page, () => page.getByRole("button", { name: "Download as CSV: Stays" }).click())
      )
      assert.strictEqual(csv[0], "id,orgAuthServerId,name,surname,entranceTimestamp,exitTimestamp")
      assert.deepStrictEqual(
        csv.slice(1).map((line) => line.split(",")[1]),
        ["ada", "alan"]
      )
      // A person who was never there.
      await page.getByLabel("People's ids").fill("nobody\n\n  nobody ")
      await page.getByRole("button", { name: "Show the stays" }).click()
      await page.getByText("There is nothing to show.").waitFor()
      assert.deepStrictEqual(await faultsOf(page), [])
    })
  })

  it("shows long tables in pages, saves them whole, works by keyboard, and fits 320 pixels in the dark and in German", async () => {
    const { fragment } = await withStays(27)
    await visit({ fragment }, async (page) => {
      await page.getByLabel("Place").first().selectOption("All places")
      await page.getByText("1–50 of 54").waitFor()
      await page.getByRole("button", { name: "Next page" }).focus()
      await page.keyboard.press("Enter")
      await page.getByText("51–54 of 54").waitFor()
      assert.isTrue(await page.getByRole("button", { name: "Next page" }).isDisabled())
      const csv = await savedBy(page, () =>
        page.getByRole("button", { name: "Download as CSV: Time in places" }).click()
      )
      assert.strictEqual(linesOf(csv).length, 55)
    })
    const narrow = { viewport: { width: 320, height: 600 }, locale: "de-AT", colorScheme: "dark" } as const
    await visit({ fragment, ...narrow }, async (page) => {
      await page.getByRole("heading", { name: "Zeit in Orten" }).waitFor()
      await loaded(page, "Wird geladen ...")
      await page.getByText("Namen der Personen").click()
      await page.getByRole("checkbox", { name: "ada" }).first().check()
      await page.getByRole("button", { name: "Aufenthalte anzeigen" }).click()
      await page.getByRole("table", { name: "Aufenthalte" }).waitFor()
      assert.isFalse(await isTooWide(page))
      assert.deepStrictEqual(await faultsOf(page), [])
    })
  })

  it("saves the administrators for an owner", async () => {
    const { id } = await organization()
    const viewer = await bind(id, sojourn.administrator(`viewer-of-${id}`), "viewer")
    await visitAsOwner({ fragment: addressOf(id, "administrators") }, async (page) => {
      const csv = linesOf(
        await savedBy(page, () => page.getByRole("button", { name: "Download as CSV: Administrators" }).click())
      )
      assert.strictEqual(csv[0], "administratorId,mail,permission,nominatedBy,orgAuthServerId")
      assert.include(csv, `${viewer.id},${viewer.mail},viewer,${owner.id},`)
    })
  })

  it("is not shown of an organization without a directory, whose counts and history are saved all the same", async () => {
    const { id } = await organization()
    const { id: gardenId } = await place(id, square(0), { name: "Garden" })
    want(await enter(sojourn.user("visitor"), { kind: "place", id: gardenId }), 201)
    const viewer = await bind(id, sojourn.administrator(`viewer-of-${id}`), "viewer")
    await visit({ fragment: `#token=${await viewer.token}&organization=${id}` }, async (page) => {
      await page.getByRole("button", { name: "Garden: 1 inside" }).waitFor()
      assert.strictEqual(await page.getByRole("link", { name: "People" }).count(), 0)
      const counts = linesOf(
        await savedBy(page, () => page.getByRole("button", { name: "Download as CSV: Places" }).click())
      )
      assert.strictEqual(counts[0], "placeId,name,inside,entered,left,capacity,level")
      assert.include(counts, `${gardenId},Garden,1,1,0,,none`)
      const history = linesOf(
        await savedBy(page, () => page.getByRole("button", { name: "Download as CSV: History" }).click())
      )
      assert.strictEqual(history[0], "from,entered,left,least,most,average,averageStay")
      assert.isAbove(history.length, 1)
    })
  })
})
