/** The page on a real server in Chromium: signing in, live counts, and the panels. Managing has tests of its own. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { isTooWide } from "../../../../site/browser/Chromium.ts"
import { tcpProxy } from "../../../server/test/faults/TcpProxy.ts"
import {
  addressOf,
  answer,
  count,
  faultsOf,
  loaded,
  missing,
  pageForThisFile,
  PATIENCE,
  row,
  savedBy,
  until
} from "./visiting.ts"

const { sojourn, owner, authenticated, linked, post, put, want, enter, leave, bind, visit, visitAsOwner, withPlaces } =
  await pageForThisFile()

const PASSWORD = "correct horse battery staple"
const movements = { user: sojourn.user("visitor") }

describe.skipIf(missing !== undefined)("the page: signing in", { timeout: PATIENCE }, () => {
  it("by user name and password, and says when they are wrong", async () => {
    const { id, name } = await withPlaces()
    const mail = "guest@example.test"
    const creation = { organizationId: id, mail, password: PASSWORD, permission: 1 }
    want(await post(owner, "/administrator/createadministrator", creation), 201)
    await visit({ expected: /^(400|console: Failed to load resource.*400)/ }, async (page) => {
      await page.getByLabel("Mail address or id").fill(mail)
      await page.getByLabel("Password", { exact: true }).fill("wrong")
      await page.getByRole("button", { name: "Sign in" }).first().click()
      await page.getByText("User name or password is wrong.").waitFor()
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD)
      await page.getByRole("button", { name: "Sign in" }).first().click()
      await page.getByRole("heading", { name, level: 1 }).waitFor()
      // Nothing that a viewer may not do.
      await page.getByText("Live", { exact: true }).waitFor()
      assert.deepStrictEqual(await page.locator("summary").allInnerTexts(), ["Busiest hours", "Muster"])
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByLabel("Password", { exact: true }).waitFor()
    })
  })

  it("by a token that is pasted: for as long as the page is there, or the tab if asked", async () => {
    await withPlaces()
    await visit({}, async (page) => {
      const token = await owner.token
      await page.getByLabel("Access token").fill("not a token")
      await page.getByRole("button", { name: "Sign in" }).last().click()
      await page.getByText("This is not an access token.").waitFor()
      await page.getByLabel("Access token").fill(token)
      await page.getByRole("button", { name: "Sign in" }).last().click()
      await page.getByText("Live", { exact: true }).waitFor()
      assert.notInclude(await page.evaluate("JSON.stringify({ ...sessionStorage, ...localStorage })"), token)
      await page.reload()
      await page.getByLabel("Access token").fill(token)
      await page.getByLabel("Stay signed in while this tab is open").check()
      await page.getByRole("button", { name: "Sign in" }).last().click()
      await page.getByText("Live", { exact: true }).waitFor()
      await page.reload()
      await page.getByText("Live", { exact: true }).waitFor()
      await page.getByRole("button", { name: "Sign out" }).click()
      assert.notInclude(await page.evaluate("JSON.stringify({ ...sessionStorage, ...localStorage })"), token)
    })
  })

  it("by a token in the URL, which is taken out of it", async () => {
    const { id, name } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(id) }, async (page) => {
      await page.getByRole("heading", { name, level: 1 }).waitFor()
      assert.strictEqual(page.url(), `${sojourn.baseUrl}/#organization=${id}`)
      assert.notInclude(await page.evaluate("JSON.stringify(history.state) + location.href"), await owner.token)
      // On a server without the demo it is for as long as the page is there.
      assert.notInclude(await page.evaluate("JSON.stringify({ ...sessionStorage })"), await owner.token)
    })
  })

  it("says that a token is not accepted, or of another kind of caller", async () => {
    const forged = `${(await owner.token).split(".").slice(0, 2).join(".")}.AAAA`
    await visit({ fragment: `#token=${forged}`, expected: /401/ }, (page) =>
      page.getByText("The session has ended. Sign in again.").waitFor()
    )
    const fragment = `#token=${await sojourn.user("somebody").token}`
    await visit({ fragment, expected: /403/ }, (page) => page.getByText("This page is for administrators.").waitFor())
  })
})

describe.skipIf(missing !== undefined)(
  "the page: a link with a token, where an administrator is signed in",
  { timeout: PATIENCE },
  () => {
    let others = 0
    const title = "Replace your session?"
    const openLink = (page: Page, text: string) => page.evaluate(`location.hash = "#token=${text}"`)

    /** The owner's organization, and another one that a link of the other administrator leads to. */
    const grounds = async () => {
      const [own, foreign] = [await withPlaces(), await withPlaces()]
      const other = sojourn.administrator(`other-${++others}-<i>administrator</i>`, `other-${others}@example.test`)
      await bind(foreign.id, other, "owner")
      return { own: own.name, foreign: foreign.name, other, token: await other.token, at: addressOf(own.id) }
    }

    it("asks first, says whose it is, and changes nothing by its safe choice, Enter or Escape", async () => {
      const { own, foreign, other, token, at } = await grounds()
      await visitAsOwner({ fragment: at }, async (page) => {
        const isShown = (name: string) => page.getByRole("heading", { name, level: 1 }).waitFor()
        await isShown(own)
        const sent: Array<string> = []
        page.on("request", (request) => sent.push(request.headers()["authorization"] ?? ""))
        for (const keep of [
          () => page.getByRole("button", { name: "Stay signed in as now" }).click(),
          () => page.keyboard.press("Enter"),
          () => page.keyboard.press("Escape")
        ]) {
          await openLink(page, token)
          const dialog = page.getByRole("dialog", { name: title })
          await dialog.waitFor()
          assert.notInclude(await page.evaluate("JSON.stringify(history.state) + location.href"), token)
          const told = await dialog.innerText()
          for (const text of [owner.id, owner.mail, other.id, other.mail, "administrator"]) assert.include(told, text)
          assert.strictEqual(await page.evaluate("document.activeElement.textContent"), "Stay signed in as now")
          await keep()
          await dialog.waitFor({ state: "detached" })
        }
        assert.notInclude(sent, `Bearer ${token}`)
        await page.getByText("Live", { exact: true }).waitFor()
        await isShown(own)
        // By the keyboard: the other choice.
        await openLink(page, token)
        await page.getByRole("dialog").waitFor()
        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        await isShown(foreign)
      })
    })

    it("asks in a tab that keeps its session, and forgets that one with the other's consent", async () => {
      const { own, foreign, token } = await grounds()
      await visit({}, async (page) => {
        await page.getByLabel("Access token").fill(await owner.token)
        await page.getByLabel("Stay signed in while this tab is open").check()
        await page.getByRole("button", { name: "Sign in" }).last().click()
        await page.getByText(own).first().waitFor()
        for (const choice of ["Stay signed in as now", "Use the token of the link"]) {
          await page.goto("about:blank")
          await page.goto(`${sojourn.baseUrl}/#token=${token}`)
          await page.getByRole("dialog", { name: title }).waitFor()
          assert.strictEqual(page.url(), `${sojourn.baseUrl}/`)
          await page.getByRole("button", { name: choice }).click()
          await page.getByRole("dialog").waitFor({ state: "detached" })
        }
        await page.getByRole("heading", { name: foreign, level: 1 }).waitFor()
        assert.notInclude(await page.evaluate("JSON.stringify({ ...sessionStorage })"), await owner.token)
      })
    })

    it("keeps the session where the server does not accept the token, and asks nothing for the same one or for none", async () => {
      const { own, token, at } = await grounds()
      await visitAsOwner({ fragment: at, expected: /40[13]/ }, async (page) => {
        const dialog = page.getByRole("dialog", { name: title })
        for (const refused of [`${token.slice(0, -8)}AAAAAAAA`, await sojourn.user("visitor").token]) {
          await page.getByRole("heading", { name: own, level: 1 }).waitFor()
          await openLink(page, refused)
          await page.getByRole("button", { name: "Use the token of the link" }).click()
          await dialog.getByText("You are still signed in as before.").waitFor()
          await page.keyboard.press("Escape")
          await dialog.waitFor({ state: "detached" })
        }
        for (const text of [await owner.token, "no-token", ""]) {
          await openLink(page, text)
          await until(() => page.url()).toBe(`${sojourn.baseUrl}/`)
          await page.getByRole("heading", { level: 1 }).waitFor()
          assert.strictEqual(await page.getByRole("dialog").count(), 0)
        }
        // Nothing is signed in, so that nothing is asked.
        await page.getByRole("button", { name: "Sign out" }).click()
        await openLink(page, "no-token")
        await page.getByText("This is not an access token.").waitFor()
        await openLink(page, token)
        await page.getByRole("button", { name: "Sign out" }).waitFor()
        assert.strictEqual(await page.getByRole("dialog").count(), 0)
      })
    })

    it("asks in German, dark and on 320 pixels, without a fault that axe-core finds", async () => {
      const { token, at } = await grounds()
      const narrow = { viewport: { width: 320, height: 600 }, locale: "de-AT", colorScheme: "dark" } as const
      await visitAsOwner({ ...narrow, fragment: at }, async (page) => {
        await page.getByText("Live", { exact: true }).waitFor()
        await openLink(page, token)
        await page.getByRole("dialog", { name: "Sitzung ersetzen?" }).waitFor()
        assert.deepStrictEqual(await faultsOf(page), [])
        assert.isFalse(await isTooWide(page))
      })
    })
  }
)

