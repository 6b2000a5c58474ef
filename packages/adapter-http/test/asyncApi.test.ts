/** The AsyncAPI document of the presence stream against the published JSON schema of AsyncAPI 3, and against the definition. */
import asyncApiSchemas from "@asyncapi/specs"
import { assert, describe, it } from "@effect/vitest"
import { SojournApi } from "@sojourn/adapter-http/api"
import * as OpenApi from "effect/http-api/OpenApi"
import { compose } from "./composed.ts"
import { validatorOf } from "./validator.ts"

const openApi = OpenApi.fromApi(SojournApi) as any
const { baseUrl } = await compose()
const response = await fetch(`${baseUrl}/asyncapi.json`)
const document = (await response.json()) as any

describe("the AsyncAPI document that a server serves", () => {
  it("is valid by the published schema of version 3.0.0", () => {
    // The bundle brings the schema of JSON Schema itself, which Ajv has already.
    const { definitions, ...schema } = asyncApiSchemas.schemas["3.0.0"] as any
    const { "http://json-schema.org/draft-07/schema": _, ...others } = definitions
    const validate = validatorOf({ schema: { ...schema, definitions: others } }, "draft-07")
    assert.strictEqual(validate("#/schema", document), "")
    assert.notStrictEqual(validate("#/schema", { ...document, channels: [] }), "")
  })

  it("has the messages of the stream, each with the schema of its data in the OpenAPI document", () => {
    const members: ReadonlyArray<any> = openApi.components.schemas.PresenceMessage.anyOf
    assert.sameMembers(
      Object.keys(document.components.messages),
      members.map(({ properties }) => properties.event.enum[0])
    )
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      assert.deepStrictEqual(schema, openApi.components.schemas[name])
    }
  })

  it("has an example of each message that is of its schema", () => {
    const validate = validatorOf(document, "draft-07")
    for (const { name, examples } of Object.values<any>(document.components.messages)) {
      for (const part of ["payload", "headers"]) {
        assert.strictEqual(validate(`#/components/messages/${name}/${part}`, examples[0][part]), "", name)
      }
    }
  })

  it("refers to nothing that is not there", () => {
    for (const [, pointer] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const found = pointer!.split("/").reduce<any>((json, member) => json?.[member], document)
      assert.isDefined(found, pointer)
    }
  })
})
