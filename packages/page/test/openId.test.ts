/** What the page believes of an issuer's answers, also of those that an attacker would send, without a browser. */
import { afterAll, assert, beforeEach, describe, it, vi } from "vitest"

const ISSUER = "https://id.example"
const ISSUERS = [{ issuer: ISSUER, clientId: "page" }]
const PENDING = {
  issuer: ISSUER,
  state: "mine",
  nonce: "nonce",
  verifier: "verifier",
  keep: false,
  fragment: "#x",
  isAwaited: false
}
const KEY = "sojourn.pendingSignIn"

const storage = new Map<string, string>()
const location = { origin: "https://page.example", pathname: "/", search: "", hash: "", assign: vi.fn() }
const history = { replaceState: vi.fn() }
vi.stubGlobal("document", { querySelector: () => null })
vi.stubGlobal("location", location)
vi.stubGlobal("history", history)
vi.stubGlobal("sessionStorage", {
  getItem: (key: string) => storage.get(key) ?? null,
  setItem: (key: string, value: string) => void storage.set(key, value),
  removeItem: (key: string) => void storage.delete(key)
})
afterAll(() => {
  vi.unstubAllGlobals()
})
const { completeSignIn, redirectToIssuer } = await import("../src/browser/signIn/openId.ts")
const { takeRedirect } = await import("../src/browser/signIn/redirect.ts")

const tokenOf = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.AAAA`

/** An issuer that answers so, and what it was asked. */
const answering = (discovered: object, claims: object = {}, status = 200) => {
  const asked: Array<readonly [url: string, body: string]> = []
  const document = {
    issuer: ISSUER,
    authorization_endpoint: `${ISSUER}/authorize`,
    token_endpoint: `${ISSUER}/token`,
    authorization_response_iss_parameter_supported: true,
    ...discovered
  }
  const idToken = { iss: ISSUER, aud: "page", nonce: "nonce", exp: Date.now() / 1000 + 60, ...claims }
  vi.stubGlobal("fetch", async (url: string, { body }: RequestInit) => {
    asked.push([url, String(body)])
    if (url.endsWith("/.well-known/openid-configuration")) return Response.json(document)
    return Response.json({ access_token: tokenOf({ sub: "ada" }), id_token: tokenOf(idToken) }, { status })
  })
  return asked
}
const answerOf = (iss: string | undefined = ISSUER) =>
  new URLSearchParams({ code: "code", state: "mine", ...(iss !== undefined && { iss }) })
const complete = (answer: URLSearchParams, pending: object = {}) =>
  completeSignIn(ISSUERS, { answer, pending: { ...PENDING, ...pending } })
const refused = async (work: Promise<unknown>, reason: string) =>
  assert.strictEqual(await work.then(String, ({ reason }) => reason), reason)

beforeEach(() => {
  storage.clear()
})

describe("signing in with an issuer", () => {
  it("shows the secret of PKCE of the tab that left, and takes the token from the answer", async () => {
    answering({})
    await redirectToIssuer(ISSUERS[0]!, true)
    const { searchParams } = new URL(String(location.assign.mock.lastCall![0]))
    const { state, nonce, verifier, keep } = JSON.parse(storage.get(KEY)!)
    assert.deepStrictEqual([state, nonce, keep], [searchParams.get("state"), searchParams.get("nonce"), true])
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))
    assert.strictEqual(searchParams.get("code_challenge"), Buffer.from(digest).toString("base64url"))
    const asked = answering({})
    const session = await complete(answerOf(), { verifier })
    assert.deepStrictEqual(session, { token: tokenOf({ sub: "ada" }) })
    assert.strictEqual(new URLSearchParams(asked[1]![1]).get("code_verifier"), verifier)
  })

  it.each(["https://another.example", `${ISSUER}/`, ISSUER.toUpperCase(), [ISSUER], null])(
    "believes no discovery document that is not of exactly the configured issuer: %s",
    async (claimed) => {
      const asked = answering({ issuer: claimed })
      await refused(redirectToIssuer(ISSUERS[0]!, false), "issuer")
      await refused(complete(answerOf()), "issuer")
      assert.isTrue(asked.every(([url]) => url.endsWith("/.well-known/openid-configuration")))
    }
  )

  it("leaves for no address of another protocol than the issuer's", async () => {
    answering({ authorization_endpoint: "http://id.example/authorize" })
    await refused(redirectToIssuer(ISSUERS[0]!, false), "authorization_endpoint")
  })

  it.each([
    { nonce: "another" },
    { aud: "another" },
    { aud: ["another"] },
    { iss: "https://another.example" },
    { iss: `${ISSUER}/` },
    { iss: [ISSUER] },
    { exp: 1 },
    { exp: undefined }
  ])("believes no ID token of another sign-in, audience or issuer, and none that has expired: %j", async (planted) => {
    answering({}, planted)
    await refused(complete(answerOf()), "id_token")
  })

  it("takes an ID token for several audiences, the page among them", async () => {
    answering({}, { aud: ["another", "page"] })
    assert.isDefined(await complete(answerOf()))
  })

  it("gives a code to no issuer that did not answer", async () => {
    const asked = answering({})
    for (const iss of [
      "https://elsewhere.example",
      `${ISSUER}/`,
      ISSUER.toUpperCase(),
      `${ISSUER}.elsewhere.example`,
      ""
    ])
      await refused(complete(answerOf(iss)), "iss")
    await refused(complete(new URLSearchParams("code=code&state=mine")), "iss")
    await refused(complete(new URLSearchParams("error=access_denied&state=mine")), "access_denied")
    assert.isTrue(asked.every(([url]) => !url.endsWith("/token")))
    answering({}, {}, 400)
    await refused(complete(answerOf()), "400")
    answering({ authorization_response_iss_parameter_supported: false })
    assert.isDefined(await complete(new URLSearchParams("code=code&state=mine")))
  })
})

describe("an issuer's answer in the address", () => {
  it("is taken out of it, once, and makes nothing of one that this tab did not ask for", () => {
    const take = (search: string, kept?: object) => {
      location.search = search
      if (kept !== undefined) storage.set(KEY, JSON.stringify(kept))
      return takeRedirect()
    }
    assert.isUndefined(take(""))
    assert.strictEqual(history.replaceState.mock.calls.length, 0)
    assert.isUndefined(take("?code=planted&state=planted"))
    assert.deepStrictEqual(history.replaceState.mock.lastCall, [null, "", "/"])
    assert.isUndefined(take("?code=planted&state=planted", PENDING))
    assert.isFalse(storage.has(KEY))
    assert.deepStrictEqual(take("?code=code&state=mine", PENDING)?.pending, PENDING)
    assert.deepStrictEqual(history.replaceState.mock.lastCall, [null, "", "/#x"])
    assert.isUndefined(take("?code=code&state=mine"))
  })
})
