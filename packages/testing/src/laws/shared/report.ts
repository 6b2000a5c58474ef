/** The line that a run of all laws ends with. */
import { afterAll, type RunnerTask } from "@effect/vitest"
import { Console, Effect } from "effect"
import { type LawOptions, SEED } from "./suite.ts"

const versionOf = (name: string) =>
  Effect.map(
    Effect.promise(() => import(/* @vite-ignore */ `${name}/package.json`, { with: { type: "json" } })),
    ({ default: { version } }): string => `${name} ${version}`
  )

const lawsOf = (task: RunnerTask): ReadonlyArray<RunnerTask> =>
  task.type === "suite" ? task.tasks.flatMap(lawsOf) : [task]

const report = Effect.fnUntraced(function* (name: string, count: number, { runs, seed = SEED }: LawOptions) {
  const versions = yield* Effect.all(["@sojourn/testing", "effect"].map(versionOf))
  const tries = runs === undefined ? "" : `, ${runs} runs of each generated law`
  yield* Console.log(`${name} passes all ${count} laws of the stores: ${versions.join(", ")}, seed ${seed}${tries}.`)
})

/** Prints the line once all laws of the adapter with this name have passed. A run of a part of them prints none. */
export const reportPassed = (name: string, options: LawOptions = {}): void =>
  // vitest accepts nothing but a pattern as the first parameter.
  // oxlint-disable-next-line no-empty-pattern
  afterAll(({}, { tasks }) => {
    const laws = tasks.filter((suite) => suite.name.startsWith(`${name}: `)).flatMap(lawsOf)
    const havePassed = laws.length > 0 && laws.every(({ result }) => result?.state === "pass")
    return havePassed ? Effect.runPromise(report(name, laws.length, options)) : undefined
  })
