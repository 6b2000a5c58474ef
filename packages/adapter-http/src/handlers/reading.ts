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
  type PresenceCounter,
  Reports
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Redacted from "effect/Redacted"
import { CurrentAdministrator, SojournApi } from "../api/index.ts"
import type { Refusal } from "../api/refusals.ts"
import { counterAsJson } from "../wire/reading.ts"
import { Admission } from "./admission.ts"
import { listed } from "./listed.ts"
import { refuse } from "./refuse.ts"
import { shortcut } from "./shortcut.ts"

const refuseReading = refuse()

/** The two endpoints, each as one expression of who calls and what they ask for. */
const makeCount = Effect.map(Presence, (presence) => {
  const count = (viewer: Administrator, premises: Premises) => refuseReading(presence.counter(viewer, premises))
  return {
    organizationCounter: (viewer: Administrator, { organizationId }: { readonly organizationId: OrganizationId }) =>
      count(viewer, OrganizationPremises(organizationId)),
    placeCounter: (viewer: Administrator, { placeId }: { readonly placeId: PlaceId }) =>
      count(viewer, PlacePremises(placeId))
  }
})

export const layerPresence = HttpApiBuilder.group(
  SojournApi,
  "presence",
  Effect.fnUntraced(function* (handlers) {
    const { organizationCounter, placeCounter } = yield* makeCount
    return handlers
      .handle("organizationCounter", ({ params }) =>
        Effect.flatMap(CurrentAdministrator, (viewer) => organizationCounter(viewer, params)).pipe(
          Effect.map(({ counter }) => ({ ...params, counter }))
        )
      )
      .handle("placeCounter", ({ params }) =>
        Effect.flatMap(CurrentAdministrator, (viewer) => placeCounter(viewer, params)).pipe(
          Effect.map(({ counter }) => ({ ...params, counter }))
        )
      )
  })
)

/** Dashboards read counters over and over: they are answered on the short way (`edge/direct.ts`). */
export const counterShortcuts = Effect.gen(function* () {
  const admission = yield* Admission
  const handlers = yield* makeCount
  const made = <Name extends keyof typeof handlers>(name: Name) => {
    const handle = handlers[name] as (viewer: Administrator, sent: never) => Effect.Effect<PresenceCounter, Refusal>
    return shortcut(name, admission, {
      kind: "Administrator",
      handle: (viewer, sent: never) => handle(viewer, sent),
      statusOf: () => 200,
      asJson: counterAsJson
    })
  }
  return [made("organizationCounter"), made("placeCounter")]
})

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
