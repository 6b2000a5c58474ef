/** The OpenAPI document against the table of endpoints and statuses of the interface and the table of extensions. */
import { assert, describe, it } from "@effect/vitest"
import { SojournApi } from "@sojourn/adapter-http/api"
import { WebhookEventType } from "@sojourn/core"
import * as OpenApi from "effect/http-api/OpenApi"
import { meaningOf, PROBLEM_URIS, type ProblemKind, PROBLEMS } from "../src/api/shared/problems.ts"
import { validatorOf } from "./validator.ts"

const document = OpenApi.fromApi(SojournApi) as any

/** The 28 endpoints of the interface, with the statuses that it documents for each. */
const INTERFACE: ReadonlyArray<readonly [method: string, path: string, statuses: string]> = [
  ["get", "/organization/{organizationId}", "200 401 403 404"],
  ["get", "/organization", "200 204 401 403"],
  ["post", "/organization/requestdeletion", "204 401 403 404"],
  ["put", "/organization", "200 400 401 403 404"],
  ["patch", "/organization/{organizationId}/trackingArea", "200 400 401 403 404"],
  ["post", "/administrator/bindadministrator", "201 400 401 403 404"],
  ["post", "/administrator/createadministrator", "201 400 401 403 404"],
  ["get", "/administrator/organization/{organizationId}", "200 401 403 404"],
  ["get", "/administrator/permission/{administratorId}", "200 204 401 403"],
  ["post", "/administrator/unbindadministrator", "204 401 403 404"],
  ["patch", "/administrator/updatepermission", "201 400 401 403 404"],
  ["get", "/access/organization/{organizationId}/anonymous/{exitTokens}", "200 204 401 403"],
  ["get", "/access/place/{placeId}/anonymous/{exitTokens}", "200 204 401 403"],
  ["get", "/access/organization/{organizationId}/authenticated/{orgAuthServerIds}", "200 204 401 403"],
  ["get", "/access/place/{placeId}/authenticated/{orgAuthServerIds}", "200 204 401 403"],
  ["post", "/place", "201 400 401 403"],
  ["delete", "/place/{placeId}", "205 401 403 404"],
  ["get", "/place/organization/{organizationId}", "200 204 401 403"],
  ["put", "/place", "200 400 401 403 404"],
  ["post", "/favorite/addfavorite", "201 400 401 403 404"],
  ["get", "/favorite/{userId}", "200 204 400 401 403"],
  ["post", "/favorite/removefavorite", "205 401 403 404"],
  ["post", "/movement/track/organization", "201 202 400 401 403"],
  ["post", "/movement/track/place", "201 202 400 401 403"],
  ["get", "/presence/organization/{organizationId}/counter", "200 401 403 404"],
  ["get", "/presence/place/{placeId}/counter", "200 401 403 404"],
  ["post", "/authenticationserver/userinformation", "200 204 400 401 403 404 502 504"],
  ["get", "/report/place/{placeId}", "200 204 401 403 404"]
]

/** What any endpoint may answer besides (spec: http#statuses). */
const EVERYWHERE = ["400", "405", "413", "414", "415", "429", "431", "500", "503"]

/** What an extension adds to an endpoint of the interface. */
const ADDED: Readonly<Record<string, ReadonlyArray<string>>> = {
  // Other places are parts of the place.
  "delete /place/{placeId}": ["409"]
}

const IMAGES = ["image/png", "image/jpeg", "image/webp"]

/** The media types of bodies that are not JSON. */
const BODIES: Readonly<Record<string, ReadonlyArray<string>>> = {
  "patch /organization/{organizationId}/trackingArea": ["application/x-www-form-urlencoded"],
  "post /authentication/token": ["application/x-www-form-urlencoded"],
  "post /import/organization/{organizationId}/places": ["application/geo+json", "application/json"],
  "post /operator/organization/{organizationId}/import/accesses": ["application/x-ndjson", "text/csv"],
  "put /floorplan/organization/{organizationId}": IMAGES
}

