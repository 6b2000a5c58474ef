/** The proof: the published laws of the port, and of the two whose deletions take stays with them. */
import * as Memory from "@sojourn/adapter-memory"
import { deletionRequestStoreLaws, placeStoreLaws, stayLogLaws } from "@sojourn/testing"
import { Layer } from "effect"
import { layerStayLog } from "./SqliteStayLog.ts"

const stores = Layer.provideMerge(layerStayLog(":memory:"), Memory.layerStores)

stayLogLaws("stays in SQLite", stores)
placeStoreLaws("stays in SQLite", stores)
deletionRequestStoreLaws("stays in SQLite", stores)
