/** Accesses as CSV: the names of their JSON, and their times as local ones. */
import { csvField, csvHeader } from "../shared/Csv.ts"
import { makeWriteLocalTime } from "../shared/LocalTime.ts"
import { writeTimestamp, type WriteText } from "../shared/Timestamp.ts"
import type { Premises } from "../shared/Premises.ts"
import type { AuthenticatedAccess } from "./Access.ts"

const OF_EACH = ["id", "entranceTimestamp", "exitTimestamp", "orgAuthServerId", "entranceLocal", "exitLocal"]

/** How accesses of some premises are written. */
export interface AccessCsv {
  readonly header: string
  /** Writes a line in pieces: files have millions of lines, and garbage of each makes the heap grow. */
  readonly line: (access: AuthenticatedAccess, write: WriteText) => void
}

/** The CSV of the accesses of an organization, with a column for the place, or of a place; local times are of this time zone. */
export const accessCsv = (of: Premises, timeZone: string): AccessCsv => {
  const organization = of._tag === "OrganizationPremises" ? `${of.organizationId},` : ""
  const writeLocalTime = makeWriteLocalTime(timeZone)
  return {
    header: csvHeader([...(organization === "" ? [] : ["organizationId"]), "placeId", ...OF_EACH]),
    line: ({ id, orgAuthServerId, stay: { premises, entrance, exit } }, write) => {
      write(organization)
      if (premises._tag === "PlacePremises") write(String(premises.placeId))
      write(",")
      write(String(id))
      write(",")
      writeTimestamp(entrance, write)
      write(",")
      writeTimestamp(exit, write)
      write(",")
      // Of these fields this one alone is any text.
      write(csvField(orgAuthServerId))
      write(",")
      writeLocalTime(entrance, write)
      write(",")
      writeLocalTime(exit, write)
      write("\r\n")
    }
  }
}
