/**
 * The use cases on stores in memory answer as the model does: what `stores/model.test.ts` shows of every adapter, in short, and
 * without looking for fewer commands that show a failure. For `npm run mutation` alone, which asks it of every mutant.
 */
import { layerStores } from "@sojourn/adapter-memory"
import { checkModel, servicesDriver } from "@sojourn/testing"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"

const seed = 20260301
const commands = 3_000

it(`answers ${commands} commands in memory as the model does`, async () => {
  const start = servicesDriver(layerStores, seed)
  const report = await Effect.runPromise(checkModel(start, { seed, commands, batch: 250, shrinkTries: 0 }))
  expect(report.commands).toBe(commands)
})
