/** Files that break off: a client never takes a part of one for the whole. */
import { assert, describe, it } from "@effect/vitest"
import type { OrgAuthServerId } from "@sojourn/core"
import { Effect, Redacted } from "effect"
import { once } from "node:events"
import http, { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { HttpBody } from "effect/http"
import { attachment, csvFile } from "../src/handlers/shared/csv.ts"
import { writeStream } from "../src/pipeline/nodeAnswer.ts"
import { AREA, compose, DIRECTORY } from "./composed.ts"

/** More than a file is read by at once, and a client is ahead. */
const ACCESSES = 800

const [OPERATOR, OWNER, VIEWER, ADA] = ["operator:op", "administrator:owner", "administrator:viewer", "user:ada"]

const aHistory = async () => {
  const person = { name: "Ada", surname: "Lovelace", password: Redacted.make("word") }
  const directories = new Map([[DIRECTORY, new Map([["ada" as OrgAuthServerId, person]])]])
  const server = await compose({ directories })
  const want = async (status: number, ...[token, method, path, body]: Parameters<typeof server.call>) => {
    const answer = await server.call(token, method, path, body)
    assert.strictEqual(answer.status, status, `${method} ${path} ${answer.text}`)
    return answer.json
  }
  const { id: organizationId } = await want(201, OPERATOR, "POST", "/operator/organization", {
    name: "Works",
    trackingArea: AREA,
    trackingMode: "authenticated",
    authenticationServerURL: DIRECTORY,
    owner: { administratorId: "owner", mail: "owner@example.test" }
  })
  await want(200, VIEWER, "GET", "/administrator/permission/viewer").catch(() => {})
  const binding = { organizationId, administratorId: "viewer", permission: 1 }
  await want(201, OWNER, "POST", "/administrator/bindadministrator", binding)
  await want(201, ADA, "POST", "/authenticationserver/link", { organizationId, username: "ada", password: "word" })
  for (let nth = 0; nth < ACCESSES; nth++) {
    const move = (movement: object) => ({ organizationId, ...movement })
    const { exitToken } = await want(201, ADA, "POST", "/movement/track/organization", move({ movementType: 1 }))
    await want(202, ADA, "POST", "/movement/track/organization", move({ movementType: -1, exitToken }))
  }
  const [from, to] = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString())
  return {
    unbind: () => want(204, OWNER, "POST", "/administrator/unbindadministrator", binding),
    read: async () => {
      const url = `${server.baseUrl}/record/organization/${organizationId}/access?from=${from}&to=${to}`
      const headers = { authorization: `Bearer ${VIEWER}`, accept: "text/csv" }
      const response = await server.fetchHere(new Request(url, { headers }))
      assert.strictEqual(response.status, 200)
      return response.body!.getReader()
    }
  }
}

describe("a file of accesses", () => {
  it.live("is read part by part, and breaks off with the permission of its reader", () =>
    Effect.promise(async () => {
      const { read, unbind } = await aHistory()
      let lines = 0
      const reader = await read()
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        for (const byte of part.value) if (byte === 10) lines++
      }
      assert.strictEqual(lines, 1 + ACCESSES)

      const withdrawn = await read()
      await withdrawn.read()
      await unbind()
      const rest = async () => {
        while (!(await withdrawn.read()).done);
      }
      assert.strictEqual(
        await rest().then(
          () => "whole",
          () => "broken off"
        ),
        "broken off"
      )
    })
  )

  it.live("closes the connection where a part cannot be read", () =>
    Effect.promise(async () => {
      const next = Effect.andThen(Effect.sleep("20 millis"), Effect.fail("gone"))
      const file = csvFile(
        "attachment",
        { header: "id\r\n", line: (id, write) => write(`${id}\r\n`) },
        { rows: [1], next }
      )
      const server = createServer((_, response: ServerResponse) => {
        response.writeHead(200)
        void Effect.runPromiseExit(writeStream(response, (file.body as HttpBody.Stream).stream))
      }).listen(0, "127.0.0.1")
      await once(server, "listening")
      const { port } = server.address() as AddressInfo
      const heard = await new Promise<readonly [text: string, isWhole: boolean]>((resolve) => {
        http.get({ port, host: "127.0.0.1", agent: false }, (response) => {
          let text = ""
          response.on("data", (chunk) => (text += String(chunk)))
          response.on("error", () => {}).on("close", () => resolve([text, response.complete]))
        })
      })
      assert.deepStrictEqual(heard, ["id\r\n1\r\n", false])
      server.close()
    })
  )
})

describe("the name of a file", () => {
  it.each([
    [["Rathaus", "2026"], `attachment; filename="Rathaus_2026.csv"; filename*=UTF-8''Rathaus%202026.csv`],
    [["Zürich"], `attachment; filename="Zurich.csv"; filename*=UTF-8''Z%C3%BCrich.csv`],
    [['a"b\\c/d'], `attachment; filename="a_b_c_d.csv"; filename*=UTF-8''a_b_c_d.csv`],
    [["a\r\nSet-Cookie: x"], `attachment; filename="a_Set-Cookie__x.csv"; filename*=UTF-8''a_Set-Cookie_%20x.csv`],
    [["it's (a) *"], `attachment; filename="it_s_a__.csv"; filename*=UTF-8''it%27s%20%28a%29%20_.csv`],
    [["\u202egpj"], `attachment; filename="_gpj.csv"; filename*=UTF-8''_gpj.csv`],
    [["日本"], `attachment; filename="_.csv"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.csv`],
    [["\ud800"], `attachment; filename="_.csv"; filename*=UTF-8''_.csv`]
  ])("of %j is ASCII, and as it is beside", (parts, disposition) => {
    assert.strictEqual(attachment(parts, "csv"), disposition)
  })

  it("has at most 48 characters of each part", () => {
    assert.include(attachment(["😀".repeat(100)], "csv"), `''${encodeURIComponent("😀".repeat(48))}.csv`)
  })
})
