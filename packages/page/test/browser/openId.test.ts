/** Signing in with an OpenID Connect issuer in Chromium, also with answers that an attacker would send. */
import { afterAll, assert, describe, it } from "vitest"
import { isTooWide } from "../../../../site/browser/Chromium.ts"
import { described, pageOf, startProvider } from "../../../server/test/identity/OpenIdProvider.ts"
import { faultsOf, missing, pageForThisFile, PATIENCE } from "./visiting.ts"

const provider = await startProvider()
afterAll(provider.stop)

const PREFIX = "town:"
const { sojourn, bind, visit, withPlaces } = await pageForThisFile({
  page: { issuers: [pageOf(provider.issuer)] },
  issuers: [{ ...described(provider.issuer), subjectPrefix: PREFIX }]
})

const button = "Sign in with Town"

describe.skipIf(missing !== undefined)("signing in with an OpenID Connect issuer", { timeout: PATIENCE }, () => {
  it("leads to the issuer and back to the organization that was asked for, with a token in no address", async () => {
    await withPlaces()
    const { id, name } = await withPlaces()
    // The id of the account is not the token's `sub`.
    const token = await provider.token("administrator", "ada")
    await bind(id, { id: `${PREFIX}ada`, mail: "", token: Promise.resolve(token) }, "manager")
    provider.signInAs("administrator", "ada")
    const addresses: Array<string> = []
    await visit({ fragment: `#organization=${id}` }, async (page) => {
      page.on("request", (request) => addresses.push(request.url()))
      page.on("framenavigated", (frame) => addresses.push(frame.url()))
      await page.getByRole("button", { name: button }).click()
      await page.getByRole("heading", { name, level: 1 }).waitFor()
      assert.strictEqual(page.url(), `${sojourn.baseUrl}/#organization=${id}`)
      const kept = await page.evaluate<string>("JSON.stringify({ ...sessionStorage, ...localStorage })")
      assert.notMatch(kept, /eyJ|verifier/)
      const authorization = new URL(addresses.find((url) => url.includes("code_challenge"))!).searchParams
      assert.strictEqual(authorization.get("code_challenge_method"), "S256")
      assert.isAtLeast(authorization.get("state")!.length, 32)
      assert.isAtLeast(authorization.get("nonce")!.length, 32)
      assert.deepStrictEqual(
        addresses.filter((url) => /eyJ/.test(url)),
        []
      )
      await page.reload()
      await page.getByRole("button", { name: button }).waitFor()
      // Asked for: for as long as the tab is open.
      await page.getByLabel("Stay signed in while this tab is open").check()
      await page.getByRole("button", { name: button }).click()
      await page.getByRole("heading", { name, level: 1 }).waitFor()
      await page.reload()
      await page.getByRole("heading", { name, level: 1 }).waitFor()
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByRole("button", { name: button }).waitFor()
    })
  })

  it("is offered by keyboard, without a fault that axe-core finds, in the dark, in German and on 320 pixels", async () => {
    const narrow = { viewport: { width: 320, height: 600 }, locale: "de-AT", colorScheme: "dark" } as const
    await visit(narrow, async (page) => {
      const offer = page.getByRole("button", { name: "Anmelden mit Town" })
      await offer.waitFor()
      assert.deepStrictEqual(await faultsOf(page), [])
      assert.isFalse(await isTooWide(page))
      provider.signInAs("administrator", "ada")
      await offer.focus()
      await page.keyboard.press("Enter")
      await page.getByRole("button", { name: "Abmelden" }).waitFor()
    })
  })

  it("says that the person refused, or is no administrator", async () => {
    await visit({ expected: /403/ }, async (page) => {
      provider.signInAs("administrator", undefined)
      await page.getByRole("button", { name: button }).click()
      await page.getByText("The sign-in did not succeed (access_denied).").waitFor()
      provider.signInAs("user", "visitor")
      await page.getByRole("button", { name: button }).click()
      await page.getByText("This page is for administrators.").waitFor()
    })
  })

  it("takes an answer that this tab did not ask for out of the address, and makes nothing of it", async () => {
    await visit({ expected: /400/ }, async (page) => {
      const code = "code=planted&state=planted"
      await page.goto(`${sojourn.baseUrl}/?${code}`)
      await page.getByRole("button", { name: button }).waitFor()
      assert.strictEqual(page.url(), `${sojourn.baseUrl}/`)
      // A tab that left, and comes back with the answer to another one.
      const pending = { issuer: provider.issuer, state: "mine", nonce: "", verifier: "", keep: false, fragment: "" }
      await page.evaluate(`sessionStorage.setItem("sojourn.pendingSignIn", '${JSON.stringify(pending)}')`)
      await page.goto(`${sojourn.baseUrl}/?${code}`)
      await page.getByRole("button", { name: button }).waitFor()
      assert.isNull(await page.evaluate('sessionStorage.getItem("sojourn.pendingSignIn")'))
      // An answer in the name of another issuer or of none, and one that names none of the codes.
      const iss = (issuer: string) => `&iss=${encodeURIComponent(issuer)}`
      for (const [answer, reason] of [
        [iss("https://elsewhere.example"), "iss"],
        [iss(`${provider.issuer}/`), "iss"],
        [iss(provider.issuer.toUpperCase()), "iss"],
        [iss(`${provider.issuer}.elsewhere.example`), "iss"],
        ["&iss=", "iss"],
        ["", "iss"],
        [iss(provider.issuer), "400"]
      ]) {
        await page.evaluate(`sessionStorage.setItem("sojourn.pendingSignIn", '${JSON.stringify(pending)}')`)
        await page.goto(`${sojourn.baseUrl}/?code=planted&state=mine${answer}`)
        await page.getByText(`The sign-in did not succeed (${reason}).`).waitFor()
      }
    })
  })

  it("believes no discovery document that is not of exactly the configured issuer", async () => {
    const { issuer } = provider
    for (const claimed of ["https://another.example", `${issuer}/`, issuer.toUpperCase(), [issuer], null]) {
      await visit({}, async (page) => {
        const asked: Array<string> = []
        page.on("request", (request) => asked.push(request.url()))
        await page.route(`${issuer}/.well-known/openid-configuration`, async (route) => {
          const response = await route.fetch()
          await route.fulfill({ response, json: { ...(await response.json()), issuer: claimed } })
        })
        await page.getByRole("button", { name: button }).click()
        await page.getByText("The sign-in did not succeed (issuer).").waitFor()
        const ofIssuer = asked.filter((url) => url.startsWith(issuer))
        assert.deepStrictEqual(ofIssuer, [`${issuer}/.well-known/openid-configuration`])
      })
    }
  })

  it("believes no ID token of another sign-in, audience or issuer, and none that has expired", async () => {
    provider.signInAs("administrator", "ada")
    for (const planted of [
      { nonce: "another" },
      { aud: "another" },
      { iss: "https://another.example" },
      { iss: `${provider.issuer}/` },
      { iss: [provider.issuer] },
      { exp: 1 }
    ]) {
      await visit({}, async (page) => {
        await page.route(`${provider.issuer}/token`, async (route) => {
          const response = await route.fetch()
          const tokens = (await response.json()) as { readonly id_token: string }
          const [head, payload, signature] = tokens.id_token.split(".")
          const claims: object = JSON.parse(Buffer.from(payload!, "base64url").toString())
          const changed = Buffer.from(JSON.stringify({ ...claims, ...planted })).toString("base64url")
          await route.fulfill({ response, json: { ...tokens, id_token: [head, changed, signature].join(".") } })
        })
        await page.getByRole("button", { name: button }).click()
        await page.getByText("The sign-in did not succeed (id_token).").waitFor()
      })
    }
  })

  it("allows requests to the issuers that the operator named, and to nothing else", async () => {
    const { headers } = await fetch(sojourn.baseUrl)
    const policy = headers.get("content-security-policy")!
    assert.include(policy, `connect-src 'self' ${provider.issuer};`)
    assert.include(policy, "img-src 'self' blob:;")
    await visit({ expected: /Content Security Policy|outside:|failed,/ }, async (page) => {
      const refused = page.waitForEvent("console", (message) => /Content Security Policy/.test(message.text()))
      await page.evaluate("void fetch('http://127.0.0.1:9/').catch(() => undefined)")
      await refused
    })
  })
})
