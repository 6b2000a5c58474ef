import { layerStores } from "@sojourn/adapter-memory"
import { musterStoreLaws } from "@sojourn/testing"

musterStoreLaws("memory", layerStores)
