import { layerStores } from "@sojourn/adapter-memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Storage } from "./Storage.ts"

/** Every store in memory. */
export const layerMemory = Layer.merge(
  layerStores,
  Layer.succeed(Storage, { isReady: Effect.succeed(true), isForgetful: true })
)
