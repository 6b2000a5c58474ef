import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import { faultsOf } from "./faults.ts"

/** Brands a schema like `Schema.brand`. Its `make` throws a `TypeError` that says what it expects and what it got. */
export const branded =
  <const Name extends string>(name: Name) =>
  <S extends Schema.ConstraintRebuildable>(schema: S) => {
    const brand = Schema.brand(name as never)(schema) as unknown as Schema.brand<S["Rebuild"], Name>
    const make = SchemaParser.make(brand)
    const value: typeof make = (input, options) => {
      try {
        return make(input, options)
      } catch (error) {
        const { cause } = error as Error
        if (!SchemaIssue.isIssue(cause)) throw error
        const said = faultsOf(cause, input).map(({ expected, got }) => expected + got)
        throw new TypeError(`${name}: ${said.join("; ")}`, { cause: error })
      }
    }
    return Object.defineProperty(brand, "make", { value, enumerable: true })
  }
