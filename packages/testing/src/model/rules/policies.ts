/** The reference model of stay policies and sweeps. */
import type { ChangePolicy } from "../commands.ts"
import { done, type Outcome, refused } from "../outcomes.ts"
import { findOrganization, isOpen, mark, type ModelStay, replace, type World } from "../World.ts"
import { keepEnding } from "./musters.ts"

/** What is left out stays as it is. */
export const changePolicy = (world: World, { organization: label, ...asked }: ChangePolicy): Outcome => {
  const organization = findOrganization(world, label)
  if (organization === undefined) return refused("OrganizationNotFound")
  const after = (before: number | undefined, change: number | null | undefined) =>
    change === undefined ? before : (change ?? undefined)
  const longestStay = after(organization.longestStay, asked.longestStay)
  const smallestCount = after(organization.smallestCount, asked.smallestCount)
  const eventGrain = after(organization.eventGrain, asked.eventGrain)
  replace(world, { ...organization, longestStay, smallestCount, eventGrain })
  return done({ organization: label, longestStay, smallestCount, eventGrain })
}

/** A sweep abandons the stays that were entered too long ago, by the service's own record of it (spec: policies#abandoned). */
export const sweep = (world: World): void => {
  const isOverdue = (stay: ModelStay): boolean => {
    const longest = findOrganization(world, stay.organization)?.longestStay
    return longest !== undefined && isOpen(stay) && world.now - stay.recorded > longest * 1000
  }
  if (world.stays.some(isOverdue)) mark(world, "stays abandoned")
  keepEnding(world, isOverdue)
  world.stays = world.stays.map((stay) =>
    isOverdue(stay) ? { ...stay, gone: true, ended: world.now, isAbandoned: true } : stay
  )
}
