/** The settings of the administrators' page: from flags, and from the file of `--issuers`. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { pageOf } from "../src/commands/page.ts"
import { issuersIn } from "../src/identity/issuers.ts"
import { temporaryFolder, writerIn } from "./folders.ts"

const write = writerIn(temporaryFolder())

const USUAL = { noPage: false, pageClientId: "", pageTiles: "", pageTilesAttribution: "", issuer: "", demo: false }
const TILES = "https://tiles.example.org/{z}/{x}/{y}.png"
const ISSUER = "https://id.example.org/"
const PROVING = [{ issuer: ISSUER, audience: "sojourn" }]

describe("the flags of the page", () => {
  it.effect("choose its issuers and its base map, or no page", () =>
    Effect.gen(function* () {
      const signIns = [{ issuer: ISSUER, clientId: "of-the-file" }]
      assert.deepStrictEqual(yield* pageOf(USUAL, { signIns: [], others: PROVING }), {})
      assert.deepStrictEqual(yield* pageOf(USUAL, { signIns, others: PROVING }), { issuers: signIns })
      assert.deepStrictEqual(
        yield* pageOf({ ...USUAL, issuer: ISSUER, pageClientId: "page" }, { signIns: [], others: PROVING }),
        {
          issuers: [{ issuer: ISSUER, clientId: "page" }]
        }
      )
      assert.deepStrictEqual(
        yield* pageOf({ ...USUAL, pageTiles: TILES, pageTilesAttribution: "Us" }, { signIns: [], others: PROVING }),
        {
          baseMap: { url: TILES, attribution: "Us" }
        }
      )
      assert.deepStrictEqual(yield* pageOf({ ...USUAL, demo: true }, { signIns: [], others: PROVING }), {
        keepLinks: true
      })
      assert.isFalse(yield* pageOf({ ...USUAL, noPage: true, pageTiles: TILES }, { signIns, others: PROVING }))
    })
  )

  it.effect("say where no issuer proves mail addresses", () =>
    Effect.gen(function* () {
      const [issuer] = PROVING
      for (const others of [[], [{ ...issuer!, mail: false as const }]])
        assert.deepStrictEqual(yield* pageOf(USUAL, { signIns: [], others }), { provesMail: false })
    })
  )

  it.effect.each([
    ["--page-client-id", { pageClientId: "page" }],
    ["--page-tiles-attribution", { pageTilesAttribution: "Us" }],
    ["--page-tiles", { pageTiles: "https://tiles.example.org/map.png" }],
    ["--page-tiles", { pageTiles: "http://tiles.example.org/{z}/{x}/{y}.png" }],
    ["--page-tiles", { pageTiles: "https://{s}.tiles.example.org/{z}/{x}/{y}.png" }]
  ] as const)("refuse what does not fit, naming the flag: %s %o", ([flag, flags]) =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(pageOf({ ...USUAL, ...flags }, { signIns: [], others: PROVING }))
      assert.isTrue(message.startsWith(flag), message)
    })
  )
})

describe("the member page of an issuer in --issuers", () => {
  const issuersOf = (json: unknown) => issuersIn(write("issuers.json", json))
  const entry = { issuer: ISSUER, audience: "sojourn" }
  const page = { clientId: "page", scope: "openid api", parameters: { resource: "urn:sojourn" } }

  it.effect("makes the issuer one that the page signs in with", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* issuersOf([entry, { ...entry, audience: "web", page }]), {
        others: [entry, { ...entry, audience: "web" }],
        signIns: [{ issuer: ISSUER, ...page }]
      })
      assert.deepStrictEqual(yield* issuersOf(entry), { others: [entry], signIns: [] })
    })
  )

  it.effect.each([
    { page: {} },
    { page: { clientId: "page", secret: "never" } },
    { page: { clientId: "page", scope: "profile" } },
    { page: { clientId: "page", tokenEndpoint: "http://id.example.org/token" } },
    { pages: page }
  ])("is refused when it is not what it has to be: %o", (wrong) =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(issuersOf({ ...entry, ...wrong }))
      assert.match(message, /^--issuers: \S+issuers\.json: /)
    })
  )

  it.effect("is of one entry of an issuer", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(
        issuersOf([
          { ...entry, page },
          { ...entry, audience: "web", page }
        ])
      )
      assert.include(message, "two entries")
    })
  )
})
