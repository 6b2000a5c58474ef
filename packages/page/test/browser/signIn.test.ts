/** Signing in, in Chromium: by password, token and link, and with an OpenID Connect issuer. */
import type { Page } from "playwright-core"
import { afterAll, assert, describe, it } from "vitest"
import { described, pageOf, startProvider } from "../../../server/test/identity/OpenIdProvider.ts"
import {
  addressOf,
  answer,
  button,
  checkView,
  missing,
  NARROW,
  openAccount,
  pageForThisFile,
  PATIENCE,
  until
} from "./visiting.ts"

const provider = await startProvider()
afterAll(provider.stop)

const PREFIX = "town:"
const { sojourn, owner, post, want, bind, visit, visitAsOwner, withPlaces } = await pageForThisFile({
  page: { issuers: [pageOf(provider.issuer)] },
  issuers: [{ ...described(provider.issuer), subjectPrefix: PREFIX }]
})

const PASSWORD = "correct horse battery staple"
const KEEP = "Stay signed in while this tab is open"
const kept = (page: Page) => page.evaluate<string>("JSON.stringify({ ...sessionStorage, ...localStorage })")
const addresses = (page: Page) => page.evaluate<string>("JSON.stringify(history.state) + location.href")
const isShown = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 }).waitFor()
const openLink = (page: Page, text: string) => page.evaluate(`location.hash = "#token=${text}"`)
const question = (page: Page) => page.getByRole("dialog", { name: "Replace your session?" })

/** How the browser reports what the policy refuses. */
const VIOLATION = /Content Security Policy|TrustedScript/

let others = 0
/** The owner's organization, and another one that a link of the other administrator leads to. */
const grounds = async () => {
  const [own, foreign] = [await withPlaces(), await withPlaces()]
  const other = sojourn.administrator(`other-${++others}-<i>administrator</i>`, `other-${others}@example.test`)
  await bind(foreign.id, other, "owner")
  return { own: own.name, foreign: foreign.name, other, token: await other.token, at: addressOf(own.id) }
}

