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

const release = (lock) => rmSync(lock, { recursive: true, force: true })

const isAbandoned = (lock) => {
  const lastBeat = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Infinity
  return Date.now() - lastBeat > abandonedAfter
}

/** Under a lock of its own, so that no process takes away the lock of a quicker one. */
const releaseAbandoned = (lock) => {
  const turn = `${lock}.turn`
  if (take(turn)) {
    if (isAbandoned(lock)) release(lock)
    release(turn)
  } else if (isAbandoned(turn)) {
    release(turn)
  }
}

const beat = (lock) => {
  try {
    utimesSync(lock, new Date(), new Date())
  } catch {
    // Another process took the lock away while this process was suspended.
  }
}

/**
 * Does the work while no other process of this workspace does work under the same name. A holder that was killed leaves
 * its lock behind; the next one takes it away when it has shown no life for a few seconds.
 */
export const exclusively = async (name, work) => {
  mkdirSync(at(".cache"), { recursive: true })
  const lock = at(".cache", `${name}.lock`)
  while (!take(lock)) {
    if (isAbandoned(lock)) releaseAbandoned(lock)
    await sleep(50)
  }
  const beating = setInterval(() => beat(lock), heartbeat)
  try {
    return await work()
  } finally {
    clearInterval(beating)
    release(lock)
  }
}
