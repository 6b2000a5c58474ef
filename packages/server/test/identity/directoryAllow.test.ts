/** The effect of `--directory-allow` on directories that owners set, and the warnings at the start without it and `--webhook-allow`. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { program } from "./Program.ts"
import { startTown, type Town, want } from "./Town.ts"

describe("a server at its start", () => {
  const data = mkdtempSync(join(tmpdir(), "sojourn-directories-"))
  afterAll(() => rmSync(data, { recursive: true, force: true }))

  const saidAtStart = async (...flags: ReadonlyArray<string>) => {
    const server = program("serve", "--port", "0", "--storage", "memory", "--data", data, ...flags)
    await server.listening
    const { out, err } = await server.end()
    return `${out}${err}`
  }

  it("warns of private networks when it listens beyond loopback without --directory-allow or --webhook-allow", async () => {
    const everywhere = ["--host", "0.0.0.0"]
    const [directories, webhooks] = ["--directory-allow", "--webhook-allow"]
    const warned = async (...flags: ReadonlyArray<string>) =>
      (await saidAtStart(...flags)).match(/no --(?:directory|webhook)-allow/g) ?? []
    expect(await warned(...everywhere)).toEqual([`no ${directories}`, `no ${webhooks}`])
    expect(await warned()).toEqual([])
    expect(await warned(...everywhere, directories, "none")).toEqual([`no ${webhooks}`])
    expect(await warned(...everywhere, webhooks, "https://hooks.example.org")).toEqual([`no ${directories}`])
  })

  it("refuses `none` together with servers", async () => {
    const { code, err } = await program("serve", "--port", "0", "--directory-allow", "none,ldaps://x.test").ended
    expect([code, err.trim()]).toEqual([1, "sojourn: --directory-allow: none excludes other entries"])
  })
})

describe("with `--directory-allow none`", () => {
  let town: Town
  beforeAll(async () => {
    town = await startTown({ directories: ["none"] })
  })
  afterAll(() => town?.stop())

  it("any directory that an owner sets is refused with 400, and an organization without one works", async () => {
    const id = await town.organization()
    for (const authenticationServerURL of ["ldaps://ldap.example.org", "ldaps://10.0.0.1", "ldap.example.org"]) {
      want(await town.call(town.owner, "PUT", "/organization", { id, authenticationServerURL }), 400)
    }
    want(await town.enter(await town.user(), "organization", id), 201)
  })
})

describe("an id attribute with secret values", () => {
  let town: Town
  beforeAll(async () => {
    town = await startTown({})
  })
  afterAll(() => town?.stop())

  it("is refused with 400, and the organization is unchanged", async () => {
    const url = "ldaps://ldap.example.org/dc=example"
    const id = await town.organization(`${url}?uid`)
    for (const attribute of ["userPassword", "UNICODEPWD", "2.5.4.35"]) {
      want(
        await town.call(town.owner, "PUT", "/organization", { id, authenticationServerURL: `${url}?${attribute}` }),
        400
      )
    }
    const kept = want(await town.call(town.owner, "GET", `/organization/${id}`), 200)
    expect(kept.json.authenticationServerURL).toBe(`${url}?uid`)
  })
})
