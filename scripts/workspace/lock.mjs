/** One process at a time. */
import { mkdirSync, rmSync, statSync, utimesSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { at } from "./paths.mjs"

const heartbeat = 500
const abandonedAfter = 5_000

/** Takes the lock by making its folder, which only one process can do. */
const take = (lock) => {
  try {
    mkdirSync(lock)
    return true
  } catch (error) {
    if (error.code !== "EEXIST") throw error
    return false
  }
}

const lastBeat = (lock) => statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Infinity

const beat = (lock) => {
  try {
    utimesSync(lock, new Date(), new Date())
  } catch {
    // Somebody took the lock away while this process was suspended.
  }
}

/**
 * Does the work while no other process of this workspace does work under the same name. A holder that was killed leaves
 * its lock behind; the next one takes it away when it has shown no life for a few seconds. Work done twice must be
 * harmless all the same: two that wait may find the same dead holder at the same moment.
 */
export const exclusively = async (name, work) => {
  mkdirSync(at(".cache"), { recursive: true })
  const lock = at(".cache", `${name}.lock`)
  while (!take(lock)) {
    if (Date.now() - lastBeat(lock) > abandonedAfter) rmSync(lock, { recursive: true, force: true })
    else await sleep(50)
  }
  const beating = setInterval(() => beat(lock), heartbeat)
  try {
    return await work()
  } finally {
    clearInterval(beating)
    rmSync(lock, { recursive: true, force: true })
  }
}
