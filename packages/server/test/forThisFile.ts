import { afterAll } from "vitest"

type Resource = { readonly close: () => unknown } | { readonly stop: () => unknown }

/** Ends what the tests of a file use after the last of them; what was started last is ended first. */
export const forThisFile = <A extends Resource>(started: A): A => {
  afterAll(async () => void (await ("close" in started ? started.close() : started.stop())))
  return started
}
