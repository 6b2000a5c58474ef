/**
 * Runs random commands on the use cases in memory: a short form of `stores/model.test.ts`, without shrinking.
 * Only for `npm run mutation`, which runs it for mutants of use cases and stores.
 */
import { layerStores } from "@sojourn/adapter-memory"
import { checkModel, servicesDriver } from "@sojourn/testing"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { oracle } from "../stores/oracle.ts"

const seed = 20260301
const commands = 3_000

it(`answers ${commands} commands in memory as one after the other`, async () => {
  const subject = servicesDriver(layerStores, seed)
  const report = await Effect.runPromise(checkModel({ oracle, subject, seed, commands, shrinkTries: 0 }))
  expect(report.commands).toBe(commands)
})
