/** Clients that are generated from `/openapi.json`, in TypeScript and Python, against the server. */
import { describe, expect, it } from "vitest"
import { missing, runPython } from "./clients/python.ts"
import { runTyped } from "./clients/typescript.ts"
import { makeFixtures, NOWHERE, unique, want } from "./fixtures.ts"
import { sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const { get, owner, organization } = makeFixtures(sojourn)
const document = want(await get(undefined, "/openapi.json"), 200).json
const env = { BASE_URL: sojourn.baseUrl, OWNER: await owner.token }

describe("openapi-fetch with the types of openapi-typescript", () => {
  const program = `
    import createClient from "openapi-fetch"
    import type { components, paths } from "./schema.ts"

    const { BASE_URL, OWNER, ID } = process.env
    const authorization = "Bearer " + OWNER
    const accept = "application/json, application/problem+json"
    const client = createClient<paths>({ baseUrl: BASE_URL!, headers: { authorization, accept } })
    const plain = createClient<paths>({ baseUrl: BASE_URL!, headers: { authorization } })
    const read = (from: typeof client, organizationId: string) =>
      from.GET("/organization/{organizationId}", { params: { path: { organizationId } } })

    const found = await read(client, ID!)
    const missing = await read(client, "${NOWHERE}")
    const empty = await read(plain, "${NOWHERE}")
    const organization: components["schemas"]["Organization"] | undefined = found.data
    const problem: components["schemas"]["Problem"] | undefined = missing.error
    // @ts-expect-error A problem has no such member.
    missing.error?.nothing
    console.log(JSON.stringify({ organization, problem, error: found.error, empty: [empty.data, empty.error] }))
  `

  it("has the data of a success, and the problem of a refusal as its error", async () => {
    const { id, name } = await organization()
    const { problem, ...rest } = await runTyped(document, program, { ...env, ID: String(id) })
    expect(rest).toEqual({ organization: expect.objectContaining({ id, name }), empty: [null, null] })
    expect(problem).toEqual({
      type: "urn:sojourn:problem:organization-not-found",
      title: "Not Found",
      status: 404,
      detail: "There is no such organization."
    })
  })

  it("finds no content declared for what is answered without it, where it does not ask for problems", () => {
    expect(document.paths["/organization/{organizationId}"].get.responses["404"]).not.toHaveProperty("content")
  })
})

describe.skipIf(missing !== undefined)("Python with the types of quicktype", () => {
  it("reads every schema's example, tracks a person, and gets problems as exceptions", async () => {
    const { places, unlike, missing, malformed, ...rest } = await runPython(document, "program.py", {
      ...env,
      OPERATOR: await sojourn.operator().token,
      USER: await sojourn.user(unique("phone")).token,
      OWNER_ID: owner.id,
      OWNER_MAIL: owner.mail,
      NAME: unique("Python")
    })
    expect(unlike).toEqual([])
    expect(places).toBeNull()
    expect(rest).toEqual({
      inside: 1,
      types: ["OrganizationEntrance", "OrganizationExit", "OrganizationAccess", "PresenceHistoryRow"],
      stayed: true
    })
    expect(missing).toMatchObject({ type: "urn:sojourn:problem:organization-not-found", status: 404 })
    expect(malformed).toMatchObject({ type: "urn:sojourn:problem:malformed-request", status: 400 })
  })
})
