/** The URL of a webhook: its syntax, special hosts, and the operator's list. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import {
  defaultWebhookReceiverPolicy,
  parseReceiverEntry,
  parseWebhookUrl,
  requireAllowedReceiver,
  type WebhookReceiverPolicy
} from "../../../src/index.ts"
import { integer, maybe } from "@sojourn/testing"
import { refusal, trials, verdict, words } from "../../trials.ts"
import { SPECIAL_HOSTS } from "../accounts/AuthenticationServerUrl.hostile.ts"

const under = (policy: WebhookReceiverPolicy, url: string) =>
  verdict(Result.flatMap(parseWebhookUrl(url), (parsed) => requireAllowedReceiver(parsed, policy)))
const allowing = (...entries: ReadonlyArray<string>): WebhookReceiverPolicy => ({
  allow: entries.map((entry) => Result.getOrThrow(parseReceiverEntry(entry)))
})

describe("the URL of a webhook", () => {
  it.each(SPECIAL_HOSTS)("%s is refused by default", (host) => {
    for (const url of [`https://${host}`, `HTTPS://${host}:8443/hook?a=b`]) {
      assert.strictEqual(under(defaultWebhookReceiverPolicy, url), "WebhookUrlRefused", url)
    }
  })

  it("is https alone, without user name, password and fragment", () => {
    const malformed = words(`
      http://example.org/ ftp://example.org/ example.org //example.org https:example.org https:///hook https://
      https://user@example.org/ https://user:password@example.org/ https://example.org/#part https://example.org:0/
      https://example.org:65536/ https://example.org:x/ https://exa_mple..org/ https://127.1/ https://0x7f000001/
      https://2130706433/ https://example.org\\@127.0.0.1/ https://\u00fcber.example.org/ https://example.org/\u0000
    `)
    for (const url of [...malformed, "https://example.org/a b", `https://example.org/${"a".repeat(2048)}`]) {
      assert.strictEqual(refusal(parseWebhookUrl(url)) === undefined, false, url)
    }
  })

  it.prop(
    "keeps its path and query, and has port 443 where it names none",
    { port: maybe(integer(1, 65535)) },
    ({ port }) => {
      for (const rest of ["", "/", "/a/b?c=d", "?c=d"]) {
        const text = `https://Hooks.example.org${port === undefined ? "" : `:${port}`}${rest}`
        const url = Result.getOrThrow(parseWebhookUrl(text))
        const path = rest.startsWith("/") ? rest : `/${rest}`
        assert.deepStrictEqual(url, { text, scheme: "https", host: "hooks.example.org", port: port ?? 443, path })
        assert.strictEqual(under(defaultWebhookReceiverPolicy, text), "accepted")
      }
    },
    trials(50)
  )

  it("is one of the operator's list where there is one", () => {
    const policy = allowing("https://127.0.0.1:8443", "https://hooks.example.org")
    assert.strictEqual(under(policy, "https://127.0.0.1:8443/hook"), "accepted")
    assert.strictEqual(under(policy, "https://hooks.example.org/hook"), "accepted")
    for (const url of ["https://127.0.0.1/", "https://hooks.example.org:8443/", "https://example.org/"]) {
      assert.strictEqual(under(policy, url), "WebhookUrlRefused", url)
    }
    assert.strictEqual(under({ allow: [], listedOnly: true }, "https://example.org/"), "WebhookUrlRefused")
    for (const entry of ["http://example.org", "ldaps://example.org", "example.org", "https://example.org/hook"]) {
      assert.strictEqual(verdict(parseReceiverEntry(entry)), "WebhookUrlRefused", entry)
    }
  })
})
