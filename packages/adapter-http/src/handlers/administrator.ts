import { type AdministratorId, Administrators, type Mail, type OrgAuthServerId, type Permission } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Redacted from "effect/Redacted"
import { CurrentAdministrator, SojournApi } from "../api/index.ts"
import { Forbidden } from "../api/refusals.ts"
import { listed } from "./listed.ts"
import { refuse } from "./refuse.ts"

const toWire = ({ level, ...rest }: Permission) => ({ ...rest, permission: level })

export const layerAdministrator = HttpApiBuilder.group(
  SojournApi,
  "administrator",
  Effect.fnUntraced(function* (handlers) {
    const administrators = yield* Administrators
    return handlers
      .handle("bind", ({ payload: { organizationId, administratorId, mail, permission, orgAuthServerId } }) =>
        Effect.flatMap(CurrentAdministrator, (owner) =>
          administrators.bind(owner, {
            organizationId,
            administrator: { administratorId: administratorId ?? undefined, mail: mail ?? undefined },
            level: permission,
            orgAuthServerId: orgAuthServerId ?? undefined
          })
        ).pipe(Effect.map(toWire), refuse())
      )
      .handle(
        "create",
        ({ payload: { organizationId, administratorId, mail, password, permission, orgAuthServerId } }) =>
          Effect.flatMap(CurrentAdministrator, (owner) =>
            administrators.create(owner, {
              organizationId,
              administrator: { administratorId: administratorId ?? undefined, mail },
              password: typeof password === "string" ? Redacted.make(password) : undefined,
              level: permission,
              orgAuthServerId: orgAuthServerId ?? undefined
            })
          ).pipe(Effect.map(toWire), refuse())
      )
      .handle("list", ({ params }) =>
        Effect.flatMap(CurrentAdministrator, (owner) =>
          administrators.listByOrganization(owner, params.organizationId)
        ).pipe(
          Effect.map((permissions) => permissions.map(toWire)),
          refuse()
        )
      )
      .handle(
        "permissions",
        Effect.fnUntraced(function* ({ params }) {
          const caller = yield* CurrentAdministrator
          if (params.administratorId !== caller.administratorId) {
            return yield* new Forbidden({ detail: "Administrators read their own permissions alone." })
          }
          return yield* administrators.listOwn(caller).pipe(listed(toWire), refuse())
        })
      )
      .handle("unbind", ({ payload }) =>
        Effect.flatMap(CurrentAdministrator, (owner) =>
          administrators.unbind(owner, {
            organizationId: payload.organizationId,
            administratorId: payload.administratorId as AdministratorId
          })
        ).pipe(refuse())
      )
      .handle("changeLevel", ({ payload }) =>
        Effect.flatMap(CurrentAdministrator, (owner) =>
          administrators.changeLevel(owner, payload.organizationId, {
            administratorId: payload.administratorId as AdministratorId,
            level: payload.permission,
            mail: (payload.mail ?? undefined) as Mail | undefined,
            orgAuthServerId: (payload.orgAuthServerId ?? undefined) as OrgAuthServerId | undefined,
            nominatedBy: (payload.nominatedBy ?? undefined) as AdministratorId | undefined
          })
        ).pipe(Effect.map(toWire), refuse())
      )
  })
)
