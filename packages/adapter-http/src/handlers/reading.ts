import {
  AccountLinks,
  type OrgAuthServerId,
  OrganizationPremises,
  PlacePremises,
  Presence,
  Reports
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Redacted from "effect/Redacted"
import { CurrentAdministrator, SojournApi } from "../api/index.ts"
import { listed } from "./listed.ts"
import { refuse } from "./refuse.ts"

export const layerPresence = HttpApiBuilder.group(
  SojournApi,
  "presence",
  Effect.fnUntraced(function* (handlers) {
    const presence = yield* Presence
    return handlers
      .handle("organizationCounter", ({ params: { organizationId } }) =>
        Effect.flatMap(CurrentAdministrator, (viewer) =>
          presence.counter(viewer, OrganizationPremises(organizationId))
        ).pipe(
          Effect.map(({ counter }) => ({ organizationId, counter })),
          refuse()
        )
      )
      .handle("placeCounter", ({ params: { placeId } }) =>
        Effect.flatMap(CurrentAdministrator, (viewer) => presence.counter(viewer, PlacePremises(placeId))).pipe(
          Effect.map(({ counter }) => ({ placeId, counter })),
          refuse()
        )
      )
  })
)

export const layerReport = HttpApiBuilder.group(
  SojournApi,
  "report",
  Effect.fnUntraced(function* (handlers) {
    const reports = yield* Reports
    return handlers.handle("timePerUser", ({ params }) =>
      Effect.flatMap(CurrentAdministrator, (viewer) => reports.timePerUser(viewer, params.placeId)).pipe(
        listed((time) => time),
        refuse()
      )
    )
  })
)

/** `["*"]` alone asks for everyone whom the credentials may see (contract, section 3). */
const people = (ids: ReadonlyArray<OrgAuthServerId>) => (ids.length === 1 && ids[0] === "*" ? "everyone" : ids)

export const layerAuthenticationServer = HttpApiBuilder.group(
  SojournApi,
  "authenticationserver",
  Effect.fnUntraced(function* (handlers) {
    const links = yield* AccountLinks
    return handlers.handle(
      "userInformation",
      ({ payload: { organizationId, organizationCredentials, orgAuthServerIds } }) =>
        Effect.flatMap(CurrentAdministrator, (viewer) =>
          links.information(
            viewer,
            organizationId,
            {
              username: organizationCredentials.username,
              password: Redacted.make(organizationCredentials.password)
            },
            people(orgAuthServerIds)
          )
        ).pipe(
          listed((person) => person),
          refuse()
        )
    )
  })
)
