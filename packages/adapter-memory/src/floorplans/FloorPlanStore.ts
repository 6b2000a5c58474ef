import {
  type FloorPlan,
  type FloorPlanImage,
  FloorPlanNotFound,
  floorPlanRemoved,
  floorPlanUpdated,
  type FloorPlanStore,
  type OrganizationId,
  recorded
} from "@sojourn/core"
import { Result } from "effect"
import { publishEvents } from "../feed/feed.ts"
import { atomically, recording } from "../state/atomically.ts"
import { findOrganization, type OrganizationRecord, requireLevelIn, requireViewer, type State } from "../state/State.ts"

const withoutImage = ({ image: _, digest: __, ...plan }: FloorPlanImage): FloorPlan => plan

const CHANGED = [{ _tag: "OrganizationChanged", changed: "updated" }] as const

const findPlan = ({ floorPlans }: OrganizationRecord, level: number) => {
  const plan = floorPlans.get(level)
  return plan === undefined ? Result.fail(new FloorPlanNotFound({ level })) : Result.succeed(plan)
}

/** Floor plans kept in memory. */
export const makeFloorPlanStore = (state: State): FloorPlanStore["Service"] => {
  const find = (organizationId: OrganizationId) => findOrganization(state, organizationId)
  return {
    put: ({ plan, administratorId, decide }) =>
      recording(state, function* (now) {
        const organization = yield* find(plan.organizationId)
        const { floorPlans } = organization
        const others = floorPlans.size - (floorPlans.has(plan.level) ? 1 : 0)
        yield* requireLevelIn(organization, administratorId, "manager")
        yield* decide(others)
        floorPlans.set(plan.level, plan)
        publishEvents(state, organization, now, CHANGED)
        const kept = withoutImage(plan)
        return recorded(kept, floorPlanUpdated(kept))
      }),

    get: ({ organizationId, reader, level }) =>
      atomically(function* () {
        const organization = yield* find(organizationId)
        yield* requireViewer(organization, reader)
        return yield* findPlan(organization, level)
      }),

    digest: ({ organizationId, reader, level }) =>
      atomically(function* () {
        const organization = yield* find(organizationId)
        yield* requireViewer(organization, reader)
        return (yield* findPlan(organization, level)).digest
      }),

    list: ({ organizationId, reader }) =>
      atomically(function* () {
        const organization = yield* find(organizationId)
        yield* requireViewer(organization, reader)
        return [...organization.floorPlans.values()].map(withoutImage).sort((a, b) => a.level - b.level)
      }),

    remove: ({ organizationId, administratorId, level }) =>
      recording(state, function* (now) {
        const organization = yield* find(organizationId)
        yield* requireLevelIn(organization, administratorId, "manager")
        yield* findPlan(organization, level)
        organization.floorPlans.delete(level)
        publishEvents(state, organization, now, CHANGED)
        return recorded(undefined, floorPlanRemoved({ organizationId, level }))
      })
  }
}
