/** Answers the endpoints of `api/stays/window.ts`. */
import {
  accessCsv,
  type AccessesListed,
  type AccessListing,
  AccessWindows,
  type Administrator,
  type AuthenticatedAccess,
  OrganizationPremises,
  type OrgAuthServerId,
  PlacePremises,
  type Premises,
  Reports,
  type TimeWindow
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { WindowGroup } from "../../api/stays/window.ts"
import type { GroupHandlers } from "../../pipeline/endpoint.ts"
import { csvFile, type CsvPart, prefersCsv, windowFile } from "../shared/csv.ts"
import { listed } from "../shared/listed.ts"
import { DEFAULT_LIMIT } from "../../wire/shared/fields.ts"
import { refuse } from "../shared/refuse.ts"
import { fieldsOf } from "./access.ts"

/** How many accesses a file is read by: two less than one statement reads. */
const FILE_LIMIT = 248

interface Query extends TimeWindow {
  readonly orgAuthServerId?: AccessListing["people"]
  readonly limit?: number | undefined
  readonly after?: string | undefined
}

/** Answers accesses and reports of a window (spec: stays#window). */
export const windowHandlers = Effect.gen(function* () {
  const windows = yield* AccessWindows
  const reports = yield* Reports

  const listingOf = (premises: Premises, isOwn: boolean, { from, to, orgAuthServerId, limit, after }: Query) => ({
    premises,
    isOwn,
    from,
    to,
    people: orgAuthServerId,
    limit: limit ?? DEFAULT_LIMIT,
    after
  })

  const inJson = <Access>(
    caller: Administrator,
    listing: AccessListing,
    toWire: (access: AccessesListed["accesses"][number]) => Access
  ) =>
    windows
      .list(caller, listing, ({ accesses, next }) =>
        Effect.succeed(accesses.length === 0 ? undefined : { accesses: accesses.map((access) => toWire(access)), next })
      )
      .pipe(refuse())

  const inCsv = (caller: Administrator, listed: AccessListing) => {
    const listing = { ...listed, limit: FILE_LIMIT, answered: new Set<OrgAuthServerId>() }
    return Effect.gen(function* () {
      const first = yield* windows.list(caller, listing, Effect.succeed)
      const { organization, place, timeZone } = yield* windows.file(caller, listing.premises)
      const partOf = ({ accesses, next }: AccessesListed): CsvPart<AuthenticatedAccess> => ({
        rows: accesses,
        next: next === undefined ? undefined : partAfter(next)
      })
      const partAfter = (after: string): Effect.Effect<CsvPart<AuthenticatedAccess>, unknown> =>
        windows.list(caller, { ...listing, after }, (read) => Effect.succeed(partOf(read))).pipe(refuse())
      const disposition = windowFile([organization, place], timeZone, listing)
      return csvFile(disposition, accessCsv(listing.premises, timeZone), partOf(first))
    }).pipe(refuse())
  }

  const handlers: GroupHandlers<typeof WindowGroup> = {
    organizationAccesses: ({ caller, head, params: { organizationId }, query }) => {
      const listing = listingOf(OrganizationPremises(organizationId), query.premises === "own", query)
      return prefersCsv(head.headers["accept"])
        ? inCsv(caller, listing)
        : inJson(caller, listing, (access) => ({
            organizationId,
            placeId: access.stay.premises._tag === "PlacePremises" ? access.stay.premises.placeId : undefined,
            ...fieldsOf(access),
            orgAuthServerId: access.orgAuthServerId
          }))
    },
    placeAccesses: ({ caller, head, params: { placeId }, query }) => {
      const listing = listingOf(PlacePremises(placeId), false, query)
      return prefersCsv(head.headers["accept"])
        ? inCsv(caller, listing)
        : inJson(caller, listing, (access) => ({
            placeId,
            ...fieldsOf(access),
            orgAuthServerId: access.orgAuthServerId
          }))
    },
    organizationReport: ({ caller, params: { organizationId }, query }) =>
      reports.timePerUserInside(caller, OrganizationPremises(organizationId), query).pipe(
        listed((time) => ({ organizationId, ...time })),
        refuse()
      )
  }
  return handlers
})
