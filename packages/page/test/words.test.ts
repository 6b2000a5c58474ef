/** Every language has every text, with the same values. */
import { PROBLEM_URIS } from "@sojourn/adapter-http"
import { OWNER_LOST } from "@sojourn/core"
import { assert, describe, it } from "vitest"
import { localeOf } from "../src/browser/shared/formats.ts"
import { type Language, LANGUAGES, loadAllWords, preferredLanguage } from "../src/browser/words/languages.ts"

/** Every text of a language, by its path; texts with values in them are given numbered ones. */
const texts = (words: object, path = ""): ReadonlyArray<readonly [string, string]> =>
  Object.entries(words).flatMap(([key, value]) => {
    const here = `${path}.${key}`
    if (typeof value === "string") return [[here, value] as const]
    if (typeof value === "function") return [[here, value("<1>", "<2>", "<3>").toString()] as const]
    return texts(value, here)
  })

describe.each(Object.keys(LANGUAGES) as Array<Language>)("the dictionary: %s", (language) => {
  it("has every text, with the values that English has", async () => {
    const own = new Map(texts(await loadAllWords(language)))
    const english = texts(await loadAllWords("en"))
    assert.deepStrictEqual(
      [...own.keys()],
      english.map(([path]) => path)
    )
    for (const [path, text] of english) {
      if (path === ".problem" || path === ".failureReason") continue
      assert.isNotEmpty(own.get(path)!.trim(), path)
      assert.sameMembers(own.get(path)!.match(/<\d>/g) ?? [], text.match(/<\d>/g) ?? [], path)
    }
  })
})

describe.each(["de", "it"] as const)("the problems of the server: %s", (language) => {
  it("have a sentence of their own for each kind, found by its type, and none for another", async () => {
    const { problem } = await loadAllWords(language)
    for (const uri of Object.values(PROBLEM_URIS)) assert.isNotEmpty(problem(uri, "English."), uri)
    assert.strictEqual(problem("urn:sojourn:problem:not-known-yet", "English."), "")
  })

  it("name why deliveries fail in no English", async () => {
    const { failureReason } = await loadAllWords(language)
    assert.include(failureReason("the receiver answered 500"), "500")
    for (const reason of [
      OWNER_LOST,
      "events were forgotten before they could be delivered",
      "the connection was closed"
    ])
      assert.notMatch(failureReason(reason), /\b(the|was|is)\b/)
  })
})

describe("the preferred language", () => {
  it("is the first that there is, else English", () => {
    assert.strictEqual(preferredLanguage(["fr-FR", "de-AT", "en"]), "de")
    assert.strictEqual(preferredLanguage(["", "fr"]), "en")
    assert.strictEqual(preferredLanguage([]), "en")
  })

  it("has the dates and numbers of the country that the browser names with it", () => {
    assert.strictEqual(localeOf("en", ["de-AT", "en-GB", "en-US"]), "en-GB")
    assert.strictEqual(localeOf("de", ["en"]), "de")
    assert.strictEqual(localeOf("en", ["it-IT", "de-DE"]), "en-IT")
    const hours = new Intl.DateTimeFormat(localeOf("en", ["it-IT"]), { timeStyle: "short", timeZone: "UTC" })
    assert.strictEqual(hours.format(new Date("2026-05-04T13:30:00Z")), "13:30")
  })
})
