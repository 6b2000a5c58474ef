import { layerStores } from "@sojourn/adapter-memory"
import { layer } from "@sojourn/adapter-postgres"
import { musterStoreLaws } from "@sojourn/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { aDatabase } from "./database.ts"

musterStoreLaws("memory", layerStores)
musterStoreLaws("postgres", Layer.unwrap(Effect.map(aDatabase, (address) => layer(address))).pipe(Layer.orDie))
