/** Ajv for documents with schemas as components. Formats are checked, such as those of times. */
import { Ajv, type Options } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"

const DOCUMENT = "https://document.example/"

const options: Options = { strict: false, allErrors: true }

/** Validates a value by the schema of a pointer into the document, such as `#/components/schemas/Place`. Returns what is wrong. */
export const validatorOf = (document: object, draft: "draft-07" | "2020-12") => {
  const ajv = draft === "draft-07" ? new Ajv(options) : new Ajv2020(options)
  formats.default(ajv)
  ajv.addSchema({ ...document, $id: DOCUMENT })
  return (pointer: string, value: unknown): string => {
    const validate = ajv.getSchema(`${DOCUMENT}${pointer}`)!
    return validate(value) ? "" : JSON.stringify(validate.errors)
  }
}
