/** The configuration file of `--config`. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { expect } from "vitest"
import { temporaryFolder, writerIn } from "./folders.ts"
import { nearest, parseConfiguration, schemaOf, type Setting, settings } from "../src/commands/configuration.ts"
import { expectRefusal } from "./refusal.ts"
import { runHere } from "./runHere.ts"
import { programIn } from "./faults/SojournProcess.ts"

const folder = temporaryFolder()
const write = writerIn(folder)

const KNOWN: ReadonlyArray<Setting> = [
  { name: "port", type: "string", description: "" },
  { name: "demo", type: "boolean", description: "" },
  { name: "trace-sample", type: "number", description: "" },
  { name: "log-format", type: "choice", description: "(choices: json, pretty)" },
  { name: "cors-origin", type: "list", description: "" },
  { name: "database-url", type: "secret", description: "" }
]

describe("a configuration file", () => {
  it.effect("holds values by the names of flags", () =>
    Effect.gen(function* () {
      const content = {
        $schema: "x",
        port: 9000,
        demo: true,
        "trace-sample": 0.5,
        "log-format": "json",
        "cors-origin": ["https://a.example", "https://b.example"],
        "database-url-file": "/run/secrets/url"
      }
      assert.deepStrictEqual(yield* parseConfiguration("f", JSON.stringify(content), KNOWN), {
        SOJOURN_PORT: "9000",
        SOJOURN_DEMO: "true",
        SOJOURN_TRACE_SAMPLE: "0.5",
        SOJOURN_LOG_FORMAT: "json",
        SOJOURN_CORS_ORIGIN: "https://a.example,https://b.example",
        SOJOURN_DATABASE_URL_FILE: "/run/secrets/url"
      })
    })
  )

  it.effect.each([
    ["{", "f: this is not JSON"],
    ["[]", "f: this is no object"],
    ['{"prot":1}', 'f: there is no key "prot"; did you mean port?'],
    ['{"databaseUrl":""}', 'f: there is no key "databaseUrl"; did you mean database-url?'],
    ['{"port":null}', "f: port is a text or a number"],
    ['{"demo":"true"}', "f: demo is true or false"],
    ['{"trace-sample":"1"}', "f: trace-sample is a number"],
    ['{"cors-origin":[1]}', "f: cors-origin is a text or a list of texts"],
    ['{"log-format":1}', "f: log-format is one of its words"]
  ] as const)("is refused: %s", ([text, message]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(parseConfiguration("f", text, KNOWN))).message, message)
    })
  )

  it("suggests the nearest name for an unknown one", () => {
    assert.strictEqual(nearest("max-conections", ["max-in-flight", "max-connections", "host"]), "max-connections")
  })

  it.effect("has the published schema, which is made of the flags: `vitest run -u` renews it", () =>
    Effect.gen(function* () {
      const schema = JSON.stringify(schemaOf(yield* settings), null, 2)
      yield* Effect.promise(() => expect(`${schema}\n`).toMatchFileSnapshot("../sojourn.schema.json"))
    }).pipe(Effect.provide(NodeServices.layer))
  )
})

describe("serve --config", () => {
  const data = join(folder, "data")

  it("is overruled by variables, and these by flags", async () => {
    const key = write("key", `1:${"A".repeat(43)}\n`)
    const config = write("good.json", {
      storage: "memory",
      port: "from the file",
      data,
      "log-level": "error",
      "token-keys-file": key
    })
    const fromFile = await runHere(["serve", "--config", config])
    expect(fromFile.err).toBe("sojourn: --port is a port, a whole number from 0 (a free one) to 65535: from the file\n")

    const env = { SOJOURN_PORT: "from the variable" }
    const fromVariable = await runHere(["serve", `--config=${config}`], env)
    const server = programIn(env, "serve", "--config", config, "--port", "0")
    expect(fromVariable.err).toMatch(/: from the variable$/m)
    await server.listening
    const { code, err } = await server.end()
    // The level of the log is the file's.
    expect([code, err]).toEqual([0, "storage in memory: everything is forgotten when the server ends\n"])
  })

  it.each([
    ["a file that is not there", ["--config", join(folder, "none.json")], /configuration file .* cannot be read/],
    [
      "an unknown key",
      ["--config", write("unknown.json", { strage: "memory" })],
      /no key "strage"; did you mean storage\?/
    ],
    [
      "a value that the flag refuses, which is named with the file",
      ["--config", write("value.json", { "request-log": "some" })],
      /Invalid value for request-log in .*value\.json/
    ],
    [
      "the file of a secret that is not there",
      ["--config", write("secret.json", { "database-url-file": join(folder, "none") })],
      /the file of database-url .* cannot be read/
    ]
  ])("is refused with one line: %s", async (_, args, line) => {
    expectRefusal(await runHere(["serve", "--data", data, ...args]), line)
  })
})
