/** The bundle in contexts that lack what some phones' engines lack. */
import { build } from "esbuild"
import { fileURLToPath } from "node:url"
import { runInNewContext } from "node:vm"
import { assert, describe, it } from "vitest"
import { memoryStorage } from "./server.ts"

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL("../src/index.ts", import.meta.url))],
  bundle: true,
  format: "iife",
  globalName: "tracker",
  platform: "neutral",
  target: "es2022",
  // A literal of these becomes a call of RegExp.
  supported: {
    "regexp-lookbehind-assertions": false,
    "regexp-named-capture-groups": false,
    "regexp-set-notation": false,
    "regexp-unicode-property-escapes": false
  },
  conditions: ["source"],
  write: false
})
const code = outputFiles[0]!.text

/** A promise of the other context is none of this one. */
const run = (script: string, globals: object) => Promise.resolve(runInNewContext(`${code}\n${script}`, globals))

describe("engines of phones and browsers", () => {
  it("are asked for no syntax of regular expressions that Hermes lacks", () => {
    assert.notInclude(code, "RegExp(")
  })

  it("are asked for no function that Hermes lacks", () => {
    const lacking = [
      "structuredClone",
      "toSorted",
      "toReversed",
      "toSpliced",
      "findLast",
      "Object.groupBy",
      "Array.fromAsync",
      "Promise.withResolvers",
      "TextEncoder",
      "WeakRef",
      "Intl.",
      "process.",
      "Buffer",
      "document.",
      "window."
    ]
    assert.deepStrictEqual(
      lacking.filter((name) => code.includes(name)),
      []
    )
  })

  it("need no more than fetch, random bytes and timers", async () => {
    const requests: Array<string> = []
    const fetch = async (url: string, { method, headers, body }: any) => {
      requests.push(`${method} ${url}`)
      const json = { exitToken: "a-token", timestamp: body && JSON.parse(body).timestamp }
      assert.isTrue(method === "GET" || typeof headers["idempotency-key"] === "string")
      return {
        status: method === "GET" ? 200 : 201,
        headers: { get: () => null },
        text: async () => JSON.stringify(json)
      }
    }
    const globals = {
      fetch,
      crypto: { getRandomValues: (bytes: Uint8Array) => bytes.fill(7) },
      setTimeout,
      clearTimeout
    }
    const storage = memoryStorage()
    const status = await run(
      `(async () => {
        const one = await tracker.createTracker({ url: "https://sojourn.example/", token: async () => "token", storage })
        await one.enter({ placeId: 7 })
        await one.flush()
        return JSON.stringify(one.status())
      })()`,
      { ...globals, storage }
    )
    assert.deepInclude(JSON.parse(status), { waiting: 0, refused: [], stale: false })
    assert.deepStrictEqual(requests, [
      "GET https://sojourn.example/health/live",
      "POST https://sojourn.example/movement/track/place"
    ])
  })
})
