/** The page of a real server in a real browser. */
import { readFileSync } from "node:fs"
import axe from "axe-core"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, assert, beforeAll, expect } from "vitest"
import { isTooWide, launch, missing, troubles } from "../../../../site/browser/Chromium.ts"
import { type Options, sojournForThisFile } from "../../../server/test/harness.ts"
import { makeFixtures, rectangle, want } from "../../../server/test/fixtures.ts"

export { missing, rectangle as area }

/** How long a walk may take on a busy machine; what it waits for in vain ends it earlier, and is named. */
export const PATIENCE = 600_000

/** The smallest window that the page fits, in the dark and in the language with the longest words. */
export const NARROW = { viewport: { width: 320, height: 600 }, locale: "de-AT", colorScheme: "dark" } as const
export const DESKTOP = { viewport: { width: 1280, height: 900 } } as const

export interface Visit extends BrowserContextOptions {
  /** Where the page is, when not on the server itself. */
  readonly at?: string
  /** What follows the path. */
  readonly fragment?: string
  /** Troubles that belong to the test. */
  readonly expected?: RegExp
}

/** A server with the page, and visits of it. */
export const pageForThisFile = async (options: Options = {}) => {
  const sojourn = await sojournForThisFile({ page: true, ...options })
  const fixtures = makeFixtures(sojourn)
  let browser: Browser
  beforeAll(async () => {
    if (missing === undefined) browser = await launch()
  }, PATIENCE)
  afterAll(() => browser?.close())

  /** Opens the page in a context of its own, works on it, and checks that nothing went wrong meanwhile. */
  const visit = async (
    { at = sojourn.baseUrl, fragment = "", expected, ...options }: Visit,
    work: (page: Page) => Promise<void>
  ): Promise<void> => {
    const context = await browser.newContext({ locale: "en-GB", reducedMotion: "reduce", ...options })
    try {
      const page = await context.newPage()
      page.setDefaultTimeout(60_000)
      const seen = troubles(page)
      await page.goto(`${at}/${fragment}`)
      await work(page)
      assert.deepStrictEqual(
        seen.filter((trouble) => expected === undefined || !expected.test(trouble)),
        []
      )
    } finally {
      await context.close()
    }
  }

  /** A visit of the owner, with a token in the URL. */
  const visitAsOwner = async (options: Visit, work: (page: Page) => Promise<void>) =>
    visit({ ...options, fragment: `#token=${await fixtures.owner.token}${options.fragment ?? ""}` }, work)

  /** An organization with two places. */
  const withPlaces = async (over: object = {}, make = fixtures.organization) => {
    const organization = await make(over)
    const garden = await fixtures.place(organization.id, undefined, { name: "Garden" })
    const gallery = await fixtures.place(organization.id, rectangle(11.4, 45.4, 11.9, 45.9), { name: "Gallery" })
    return { id: organization.id as number, name: organization.name as string, garden, gallery }
  }

  /** An organization with a building of two floors of one outline. The rooms are on the first floor, as a part of it. */
  const withBuilding = async () => {
    const { id } = await fixtures.organization()
    const outline = rectangle(11.1, 45.1, 11.9, 45.9)
    const make = async (name: string, area: string, over: object = {}) =>
      (await fixtures.place(id, area, { name, ...over })).id as number
    const building = await make("Building", outline)
    const ground = await make("Ground floor", outline, { level: 0, parentId: building })
    const first = await make("First floor", outline, { level: 1, parentId: building })
    const library = await make("Library", rectangle(11.1, 45.1, 11.5, 45.9), { parentId: first })
    const office = await make("Office", rectangle(11.5, 45.5, 11.9, 45.9), { parentId: first })
    return { id: id as number, building, ground, first, library, office }
  }
  /** Sends the totals of a device of these premises. */
  const countBy = async (token: string, premises: object, into: number, out = 0) =>
    fixtures.post({ ...fixtures.owner, token }, "/device/count", {
      readings: [{ ...premises, epoch: "a", in: into, out }]
    })
  return { ...fixtures, want, visit, visitAsOwner, withPlaces, withBuilding, countBy }
}

/** What leads to an organization, or to a tab of it, in a {@link Visit.fragment}. */
export const addressOf = (id: number, tab?: string) => `&organization=${id}${tab === undefined ? "" : `&tab=${tab}`}`

export const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true })

/** Another tab of an organization, by its address. */
export const openTab = (page: Page, id: number, tab?: string) =>
  page.evaluate(`location.hash = "${addressOf(id, tab).slice(1)}"`)

/** Opens what is behind the name of who is signed in. */
export const openAccount = (page: Page) => page.getByRole("button", { name: /^Signed in: / }).click()

/** Fingers on a touch screen. */
export const fingersOf = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  return (type: "touchStart" | "touchMove" | "touchEnd", ...points: ReadonlyArray<readonly [x: number, y: number]>) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) })
}

/** The text of the file that something makes the page save. */
export const savedBy = async (page: Page, act: () => Promise<void>): Promise<string> => {
  const downloading = page.waitForEvent("download")
  await act()
  return readFileSync(await (await downloading).path(), "utf8")
}

/** The row of the counts that begins with this name. */
export const row = (page: Page, name: string) =>
  page.locator("tr", { has: page.getByRole("button", { name, exact: true }) })

/** The count in the row of this name. */
export const count = (page: Page, name: string, inside: number | string) =>
  row(page, name).locator("td").first().getByText(String(inside), { exact: true }).waitFor()

/** Waits until what is read is as expected. */
export const until = <A>(read: () => A | Promise<A>) => expect.poll(read, { timeout: 120_000 })

/** Presses a button of the question that the page asks, and answers its text. */
export const answer = async (page: Page, label: string): Promise<string> => {
  const dialog = page.getByRole("dialog")
  const text = await dialog.getByRole("heading").innerText()
  await dialog.getByRole("button", { name: label, exact: true }).click()
  await dialog.waitFor({ state: "detached" })
  return text
}

/** Until no part of the page is being loaded. */
export const loaded = (page: Page, words = "Loading ...") => until(() => page.getByText(words).count()).toBe(0)

/** Checks that nothing is wider than the window, and that axe-core finds no fault. */
export const checkView = async (page: Page): Promise<void> => {
  assert.isFalse(await isTooWide(page), page.url())
  assert.deepStrictEqual(await faultsOf(page), [], page.url())
}

/** What axe-core finds on the page. */
export const faultsOf = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate("axe.run()")) as axe.AxeResults
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`)
  )
}