describe.skipIf(missing !== undefined)("the page: live", { timeout: PATIENCE }, () => {
  it("counts as movements are recorded, in the table and on the map", async () => {
    const { id, garden } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(id) }, async (page) => {
      await count(page, "Garden", 0)
      const where = { kind: "place", id: garden.id } as const
      const { exitToken } = want(await enter(movements.user, where), 201).json
      await count(page, "Garden", 1)
      for (let n = 0; n < 4; n++) want(await enter(movements.user, where), 201)
      await count(page, "Garden", 5)
      await page.getByRole("button", { name: "Garden: 5 inside" }).waitFor()
      want(await leave(movements.user, where, exitToken), 202)
      await page.getByRole("button", { name: "Garden: 4 inside" }).waitFor()
      want(await enter(movements.user, { kind: "organization", id }), 201)
      await count(page, "Whole organization", 1)
    })
  })

  it("shows a level of capacity by its word and its colour", async () => {
    const { id, garden, gallery } = await withPlaces()
    want(await put(owner, `/capacity/place/${garden.id}`, { capacity: 3, warnAt: 0.5 }), 200)
    await visitAsOwner({ fragment: addressOf(id) }, async (page) => {
      const area = page.locator("g.area", { has: page.locator("title", { hasText: "Garden" }) })
      const fill = () =>
        area.locator("path").evaluate((path) => (globalThis as any).getComputedStyle(path).fill as string)
      const fills = new Set<string>()
      await row(page, "Garden").getByText("normal").waitFor()
      fills.add(await fill())
      for (const [times, level] of [
        [2, "nearly full"],
        [1, "full"],
        [1, "over capacity"]
      ] as const) {
        for (let n = 0; n < times; n++) want(await enter(movements.user, { kind: "place", id: garden.id }), 201)
        await row(page, "Garden").getByText(level, { exact: true }).waitFor()
        assert.include(await area.getAttribute("aria-label"), level)
        fills.add(await fill())
      }
      assert.strictEqual(fills.size, 4)
      // A manager sets one.
      await row(page, "Gallery").getByRole("button").click()
      await page.locator("summary", { hasText: "Capacity" }).click()
      await page.getByLabel("Capacity of Gallery").fill("40")
      await page.getByRole("button", { name: "Save" }).click()
      await row(page, "Gallery").getByText("40", { exact: true }).waitFor()
      await row(page, "Gallery").getByText("normal").waitFor()
      const reading = await sojourn.call(owner, "GET", `/capacity/place/${gallery.id}`)
      assert.deepInclude(reading.json, { capacity: 40, warnAt: 0.8 })
    })
  })

  it("shows places that are created, renamed and deleted", async () => {
    const { id, garden } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(id) }, async (page) => {
      await count(page, "Garden", 0)
      want(await put(owner, "/place", { id: garden.id, name: "Orchard" }), 200)
      await count(page, "Orchard", 0)
      want(await sojourn.call(owner, "DELETE", `/place/${garden.id}`), 205)
      await row(page, "Orchard").waitFor({ state: "detached" })
      await row(page, "Gallery").waitFor()
    })
  })

  it("says that the connection is lost, and resumes without loss", async () => {
    const { id, garden } = await withPlaces()
    const where = { kind: "place", id: garden.id } as const
    const proxy = await tcpProxy(sojourn.port)
    const visiting = { at: `http://127.0.0.1:${proxy.port}`, fragment: addressOf(id), expected: /ERR_|failed,/ }
    await visitAsOwner(visiting, async (page) => {
      want(await enter(movements.user, where), 201)
      await count(page, "Garden", 1)
      await proxy.refuse()
      await page.getByText("Connection lost.").waitFor()
      await page.locator("main.outdated").waitFor()
      for (let n = 0; n < 3; n++) want(await enter(movements.user, where), 201)
      // The last numbers stay.
      await count(page, "Garden", 1)
      await proxy.listen()
      await count(page, "Garden", 4)
      await page.getByText("Live", { exact: true }).waitFor()
      assert.strictEqual(await page.locator("main.outdated").count(), 0)

      // Nothing is missed, so that no message says so.
      await proxy.refuse()
      await page.getByText("Connection lost.").waitFor()
      await proxy.listen()
      await page.getByText("Live", { exact: true }).waitFor()

      // Nothing arrives any more, and nothing says so.
      proxy.set({ _tag: "black hole" })
      await page.getByText("Connection lost.").waitFor()
      want(await enter(movements.user, where), 201)
      proxy.set({ _tag: "pass" })
      await count(page, "Garden", 5)
      await page.getByText("Live", { exact: true }).waitFor()
    })
    await proxy.close()
  })

  it("says that a permission was withdrawn, and shows the other organizations", async () => {
    const [first, second] = [await withPlaces(), await withPlaces()]
    const manager = await bind(first.id, sojourn.administrator("some-manager"), "manager")
    await bind(second.id, manager, "viewer")
    const fragment = `#token=${await manager.token}${addressOf(first.id)}`
    await visit({ fragment, expected: /403/ }, async (page) => {
      await page.getByRole("heading", { name: first.name, level: 1 }).waitFor()
      await count(page, "Garden", 0)
      const binding = { organizationId: first.id, administratorId: manager.id }
      want(await post(owner, "/administrator/unbindadministrator", binding), 204)
      await page.getByText(`Your permission for ${first.name} was withdrawn.`).waitFor()
      await page.getByRole("heading", { name: second.name, level: 1 }).waitFor()
      const other = { organizationId: second.id, administratorId: manager.id }
      want(await post(owner, "/administrator/unbindadministrator", other), 204)
      await page.getByText(`Your permission for ${second.name} was withdrawn.`).waitFor()
      await page.getByText("You are not an administrator of any organization.").waitFor()
      await page.getByText(`Your permission for ${second.name} was withdrawn.`).waitFor()
    })
  })
})

