/** Runs random commands on the use cases in memory. Only for `npm run mutation`, which runs it for mutants of use cases and stores. */
import { layerStores } from "@sojourn/adapter-memory"
import { servicesDriver } from "@sojourn/testing"
import { it } from "vitest"
import { checkAgainstMemory } from "../stores/oracle.ts"

it("answers commands in memory as one after the other", () => checkAgainstMemory(servicesDriver(layerStores), 2_500, 0))
