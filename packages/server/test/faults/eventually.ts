import { setTimeout as pause } from "node:timers/promises"

/** Waits until a condition holds. Fails after a generous timeout; it is no measurement. */
export const eventually = async (what: string, isSo: () => Promise<boolean> | boolean): Promise<void> => {
  const giveUp = performance.now() + 120_000
  while (!(await isSo())) {
    if (performance.now() > giveUp) throw new Error(`waited in vain: ${what}`)
    await pause(20)
  }
}
