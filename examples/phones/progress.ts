/** How far a known number of steps has come: a bar on a terminal, a line for each tenth elsewhere. */
import { Effect } from "effect"

const WIDTH = 30

/** Each run of the effect is one step. */
export const makeProgress = (what: string, total: number): Effect.Effect<void> => {
  const { isTTY } = process.stdout
  const every = isTTY ? 100 : 10
  let done = 0
  return Effect.sync(() => {
    const before = Math.floor((done * every) / total)
    const share = ++done / total
    if (Math.floor(share * every) === before) return
    const told = `${done} of ${total} ${what}`
    const filled = Math.round(share * WIDTH)
    const bar = "█".repeat(filled) + "░".repeat(WIDTH - filled)
    process.stdout.write(isTTY ? `\r${bar} ${told}${done === total ? "\n" : ""}` : `${told}\n`)
  })
}