describe.skipIf(missing !== undefined)("the page: people", { timeout: PATIENCE }, () => {
  it("lists who is inside, and holds a muster of them", async () => {
    const { id, garden } = await withPlaces({}, authenticated)
    const where = { kind: "place", id: garden.id } as const
    const ada = await linked(id, "ada")
    const alan = await linked(id, "alan")
    want(await enter(ada, where), 201)
    await visitAsOwner({ fragment: addressOf(id), expected: /ERR_INTERNET_DISCONNECTED/ }, async (page) => {
      await count(page, "Garden", 1)
      await page.getByRole("heading", { name: "Who is inside" }).click()
      const inside = page.getByRole("table", { name: "Who is inside" })
      await inside.getByRole("row", { name: "ada" }).waitFor()
      const { exitToken } = want(await enter(alan, where), 201).json
      await inside.getByRole("row", { name: "alan" }).waitFor()
      // What was read stays when it cannot be read again.
      await page.context().setOffline(true)
      await page.getByRole("button", { name: "Refresh" }).click()
      await page.getByText("The server was not reached.").waitFor()
      assert.isTrue(await inside.getByRole("row", { name: "alan" }).isVisible())
      await page.context().setOffline(false)

      await page.getByRole("heading", { name: "Muster", exact: true }).click()
      await page.getByLabel("Note").fill("Fire in the kitchen")
      await page.getByLabel("Kind").selectOption("Evacuation")
      await page.getByRole("button", { name: "Start", exact: true }).click()
      await page.getByText("Fire in the kitchen").waitFor()
      const numbers = (missing: number, safe: number, left: number) => {
        const hasText = new RegExp(`missing\\s*${missing}\\s*safe\\s*${safe}\\s*left\\s*${left}`)
        return page.locator(".numbers", { hasText }).waitFor()
      }
      await numbers(2, 0, 0)
      await page.getByRole("button", { name: "Mark as safe: ada" }).click()
      await numbers(1, 1, 0)
      want(await leave(alan, where, exitToken), 202)
      await numbers(0, 1, 1)
      await page.getByLabel("Add a person as safe").fill("grace")
      await page.getByRole("button", { name: "Save" }).click()
      await numbers(0, 2, 1)
      const csv = await savedBy(page, () => page.getByRole("button", { name: "Download as CSV: Muster" }).click())
      assert.match(csv, /^ada,/m)
      assert.match(csv, /^grace,/m)
      await page.getByRole("button", { name: "End the muster" }).click()
      await answer(page, "End the muster")
      await page.getByText(/Ended /).waitFor()
      await page.getByRole("button", { name: "Start", exact: true }).waitFor()
      assert.deepStrictEqual(await faultsOf(page), [])
    })
  })

  it("manages webhooks, for an owner", async () => {
    const { id } = await withPlaces()
    const url = "https://hooks.example.org/presence"
    const visiting = { fragment: addressOf(id), permissions: ["clipboard-read", "clipboard-write"] }
    await visitAsOwner(visiting, async (page) => {
      await page.getByRole("heading", { name: "Webhooks", exact: true }).click()
      await page.getByLabel("URL (https)").fill(url)
      await page.getByRole("button", { name: "Add", exact: true }).click()
      const secretOf = page.getByRole("group", { name: `Secret of ${url}` })
      const secret = await secretOf.getByText(/^whsec_/).innerText()
      await secretOf.getByRole("button", { name: "Copy" }).click()
      await secretOf.getByText("Copied.").waitFor()
      assert.strictEqual(await page.evaluate("navigator.clipboard.readText()"), secret)
      await page.getByText("active", { exact: true }).waitFor()
      assert.deepStrictEqual(await faultsOf(page), [])
      await page.getByRole("button", { name: `Remove: ${url}` }).click()
      await answer(page, "Remove")
      await page.getByText("There are no webhooks.").waitFor()
    })
  })

  it("shows the history of the selected premises", async () => {
    const { id, garden } = await withPlaces()
    want(await enter(movements.user, { kind: "place", id: garden.id }), 201)
    await visitAsOwner({ fragment: addressOf(id) }, async (page) => {
      await count(page, "Garden", 1)
      await page.getByRole("slider", { name: "Between 0 and 0 inside" }).waitFor()
      await row(page, "Garden").getByRole("button").click()
      await page.getByRole("slider", { name: "Between 0 and 1 inside" }).waitFor()
      await page.getByRole("button", { name: "7 days" }).click()
      await page.getByRole("slider", { name: "Between 0 and 1 inside" }).waitFor()
    })
  })
})

