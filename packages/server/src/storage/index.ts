import { layerEmbedded } from "./embedded.ts"
import { layerMemory } from "./memory.ts"
import { layerPostgres } from "./postgres.ts"
import type { LayerStorage, StorageChoice, StorageOptions } from "./Storage.ts"

/** The stores of core and the `Storage` that a choice stands for. */
export const layerStorage = (
  choice: StorageChoice,
  options: StorageOptions & { readonly whenRunning: "refuse" | "share" }
): LayerStorage => {
  switch (choice._tag) {
    case "Memory":
      return layerMemory
    case "Embedded":
      return layerEmbedded({ ...options, directory: choice.directory })
    case "Postgres":
      return layerPostgres({ url: choice.url }, options)
  }
}
