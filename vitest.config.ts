import { defineConfig } from "vitest/config"

/** Tests run on the sources: the `source` condition of each package's exports points there. */
export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "examples/**/*.test.ts", "scripts/test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000
  }
})
