/**
 * Compares the use cases on stores in memory with the model: a short form of `stores/model.test.ts`, without shrinking.
 * Only for `npm run mutation`, which runs it for mutants of use cases and stores.
 */
import { layerStores } from "@sojourn/adapter-memory"
import { checkModel, servicesDriver } from "@sojourn/testing"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"

const seed = 20260301
const commands = 3_000

it(`answers ${commands} commands in memory like the model`, async () => {
  const start = servicesDriver(layerStores, seed)
  const report = await Effect.runPromise(checkModel(start, { seed, commands, shrinkTries: 0 }))
  expect(report.commands).toBe(commands)
})
