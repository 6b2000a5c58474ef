/** The order of tests in mutation runs: a mutant ends at the first failure, so quick tests run first. */
import { BaseSequencer } from "vitest/node"

/** The tests that take long and tell late: most mutants are killed before them. */
const SLOW = ["model.short.ts", "TrackingArea.properties.test.ts"]

const slowness = ({ moduleId }) => SLOW.findIndex((name) => moduleId.endsWith(`/${name}`))

/** Runs the files of tests in the order of their names, and the slow ones last. */
export class QuickFirst extends BaseSequencer {
  async sort(files) {
    return files.toSorted((one, other) => slowness(one) - slowness(other) || (one.moduleId < other.moduleId ? -1 : 1))
  }
}
