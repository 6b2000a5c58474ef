/** Answers the groups of `api/reading.ts`: counters, reports, and information on users. */
import {
  AccountLinks,
  type OrgAuthServerId,
  OrganizationPremises,
  PlacePremises,
  Presence,
  Reports
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { AuthenticationServerGroup, PresenceGroup, ReportGroup } from "../api/reading.ts"
import type { GroupHandlers } from "../pipeline/endpoint.ts"
import { listed } from "./listed.ts"
import { refuse } from "./refuse.ts"

/** Answers the endpoints for presence counters (interface, section 4.7). */
export const presenceHandlers = Effect.map(Presence, (presence): GroupHandlers<typeof PresenceGroup> => ({
  organizationCounter: ({ caller, params: { organizationId } }) =>
    presence.counter(caller, OrganizationPremises(organizationId)).pipe(
      Effect.map(({ counter }) => ({ organizationId, counter })),
      refuse()
    ),
  placeCounter: ({ caller, params: { placeId } }) =>
    presence.counter(caller, PlacePremises(placeId)).pipe(
      Effect.map(({ counter }) => ({ placeId, counter })),
      refuse()
    )
}))

/** Answers the endpoint for reports (interface, section 4.8). */
export const reportHandlers = Effect.map(Reports, (reports): GroupHandlers<typeof ReportGroup> => ({
  timePerUser: ({ caller, params }) =>
    reports.timePerUser(caller, params.placeId).pipe(
      listed((time) => time),
      refuse()
    )
}))

/** `["*"]` alone asks for everyone whom the credentials may see (contract, section 3). */
const people = (ids: ReadonlyArray<OrgAuthServerId>) => (ids.length === 1 && ids[0] === "*" ? "everyone" : ids)

/** Answers the endpoint for information on users (interface, section 4.8). */
export const authenticationServerHandlers = Effect.map(
  AccountLinks,
  (links): GroupHandlers<typeof AuthenticationServerGroup> => ({
    userInformation: ({ caller, payload: { organizationId, organizationCredentials, orgAuthServerIds } }) => {
      const { username, password } = organizationCredentials
      const credentials = { username, password: Redacted.make(password) }
      return links.information(caller, organizationId, credentials, people(orgAuthServerIds)).pipe(
        listed((person) => person),
        refuse()
      )
    }
  })
)
