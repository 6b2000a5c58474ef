/** Spectral: all of its rules for OpenAPI; what any of them finds is a fault. */
import spectralCore from "@stoplight/spectral-core"
import spectralParsers from "@stoplight/spectral-parsers"
import spectralRulesets from "@stoplight/spectral-rulesets"

const ruleset = {
  extends: [[spectralRulesets.oas, "all"]],
  rules: {
    // The project has no address, mailbox or page of its own yet.
    "info-contact": "off",
    // Groups stand in the order of the interface, which is how one reads it.
    "openapi-tags-alphabetical": "off",
    // The licence is named by its SPDX identifier, and OpenAPI 3.1 allows one of the two.
    "license-url": "off"
  }
} as const

/** What Spectral finds in a document, a line each; nothing when it is clean. */
export const spectral = async (json: string): Promise<ReadonlyArray<string>> => {
  const linter = new spectralCore.Spectral()
  linter.setRuleset(ruleset as never)
  const found = await linter.run(new spectralCore.Document(json, spectralParsers.Json))
  return found.map(({ code, path, message }) => `${String(code)} at ${path.join(".")}: ${message}`)
}