describe.skipIf(missing !== undefined)("signing in", { timeout: PATIENCE }, () => {
  it("by a password or a token, which is kept for the tab if asked, and says what is wrong", async () => {
    const { id, name } = await withPlaces()
    const { own, foreign, token: offered } = await grounds()
    const [mail, token] = ["guest@example.test", await owner.token]
    const creation = { organizationId: id, mail, password: PASSWORD, permission: 1 }
    want(await post(owner, "/administrator/createadministrator", creation), 201)
    await visit({ expected: /40[013]/ }, async (page) => {
      const signIn = page.getByRole("button", { name: "Sign in", exact: true })
      await page.getByLabel("Mail address or id").fill(mail)
      for (const [password, isRight] of [
        ["wrong", false],
        [PASSWORD, true]
      ] as const) {
        await page.getByLabel("Password", { exact: true }).fill(password)
        await signIn.first().click()
        if (!isRight) await page.getByText("User name or password is wrong.").waitFor()
      }
      await isShown(page, name)
      // Nothing that a viewer may not do.
      await page.getByText("Live", { exact: true }).waitFor()
      await until(() => page.locator("summary").allInnerTexts()).toEqual(["Busiest hours"])
      await button(page, "Sign out").click()

      await page.getByLabel("Access token").fill("not a token")
      await signIn.last().click()
      await page.getByText("This is not an access token.").waitFor()
      await page.getByLabel("Access token").fill(token)
      await signIn.last().click()
      await page.getByText("Live", { exact: true }).waitFor()
      assert.notInclude(await kept(page), token)
      await page.reload()
      await page.getByLabel("Access token").fill(token)
      await page.getByLabel(KEEP).check()
      await signIn.last().click()
      await page.getByText("Live", { exact: true }).waitFor()
      await page.reload()
      await page.getByText(own).first().waitFor()

      // A link in a tab that keeps its session, which is forgotten with consent.
      for (const choice of ["Stay signed in as now", "Use the token of the link"]) {
        await page.goto("about:blank")
        await page.goto(`${sojourn.baseUrl}/#token=${offered}`)
        await question(page).waitFor()
        assert.strictEqual(page.url(), `${sojourn.baseUrl}/`)
        await button(page, choice).click()
        await question(page).waitFor({ state: "detached" })
      }
      await isShown(page, foreign)
      assert.notMatch(await kept(page), /eyJ/)

      // Where nobody is signed in, a link asks nothing.
      await button(page, "Sign out").click()
      const forged = `${token.split(".").slice(0, 2).join(".")}.AAAA`
      for (const [text, told] of [
        ["no-token", "This is not an access token."],
        [forged, "The session has ended. Sign in again."],
        [await sojourn.user("somebody").token, "This page is for administrators."]
      ] as const) {
        await openLink(page, text)
        await page.getByText(told).waitFor()
      }

      // Who is bound to nothing reads what to send to whom, and may end all tokens.
      await button(page, "Sign out").click()
      const unbound = sojourn.administrator("bound-to-nothing")
      const session = await unbound.token
      await openLink(page, session)
      await page.getByRole("region", { name: "Your administrator's id" }).getByText(unbound.id).waitFor()
      await checkView(page)
      await openAccount(page)
      await button(page, "Sign out everywhere").click()
      await answer(page, "Sign out everywhere")
      await page.getByLabel("Access token").waitFor()
      await openLink(page, session)
      await page.getByText("The session has ended. Sign in again.").waitFor()
    })
  })

  it("by a link, which asks first where another administrator is signed in, and changes nothing by Enter or Escape", async () => {
    const { own, foreign, other, token, at } = await grounds()
    const narrow = { viewport: NARROW.viewport, colorScheme: NARROW.colorScheme }
    await visitAsOwner({ ...narrow, fragment: at, expected: /40[13]/ }, async (page) => {
      await isShown(page, own)
      assert.strictEqual(page.url(), `${sojourn.baseUrl}/#${at.slice(1)}`)
      assert.notInclude(await addresses(page), await owner.token)
      // On a server without the demo it is for as long as the page is there.
      assert.notInclude(await kept(page), await owner.token)
      const sent: Array<string> = []
      page.on("request", (request) => sent.push(request.headers()["authorization"] ?? ""))
      for (const keep of [
        () => button(page, "Stay signed in as now").click(),
        () => page.keyboard.press("Enter"),
        () => page.keyboard.press("Escape")
      ]) {
        await openLink(page, token)
        await question(page).waitFor()
        assert.notInclude(await addresses(page), token)
        const told = await question(page).innerText()
        for (const text of [owner.id, owner.mail, other.id, other.mail, "administrator"]) assert.include(told, text)
        assert.strictEqual(await page.evaluate("document.activeElement.textContent"), "Stay signed in as now")
        if (sent.length === 0) await checkView(page)
        await keep()
        await question(page).waitFor({ state: "detached" })
      }
      assert.notInclude(sent, `Bearer ${token}`)
      for (const refused of [`${token.slice(0, -8)}AAAAAAAA`, await sojourn.user("visitor").token]) {
        await openLink(page, refused)
        await button(page, "Use the token of the link").click()
        await question(page).getByText("You are still signed in as before.").waitFor()
        await page.keyboard.press("Escape")
        await question(page).waitFor({ state: "detached" })
      }
      for (const text of [await owner.token, "no-token", ""]) {
        await openLink(page, text)
        await until(() => page.url()).toBe(`${sojourn.baseUrl}/`)
        await page.getByRole("heading", { level: 1 }).waitFor()
        assert.strictEqual(await page.getByRole("dialog").count(), 0)
      }
      // By the keyboard: the other choice.
      await openLink(page, token)
      await question(page).waitFor()
      await page.keyboard.press("Tab")
      await page.keyboard.press("Enter")
      await isShown(page, foreign)
    })
  })

  it("with an issuer, which leads back to the organization that was asked for, with a token in no address", async () => {
    await withPlaces()
    const { id, name } = await withPlaces()
    // The id of the account is not the token's `sub`.
    const token = await provider.token("administrator", "ada")
    await bind(id, { id: `${PREFIX}ada`, mail: "", token: Promise.resolve(token) }, "manager")
    const seen: Array<string> = []
    await visit({ fragment: `#organization=${id}`, expected: /403/ }, async (page) => {
      const offer = button(page, "Sign in with Town")
      page.on("request", (request) => seen.push(request.url()))
      page.on("framenavigated", (frame) => seen.push(frame.url()))
      provider.signInAs("administrator", undefined)
      await offer.click()
      await page.getByText("The sign-in did not succeed (access_denied).").waitFor()
      provider.signInAs("administrator", "ada")
      await offer.focus()
      await page.keyboard.press("Enter")
      await isShown(page, name)
      assert.strictEqual(page.url(), `${sojourn.baseUrl}/#organization=${id}`)
      assert.notMatch(await kept(page), /eyJ|verifier/)
      const authorization = new URL(seen.find((url) => url.includes("code_challenge"))!).searchParams
      assert.strictEqual(authorization.get("code_challenge_method"), "S256")
      for (const name of ["state", "nonce"]) assert.isAtLeast(authorization.get(name)!.length, 32)
      assert.deepStrictEqual(
        seen.filter((url) => /eyJ/.test(url)),
        []
      )
      await page.reload()
      // Asked for: for as long as the tab is open.
      await page.getByLabel(KEEP).check()
      await offer.click()
      await isShown(page, name)
      await page.reload()
      await isShown(page, name)
      await button(page, "Sign out").click()
      provider.signInAs("user", "visitor")
      await offer.click()
      await page.getByText("This page is for administrators.").waitFor()
    })
    await visit(NARROW, async (page) => {
      await button(page, "Anmelden mit Town").waitFor()
      await checkView(page)
      // An answer that this tab did not ask for is taken out of the address, and makes nothing happen.
      await page.goto(`${sojourn.baseUrl}/?code=planted&state=planted`)
      await button(page, "Anmelden mit Town").waitFor()
      assert.strictEqual(page.url(), `${sojourn.baseUrl}/`)
    })
  })

  it("asks to sign in again over a drawing, which stays, by a token or in an issuer's window", async () => {
    const { id } = await withPlaces()
    const token = provider.token("administrator", "eve")
    await bind(id, { id: `${PREFIX}eve`, mail: "", token }, "manager")
    const leaving = sojourn.administrator("leaving")
    await bind(id, leaving, "manager")
    const stranger = await sojourn.administrator("stranger").token
    const fragment = `#token=${await leaving.token}${addressOf(id, "areas")}`
    await visit({ fragment, viewport: { width: 390, height: 844 }, expected: /401/ }, async (page) => {
      await button(page, "New place").click()
      await button(page, "Rectangle").click()
      const { x, y, width, height } = (await page.locator(".around .whole").boundingBox())!
      for (const share of [0.1, 0.2]) await page.mouse.click(x + share * width, y + share * height)
      await page.getByLabel("Name of the place").fill("Kept")
      want(await post(leaving, "/administrator/signout", {}), 204)
      const dialog = page.getByRole("dialog", { name: "The session has ended. Sign in again." })
      await dialog.waitFor()
      await checkView(page)
      // It may be laid aside, and comes back with the next refusal, such as that of a request which is underway.
      await until(async () => {
        await page.keyboard.press("Escape")
        return dialog.count()
      }).toBe(0)
      assert.strictEqual(await page.locator("g.corner").count(), 4)
      await page.getByLabel("Name of the place").press("Enter")
      await dialog.waitFor()
      for (const [token, refusal] of [
        [await leaving.token, "The server refused (401)."],
        [stranger, "This administrator may not see what is open here."]
      ] as const) {
        await dialog.getByLabel("Access token").fill(token)
        await dialog.getByRole("button", { name: "Sign in", exact: true }).last().click()
        await dialog.getByText(refusal).waitFor()
      }
      provider.signInAs("administrator", "eve")
      const opened = page.waitForEvent("popup")
      await button(page, "Sign in with Town").click()
      const popup = await opened
      await dialog.waitFor({ state: "detached" })
      if (!popup.isClosed()) await popup.waitForEvent("close")
      assert.strictEqual(await page.locator("g.corner").count(), 4)
      assert.strictEqual(await page.getByLabel("Name of the place").inputValue(), "Kept")
      await button(page, "Save").click()
      await page.getByText("Kept was saved.").waitFor()
      assert.notMatch(await kept(page), /eyJ/)
    })
  })

  it("asks nothing of servers that the operator did not name", async () => {
    const policy = (await fetch(sojourn.baseUrl)).headers.get("content-security-policy")!
    assert.include(policy, `connect-src 'self' ${provider.issuer};`)
    await visit({ expected: /Content Security Policy|TrustedScript|outside:|failed,/ }, async (page) => {
      for (const planted of [
        "document.body.setAttribute('style', 'color: red')",
        "document.body.append(Object.assign(document.createElement('script'), { textContent: '1' }))",
        "void fetch('http://127.0.0.1:9/').catch(() => undefined)"
      ]) {
        const refused = page.waitForEvent("console", (message) => VIOLATION.test(message.text()))
        await page.evaluate(planted).catch(() => undefined)
        await refused
      }
    })
  })
})
