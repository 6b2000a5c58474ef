import {
  AccountLinks,
  type Administrator,
  type OrgAuthServerId,
  type OrganizationId,
  OrganizationPremises,
  type PlaceId,
  PlacePremises,
  type Premises,
  Presence,
  Reports
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Redacted from "effect/Redacted"
import { CurrentAdministrator, SojournApi } from "../api/index.ts"
import { PresenceGroup } from "../api/reading.ts"
import { counterAsJson } from "../wire/reading.ts"
import { listed } from "./listed.ts"
import { refuse } from "./refuse.ts"
import { type Asked, shortcuts } from "./shortcut.ts"

const refuseReading = refuse()

/** A counter that is asked for. */
type Counting<Sent> = Pick<Asked<"Administrator", Sent>, "caller" | "sent">

/** The two endpoints. */
const makeCount = Effect.map(Presence, (presence) => {
  const count = (viewer: Administrator, premises: Premises) => refuseReading(presence.counter(viewer, premises))
  return {
    organizationCounter: ({ caller, sent }: Counting<{ readonly organizationId: OrganizationId }>) =>
      count(caller, OrganizationPremises(sent.organizationId)),
    placeCounter: ({ caller, sent }: Counting<{ readonly placeId: PlaceId }>) =>
      count(caller, PlacePremises(sent.placeId))
  }
})

export const layerPresence = HttpApiBuilder.group(
  SojournApi,
  "presence",
  Effect.fnUntraced(function* (handlers) {
    const { organizationCounter, placeCounter } = yield* makeCount
    return handlers
      .handle("organizationCounter", ({ params }) =>
        Effect.flatMap(CurrentAdministrator, (caller) => organizationCounter({ caller, sent: params })).pipe(
          Effect.map(({ counter }) => ({ ...params, counter }))
        )
      )
      .handle("placeCounter", ({ params }) =>
        Effect.flatMap(CurrentAdministrator, (caller) => placeCounter({ caller, sent: params })).pipe(
          Effect.map(({ counter }) => ({ ...params, counter }))
        )
      )
  })
)

/** Dashboards read counters over and over: they are answered on the short way (`edge/direct.ts`). */
export const counterShortcuts = Effect.flatMap(makeCount, (handlers) =>
  shortcuts(PresenceGroup, handlers, { kind: "Administrator", statusOf: () => 200, asJson: counterAsJson })
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
