/** Helps to make the requests of one moment. */
import type { Request, Caller } from "../commands.ts"
import type { ModelOrganization } from "../World.ts"
import { ADMINISTRATORS, type Scene } from "./subjects.ts"

type Make = (scene: Scene) => Request

/** So many requests, each with a label of its own. */
export const times = (scene: Scene, count: number, make: Make, from = 0): ReadonlyArray<Request> =>
  Array.from({ length: count }, (_, index) => make({ ...scene, label: `${scene.label}.${from + index}`, wire: false }))

/** A number from the smallest to the largest. */
export const some = ({ random }: Scene, smallest: number, largest: number): number =>
  smallest + random.below(largest - smallest + 1)

/** The administrators who own an organization. */
export const ownersOf = (organization: ModelOrganization): ReadonlyArray<Caller> =>
  ADMINISTRATORS.filter(({ id }) =>
    organization.permissions.some((one) => one.administrator === id && one.level === "owner")
  )
