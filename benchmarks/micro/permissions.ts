import {
  AdministratorId,
  changeLevel,
  mayGrant,
  type Permission,
  type PermissionLevel,
  requireAmong,
  requireLevel,
  requireUnbound,
  unbind
} from "@sojourn/core"
import { Option } from "effect"
import { ORGANIZATION } from "./stays.ts"
import { allows, refuses, type Subject } from "./Subject.ts"

const administrator = (nth: number) => AdministratorId.make(`administrator-${nth}`)

/** How many administrators an organization has here: the rules look through all of them. */
const MANY = 20

const permission = (nth: number, level: PermissionLevel): Permission => ({
  administratorId: administrator(nth),
  organizationId: ORGANIZATION,
  level,
  nominatedBy: administrator(0)
})

/** Who may do what, and what may be changed of that. */
export const permissions = (): ReadonlyArray<Subject> => {
  const all = Array.from({ length: MANY }, (_, nth) => permission(nth, nth === 0 ? "owner" : "viewer"))
  const last = administrator(MANY - 1)
  const manager = Option.some<PermissionLevel>("manager")
  const viewer = Option.some<PermissionLevel>("viewer")
  const among = `among ${MANY}`
  return [
    allows("requireLevel", () => requireLevel(manager, "viewer")),
    refuses("requireLevel: refused", "PermissionTooLow", () => requireLevel(viewer, "owner")),
    allows(`requireAmong: the last ${among}`, () => requireAmong(all, last, "viewer")),
    allows("mayGrant", () => mayGrant("owner", "manager")),
    allows(`requireUnbound: ${among}`, () => requireUnbound(all, administrator(MANY))),
    allows(`changeLevel: the last ${among}`, () =>
      changeLevel(all, "owner", { administratorId: last, level: "manager" })
    ),
    allows(`unbind: the last ${among}`, () => unbind(all, last)),
    refuses(`unbind: refused, the only owner ${among}`, "LastOwnerStays", () => unbind(all, administrator(0)))
  ]
}