/** The media types of successes that are not JSON alone. */
const SUCCESSES: Readonly<Record<string, ReadonlyArray<string>>> = {
  "get /audit/organization/{organizationId}": ["application/json", "text/csv"],
  "get /muster/{musterId}": ["application/json", "text/csv"],
  "get /operator/audit": ["application/json", "text/csv"],
  "get /record/organization/{organizationId}/access": ["application/json", "text/csv"],
  "get /record/place/{placeId}/access": ["application/json", "text/csv"],
  "get /presence/stream": ["text/event-stream"],
  "get /floorplan/organization/{organizationId}": IMAGES
}

const operations = (): ReadonlyArray<readonly [string, string, any]> =>
  Object.entries<any>(document.paths).flatMap(([path, item]) =>
    Object.entries<any>(item).map(([method, operation]) => [method, path, operation] as const)
  )
const isExtension = ({ tags = [], summary = "" }: any): boolean => /extension/i.test(JSON.stringify([tags, summary]))

describe("the OpenAPI document", () => {
  it("is of version 3.1", () => {
    assert.match(document.openapi, /^3\.1\./)
    assert.strictEqual(document.info.title, "Sojourn")
  })

  it.each(INTERFACE)("%s %s is there, with the statuses of the interface", (method, path, statuses) => {
    const operation = document.paths[path]?.[method]
    assert.isDefined(operation)
    const declared = Object.keys(operation.responses)
    for (const status of statuses.split(" ")) assert.include(declared, status)
    const added = ADDED[`${method} ${path}`] ?? []
    for (const status of declared) assert.include([...statuses.split(" "), ...added, ...EVERYWHERE, "default"], status)
    assert.isFalse(isExtension(operation), "an endpoint of the interface is no extension")
  })

  it("says of every other endpoint, by its tag or its summary, that it is an extension", () => {
    const known = INTERFACE.map(([method, path]) => `${method} ${path}`)
    for (const [method, path, operation] of operations()) {
      if (!known.includes(`${method} ${path}`)) assert.isTrue(isExtension(operation), `${method} ${path}`)
    }
  })

  it("asks for bearer credentials wherever 401 is an answer, and nowhere else", () => {
    assert.match(JSON.stringify(document.components.securitySchemes), /"scheme":"bearer"/i)
    for (const [method, path, operation] of operations()) {
      const asks = (operation.security ?? []).length > 0
      assert.strictEqual(asks, "401" in operation.responses, `${method} ${path}`)
    }
  })

  it("gives every operation an id of its own and every parameter of a path a name", () => {
    const ids = operations().map(([, , operation]) => operation.operationId)
    assert.strictEqual(new Set(ids).size, ids.length)
    for (const [method, path, operation] of operations()) {
      const named = (operation.parameters ?? []).filter((one: any) => one.in === "path").map((one: any) => one.name)
      assert.sameMembers(
        named,
        [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!),
        `${method} ${path}`
      )
    }
  })

  it("takes JSON, except for forms and images", () => {
    for (const [method, path, operation] of operations()) {
      if (operation.requestBody === undefined) continue
      const types = Object.keys(operation.requestBody.content)
      assert.deepStrictEqual(types, BODIES[`${method} ${path}`] ?? ["application/json"], `${method} ${path}`)
    }
  })

  it("declares no body for 204, 205 and each refusal, and a problem as the default", () => {
    const problem = { schema: { $ref: "#/components/schemas/Problem" } }
    for (const [method, path, operation] of operations()) {
      const { default: byDefault, ...responses } = operation.responses
      const refuses = Object.keys(responses).some((status) => Number(status) >= 400)
      assert.deepStrictEqual(byDefault?.content, refuses ? { "application/problem+json": problem } : undefined)
      for (const [status, response] of Object.entries<any>(responses)) {
        const isEmpty = status === "204" || status === "205" || Number(status) >= 400
        const types = isEmpty ? undefined : (SUCCESSES[`${method} ${path}`] ?? ["application/json"])
        assert.deepStrictEqual(response.content && Object.keys(response.content), types, `${method} ${path} ${status}`)
      }
    }
  })

  it("lists every kind of problem with its status and meaning, and the type of each is a URI of its own", () => {
    const listed = document.components.schemas.Problem["x-problem-types"]
    const kinds = Object.entries(PROBLEMS)
    assert.deepStrictEqual(
      Object.values(listed),
      kinds.map(([kind, [status]]) => ({ status, meaning: meaningOf(kind as ProblemKind) }))
    )
    assert.sameMembers(Object.keys(listed), Object.values(PROBLEM_URIS))
    for (const type of Object.keys(listed)) assert.match(type, /^urn:sojourn:problem:[a-z]+(-[a-z]+)*$/)
    assert.strictEqual(Object.keys(listed).length, kinds.length)
  })

  it("has an example of every schema, which is of the schema", () => {
    const validate = validatorOf(document, "2020-12")
    for (const [name, { examples }] of Object.entries<any>(document.components.schemas)) {
      assert.isNotEmpty(examples, name)
      for (const example of examples) assert.strictEqual(validate(`#/components/schemas/${name}`, example), "", name)
    }
    assert.notStrictEqual(validate("#/components/schemas/Favorite", {}), "")
  })

  it("says of every time that it is a date-time, also where it may be left out", () => {
    const times: Array<string> = []
    const isTime = /Timestamp$|Date$|^(at|from|to|since|time|timestamp|startedAt|endedAt|markedAt|usedAt)$/
    const texts = (schema: any): ReadonlyArray<any> => {
      const members = schema.anyOf ?? [schema]
      // What may also be a number, as before and after a change, is no time.
      return members.some(({ type }: any) => type === "number")
        ? []
        : members.filter(({ type }: any) => type === "string")
    }
    const visit = (json: any) => {
      if (typeof json !== "object" || json === null) return
      const named = Object.entries<any>(json.properties ?? {})
      if (json.in === "query") named.push([json.name, json.schema])
      for (const [name, schema] of named) {
        if (!isTime.test(name)) continue
        for (const text of texts(schema)) times.push(`${name} ${text.format}`)
      }
      for (const member of Object.values(json)) visit(member)
    }
    visit(document.components.schemas)
    visit(document.paths)
    assert.isAbove(times.length, 40)
    for (const time of times) assert.match(time, / date-time$/)
    const { anyOf } = document.components.schemas.OrganizationMovementEntrance.properties.timestamp
    assert.deepStrictEqual(anyOf, [{ type: "string", format: "date-time" }, { type: "null" }])
  })

  it("says that ids have 64 bits, and that levels and movements are integers", () => {
    const { Place, Permission, OrganizationEntrance } = document.components.schemas
    assert.deepInclude(Place.properties.id, { type: "integer", format: "int64" })
    assert.strictEqual(Permission.properties.permission.anyOf[0].type, "integer")
    assert.deepInclude(OrganizationEntrance.properties.movementType, { type: "integer", enum: [1] })
  })

  it("has a webhook for each type of event, and for a test", () => {
    assert.sameMembers(Object.keys(document.webhooks), [...WebhookEventType.literals, "webhook.test"])
    for (const [type, { post }] of Object.entries<any>(document.webhooks)) {
      const { $ref } = post.requestBody.content["application/json"].schema
      const { properties, examples } = document.components.schemas[$ref.slice("#/components/schemas/".length)]
      assert.deepStrictEqual(properties.type.enum, [type])
      assert.strictEqual(examples[0].type, type)
      assert.deepStrictEqual(
        post.parameters.map(({ name }: any) => name),
        ["webhook-id", "webhook-timestamp", "webhook-signature"]
      )
    }
  })

  it("every reference leads somewhere", () => {
    const text = JSON.stringify(document)
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      assert.property(document.components.schemas, name!)
    }
  })

  it("an Organization has the fields of the specification", () => {
    const { properties, required } = document.components.schemas.Organization
    const names = `id name description image street number postCode city country
      authenticationServerURL creationDate lastChangeDate trackingArea trackingMode timeZone`
    assert.sameMembers(Object.keys(properties), names.split(/\s+/))
    assert.sameMembers(required, ["id", "name", "creationDate", "lastChangeDate", "trackingArea", "trackingMode"])
  })
})
