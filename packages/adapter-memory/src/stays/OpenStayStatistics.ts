import type { OpenStayStatistics } from "@sojourn/core"
import { Effect } from "effect"
import { everyStays, type State } from "../state/State.ts"

const devicesByState = (state: State) => {
  const devices = { new: 0, ok: 0, silent: 0, behind: 0 }
  for (const organization of state.organizations.values()) {
    for (const { device } of organization.devices.values()) devices[device.state]++
  }
  return devices
}

/** Open stays counted in memory, premises by premises. */
export const makeOpenStayStatistics = (state: State): OpenStayStatistics["Service"] => ({
  read: (most) =>
    Effect.sync(() => {
      const counts = [...state.organizations].flatMap(([organizationId, organization]) => {
        const open = everyStays(organization).reduce((sum, stays) => sum + stays.open.size, 0)
        return open === 0 ? [] : [{ organizationId, open }]
      })
      counts.sort((one, other) => other.open - one.open || (one.organizationId < other.organizationId ? -1 : 1))
      return {
        open: counts.reduce((sum, count) => sum + count.open, 0),
        organizations: counts.length,
        largest: counts.slice(0, most),
        counted: [...state.organizations.values()]
          .flatMap(everyStays)
          .reduce((sum, { counted = 0 }) => sum + counted, 0),
        devices: devicesByState(state)
      }
    })
})
