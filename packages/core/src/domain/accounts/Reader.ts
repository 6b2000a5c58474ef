/** Who reads what names no people: numbers, places, floor plans. */
import * as Option from "effect/Option"
import type { AdministratorId, OrganizationId } from "../shared/Ids.ts"
import type { Administrator, DisplayCaller } from "./Caller.ts"
import type { PermissionLevel } from "./PermissionLevel.ts"

/** An administrator, whose level the store reads, or a display, whose level follows from its organization. */
export type Reader = AdministratorId | DisplayCaller

export const readerOf = (caller: Administrator | DisplayCaller): Reader =>
  caller._tag === "Display" ? caller : caller.administratorId

/** The administrator whose level a store reads; undefined for a display. */
export const administratorOf = (reader: Reader): AdministratorId | undefined =>
  typeof reader === "string" ? reader : undefined

/** The level of a reader, where `stored` is the level of the administrator: a display is a viewer of its organization alone (spec: devices#displays). */
export const levelOfReader = (
  reader: Reader,
  organizationId: OrganizationId,
  stored: Option.Option<PermissionLevel>
): Option.Option<PermissionLevel> => {
  if (typeof reader === "string") return stored
  return reader.organizationId === organizationId ? Option.some("viewer") : Option.none()
}

/** The reader as what equal readings are known by: all displays of an organization read the same. */
export const nameOfReader = (reader: Reader): string =>
  typeof reader === "string" ? `administrator ${reader}` : `display ${reader.organizationId}`
