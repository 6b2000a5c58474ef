/** Annotations by which a schema writes its own JSON text. `jsonEncoder.ts` uses them on the hot path. */

/** Writes a value as JSON text; undefined when it has none. */
export type JsonText = (value: any) => string | undefined

declare module "effect/Schema" {
  namespace Annotations {
    interface Augment {
      /**
       * Writes a value of the schema as JSON text, exactly as the schema's own encoding and `JSON.stringify` do. Undefined when
       * the value is not of the schema.
       */
      readonly "~sojourn/jsonText"?: JsonText | undefined
      /** The schema encodes `undefined` by leaving the field out, and every other value by the schema that it encodes to. */
      readonly "~sojourn/omitsUndefined"?: true | undefined
    }
  }
}
