/** Compares the server's answers over HTTP with those of the use cases in memory, for random requests by all kinds of callers. */
import { it } from "vitest"
import { httpDriver } from "./model.driver.ts"
import { checkAgainstMemory, scaled } from "./stores/oracle.ts"

const commands = scaled(750)

it(`answers ${commands} commands as the use cases do in memory`, () => checkAgainstMemory(httpDriver, commands, 30))
