/** The proof: the published laws of every store hold for these, so the use cases cannot tell them from any others. */
import * as Memory from "@sojourn/adapter-memory"
import { storeLaws } from "@sojourn/core/testing"
import { Layer } from "effect"
import { layerStayLog } from "./SqliteStayLog.ts"

storeLaws("stays in SQLite", Layer.provideMerge(layerStayLog(":memory:"), Memory.layerStores))
