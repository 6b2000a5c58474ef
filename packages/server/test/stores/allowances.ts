import { layerAllowances as layerMemory } from "@sojourn/adapter-memory"
import { layerAllowances, layerClient } from "@sojourn/adapter-postgres"
import type { AllowanceStore } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { aDatabase } from "./database.ts"

const layerNewDatabase: Layer.Layer<AllowanceStore> = Layer.unwrap(
  Effect.map(aDatabase, (address) => layerAllowances.pipe(Layer.provide(layerClient(address))))
).pipe(Layer.orDie)

/** Every adapter for allowances. Each build of a layer is empty. */
export const ALLOWANCES: Readonly<Record<string, Layer.Layer<AllowanceStore>>> = {
  memory: layerMemory,
  postgres: layerNewDatabase
}

/** Where what was spent is kept in this run. */
export const allowancesOfThisRun = ALLOWANCES[process.env.SOJOURN_TEST_STORAGE ?? "memory"] ?? layerNewDatabase
