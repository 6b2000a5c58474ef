/** The use cases on stores in memory, which the same commands on other services are compared with. */
import { layerStores, Snapshots } from "@sojourn/adapter-memory"
import { servicesOracle } from "@sojourn/testing"

export const oracle = servicesOracle(
  layerStores,
  Snapshots.use(({ take }) => take)
)
