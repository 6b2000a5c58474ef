import { setTimeout as pause } from "node:timers/promises"

/** Waits until it is so. Fails when it takes unreasonably long: nobody measures how long it takes. */
export const eventually = async (what: string, isSo: () => Promise<boolean> | boolean): Promise<void> => {
  const giveUp = performance.now() + 40_000
  while (!(await isSo())) {
    if (performance.now() > giveUp) throw new Error(`waited in vain: ${what}`)
    await pause(20)
  }
}
