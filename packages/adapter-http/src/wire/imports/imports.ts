/** The JSON of imports: what became of features and rows. */
import * as Schema from "effect/Schema"
import { WireAreaFault } from "../areas/areaFault.ts"
import { known, WirePlaceId } from "../shared/fields.ts"

/** The area fault of a feature. In a trial another feature has no place yet, and is named by its index. */
const WireFeatureFault = Schema.Struct({ ...WireAreaFault.fields, feature: known(Schema.Int) }).annotate({
  identifier: "FeatureFault"
})

/** What became of features, by their indices from 0. A trial creates no place, and answers no ids. */
export const WireImportedPlaces = Schema.Struct({
  created: Schema.Array(Schema.Struct({ feature: Schema.Int, placeId: known(WirePlaceId) })),
  refused: Schema.Array(
    Schema.Struct({ feature: Schema.Int, reason: Schema.String, areaFault: known(WireFeatureFault) })
  )
}).annotate({ identifier: "ImportedPlaces" })

/** What became of rows, by their numbers from 1. */
export const WireImportedAccesses = Schema.Struct({
  imported: Schema.Int,
  /** How many have keys that were imported before. */
  skipped: Schema.Int,
  refused: Schema.Array(Schema.Struct({ line: Schema.Int, reason: Schema.String }))
}).annotate({ identifier: "ImportedAccesses" })
