/** Accesses as CSV: the names of their JSON, and their times as local ones. */
import { csvField, csvHeader } from "../shared/Csv.ts"
import { makeLocalTime } from "../shared/LocalTime.ts"
import { formatTimestamp } from "../shared/Timestamp.ts"
import type { Premises } from "../shared/Premises.ts"
import type { AuthenticatedAccess } from "./Access.ts"

const OF_EACH = ["id", "entranceTimestamp", "exitTimestamp", "orgAuthServerId", "entranceLocal", "exitLocal"]

/** How accesses of some premises are written. */
export interface AccessCsv {
  readonly header: string
  readonly line: (access: AuthenticatedAccess) => string
}

/** The CSV of the accesses of an organization, with a column for the place, or of a place; local times are of this time zone. */
export const accessCsv = ({ _tag }: Premises, timeZone: string): AccessCsv => {
  const isWhole = _tag === "OrganizationPremises"
  const localTime = makeLocalTime(timeZone)
  return {
    header: csvHeader([...(isWhole ? ["organizationId"] : []), "placeId", ...OF_EACH]),
    line: ({ id, orgAuthServerId, stay: { organizationId, premises, entrance, exit } }) => {
      const placeId = premises._tag === "PlacePremises" ? String(premises.placeId) : ""
      const times = `${formatTimestamp(entrance)},${formatTimestamp(exit)}`
      const local = `${localTime(entrance)},${localTime(exit)}`
      // Files hold millions: of these fields that of the person alone is a text.
      return `${isWhole ? `${organizationId},` : ""}${placeId},${id},${times},${csvField(orgAuthServerId)},${local}\r\n`
    }
  }
}
