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
      // Of these fields that of the person alone is any text. Joining them makes one text, where `+` makes a tree of them.
      const person = csvField(orgAuthServerId)
      const [from, to] = [formatTimestamp(entrance), formatTimestamp(exit)]
      const fields = isWhole
        ? [String(organizationId), placeId, String(id), from, to, person, localTime(entrance), localTime(exit)]
        : [placeId, String(id), from, to, person, localTime(entrance), localTime(exit)]
      return `${fields.join(",")}\r\n`
    }
  }
}
