/** The tabs of a phone, which are killed and opened again. */
import { makePhone, type PhoneOptions, type Tab } from "./phone.ts"
import type { Scenario } from "./scenario.ts"
import type { World } from "./world.ts"

const SECOND = 1_000

export const makeTabs = (
  world: World,
  { skew, isAsync, hasLocks, tabs: count, kills }: Scenario,
  options: Pick<PhoneOptions, "user" | "writeFault" | "network">
) => {
  const tabs: Array<Tab> = []
  const onKill = (tab: Tab) => reopen(tabs.indexOf(tab), 5)
  const phone = makePhone({ ...options, world, url: "http://sojourn.test", skew, isAsync, hasLocks, onKill })
  const open = (index: number) => {
    tabs[index] = phone.open()
  }
  const reopen = (index: number, seconds: number) =>
    world.after(seconds * SECOND, () => {
      if (!tabs[index]!.isAlive()) open(index)
    })
  for (let index = 0; index < count; index++) open(index)
  for (const [second, index, seconds] of kills) {
    world.after(second * SECOND, () => {
      tabs[index]?.kill()
      if (tabs[index] !== undefined) reopen(index, seconds)
    })
  }

  /** Calls a tracker until one has done it: the app's user sees that a button did nothing. */
  const insist = (act: (tracker: NonNullable<ReturnType<Tab["tracker"]>>) => Promise<unknown>) =>
    new Promise<void>((resolve) => {
      const attempt = () => {
        const ready = tabs.filter((tab) => tab.isAlive() && tab.tracker() !== undefined)
        const tab = ready[Math.floor(world.random() * ready.length)]
        if (tab === undefined) return void world.after(SECOND, attempt)
        let isOver = false
        const once = (then: () => void) => () => {
          if (!isOver) then()
          isOver = true
        }
        const again = once(() => void world.after(2 * SECOND, attempt))
        tab.killed.push(again)
        act(tab.tracker()!).then(once(resolve), again)
      }
      attempt()
    })

  return { tabs, insist }
}

export type Insist = ReturnType<typeof makeTabs>["insist"]
