/** The compiled JSON encoders write the same text as the schema and `JSON.stringify`, for generated answers of every endpoint. */
import { assert, describe, it } from "@effect/vitest"
import { SojournApi } from "@sojourn/adapter-http"
import { anyOf, integer, text, timestamp } from "@sojourn/testing"
import { Arbitrary, Schema, type SchemaAST } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { compileSuccessEncoder } from "../src/pipeline/endpoint.ts"
import { compileJsonEncoder, NotEncodable } from "../src/wire/shared/jsonEncoder.ts"

/** Values of the type side of a schema, as handlers answer them. */
const valuesOf = (ast: SchemaAST.AST): Arbitrary.Arbitrary<unknown> => {
  switch (ast._tag) {
    case "String":
      return text(0, 12)
    case "Number":
      return integer(0, 2 ** 31)
    case "BigInt":
      return Arbitrary.map(integer(1, 2 ** 53 - 1), BigInt)
    case "Boolean":
      return anyOf([true, false])
    case "Literal":
      return Arbitrary.Constant(ast.literal)
    case "Null":
      return Arbitrary.Constant(null)
    case "Undefined":
    case "Void":
      return Arbitrary.Constant(undefined)
    // The one type of its own that answers have is the timestamp.
    case "Declaration":
      return timestamp
    case "Union": {
      const members = ast.types.map(valuesOf)
      return Arbitrary.flatMap(integer(0, members.length - 1), (nth) => members[nth]!)
    }
    case "Arrays":
      return Arbitrary.array(valuesOf(ast.rest[0]!), { maxLength: 3 })
    case "Objects":
      return Arbitrary.all(
        Object.fromEntries(ast.propertySignatures.map(({ name, type }) => [name as string, valuesOf(type)]))
      )
    default:
      throw new TypeError(`no values of ${ast._tag}`)
  }
}

const endpoints: Array<readonly [name: string, successes: ReadonlyArray<Schema.Codec<unknown>>]> = []
HttpApi.reflect(SojournApi, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, group }) =>
    endpoints.push([
      `${group.identifier}.${endpoint.identifier}`,
      [...endpoint.success] as unknown as ReadonlyArray<Schema.Codec<unknown>>
    ])
})

const hasBody = ({ ast }: Schema.Codec<unknown>) => ast._tag !== "Undefined" && ast._tag !== "Void"

describe("the compiled encoder of every endpoint's answers", () => {
  for (const [name, successes] of endpoints) {
    const encode = compileSuccessEncoder(successes)
    for (const schema of successes) {
      it.prop(
        `${name}, ${schema.ast._tag}: writes letter by letter what its schema and JSON.stringify write`,
        { value: valuesOf(schema.ast) },
        ({ value }) => {
          // Checks, as of the one form of a data subject, are the schema's alone.
          const own = Schema.encodeUnknownOption(schema)(value)
          if (own._tag === "None") return
          assert.strictEqual(encode(value).json, hasBody(schema) ? JSON.stringify(own.value) : undefined)
        },
        { arbitrary: { runs: 40 } }
      )
    }
  }

  it("knows every endpoint", () => assert.isAtLeast(endpoints.length, 44))
})

describe("a value that the schema does not describe", () => {
  const Person = Schema.Struct({ name: Schema.String, age: Schema.Int, friends: Schema.Array(Schema.String) })
  const encode = compileJsonEncoder(Person)

  it.each([
    [{ name: { canary: "of somebody" }, age: 1, friends: [] }, "name"],
    [{ name: "ada", age: Number.NaN, friends: [] }, "age"],
    [{ name: "ada", age: 1, friends: ["alan", undefined] }, "friends[]"],
    [{ name: "ada", age: 1 }, "friends"],
    [undefined, "its root"]
  ])("is not encoded: %j", (value, place) => {
    let thrown: unknown
    try {
      encode(value)
    } catch (error) {
      thrown = error
    }
    assert.instanceOf(thrown, NotEncodable)
    assert.strictEqual((thrown as Error).message, `an answer cannot be encoded at ${place}`)
  })

  it("is no success of an endpoint that has several", () => {
    const List = Schema.Array(Schema.String)
    const success = compileSuccessEncoder([List, Schema.Undefined])
    assert.deepStrictEqual(success(["a"]), { status: 200, json: '["a"]' })
    assert.deepStrictEqual(success(undefined), { status: 200, json: undefined })
    assert.throws(() => success(5), NotEncodable)
  })
})