/** How the browser reports what the policy refuses. */
const VIOLATION = /Content Security Policy|TrustedScript/

describe.skipIf(missing !== undefined)("the policy of the page", { timeout: PATIENCE }, () => {
  it("refuses styles and scripts that are not the page's own, and requests to elsewhere, and the tests see it", async () => {
    const planted = [
      "document.body.setAttribute('style', 'color: red')",
      "document.body.append(Object.assign(document.createElement('script'), { textContent: '1' }))",
      "void fetch('https://example.org/').catch(() => undefined)"
    ]
    for (const script of planted) {
      await visit({ expected: /Content Security Policy|TrustedScript|outside:|failed,/ }, async (page) => {
        const seen = page.waitForEvent("console", (message) => VIOLATION.test(message.text()))
        await page.evaluate(script).catch(() => undefined)
        await seen
      })
    }
  })
})

describe.skipIf(missing !== undefined)("the page: accessibility", { timeout: PATIENCE }, () => {
  it("works by keyboard alone", async () => {
    const { id } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(id) }, async (page) => {
      await count(page, "Garden", 0)
      const focused = () => page.evaluate<string>("document.activeElement.getAttribute('aria-label') ?? ''")
      for (let n = 0; !(await focused()).startsWith("Whole organization: "); n++) {
        assert.isBelow(n, 25)
        await page.keyboard.press("Tab")
      }
      // The map has one tab stop, and arrows lead from area to area.
      for (let n = 0; !(await focused()).startsWith("Garden: "); n++) {
        assert.isBelow(n, 5)
        await page.keyboard.press("ArrowDown")
      }
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "Garden", level: 2 }).waitFor()
      await page.keyboard.press("Home")
      await page.keyboard.press("Space")
      await page.getByRole("heading", { name: "Whole organization", level: 2 }).waitFor()
    })
  })

  it.each(["light", "dark"] as const)("has no fault that axe-core finds, in %s", async (colorScheme) => {
    const { id, garden } = await withPlaces()
    want(await put(owner, `/capacity/place/${garden.id}`, { capacity: 1 }), 200)
    want(await enter(movements.user, { kind: "place", id: garden.id }), 201)
    await visit({ colorScheme }, async (page) => {
      await page.getByLabel("Access token").waitFor()
      assert.deepStrictEqual(await faultsOf(page), [])
    })
    await visitAsOwner({ fragment: addressOf(id), colorScheme }, async (page) => {
      await row(page, "Garden").getByText("full").waitFor()
      for (const summary of await page.locator("summary").all()) await summary.click()
      await loaded(page)
      assert.deepStrictEqual(await faultsOf(page), [])
    })
  })

  it("fits a width of 320 pixels, in German", async () => {
    const { id, garden } = await withPlaces({
      name: "A museum with a very long name that goes on, Pfannkuchenhausen".padEnd(128, "W")
    })
    want(await put(owner, `/capacity/place/${garden.id}`, { capacity: 1 }), 200)
    const narrow = { viewport: { width: 320, height: 600 }, locale: "de-AT" }
    await visit(narrow, async (page) => {
      await page.getByRole("heading", { name: "Mit einem Zugangstoken" }).waitFor()
      assert.isFalse(await isTooWide(page))
    })
    await visitAsOwner({ fragment: addressOf(id), ...narrow }, async (page) => {
      await row(page, "Garden").getByText("normal").waitFor()
      for (const summary of await page.locator("summary").all()) await summary.click()
      await loaded(page, "Wird geladen ...")
      assert.isFalse(await isTooWide(page))
      await page.getByLabel("Sprache").selectOption("English")
      await page.getByRole("heading", { name: "Muster", exact: true }).waitFor()
      assert.strictEqual(await page.locator("html").getAttribute("lang"), "en")
    })
  })
})
