/** The operator's settings in the document and in the Content-Security-Policy. */
import { type PageSettings, pageFiles, policyOf } from "@sojourn/page"
import { assert, describe, it } from "vitest"

const documentWith = async (settings: PageSettings) =>
  (await pageFiles(settings)).find(({ path }) => path === "/")!.text

const ISSUER = { issuer: "https://id.example.org/realms/town", clientId: "page" }

describe("the settings of the page", () => {
  it("stand in the document, where no text of them ends the attribute or begins an element", async () => {
    const label = `"><script src="https://evil.example"></script>&quot;'`
    const text = await documentWith({ issuers: [{ ...ISSUER, label }] })
    const content = /<meta name="sojourn-settings" content="([^"]*)">/.exec(text)![1]!
    assert.notMatch(content, /[<>]/)
    const unescaped = content
      .replaceAll("&quot;", '"')
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&")
    assert.deepStrictEqual(JSON.parse(unescaped), { issuers: [{ ...ISSUER, label }] })
  })

  it("open the policy for the origins that they name, and for no other", () => {
    const closed = policyOf({})
    assert.include(closed, "connect-src 'self';")
    assert.include(closed, "img-src 'self' blob:;")
    const open = policyOf({
      issuers: [ISSUER, { ...ISSUER, issuer: "https://accounts.example", tokenEndpoint: "https://tokens.example/t" }],
      baseMap: { url: "https://tiles.example:8443/{z}/{x}/{y}.png?key=a" }
    })
    assert.strictEqual(
      open,
      closed
        .replace(
          "connect-src 'self'",
          "connect-src 'self' https://id.example.org https://accounts.example https://tokens.example"
        )
        .replace("img-src 'self' blob:", "img-src 'self' blob: https://tiles.example:8443")
    )
  })
})
