/** Answers commands on administrators, permissions and deletion requests by the use cases. */
import { Administrators, type DeletionRequestId, DeletionRequests } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { RequestOf } from "../commands.ts"
import { each, nothing, type Serve, valueOf, type Translation } from "./translation.ts"

export const makeServeAccounts = Effect.fnUntraced(function* (translation: Translation) {
  const { names, answer, administrator, operator, organizationId, administratorId, mail, person } = translation
  const administrators = yield* Administrators
  const deletions = yield* DeletionRequests
  const granted = ({ organization, level, person: id }: RequestOf<"Bind" | "Create">) => ({
    organizationId: organizationId(organization),
    level,
    orgAuthServerId: person(id)
  })
  return {
    Register: ({ by, administrator: named, mail: address }) =>
      administrators
        .register(operator(by), { administratorId: administratorId(named), mail: mail(address) })
        .pipe(valueOf((account) => ({ administrator: account.administratorId, mail: account.mail }))),
    Bind: (request) =>
      administrators
        .bind(administrator(request.by), {
          ...granted(request),
          administrator: { administratorId: administratorId(request.administrator), mail: mail(request.mail) }
        })
        .pipe(valueOf(answer.permission)),
    Create: (request) =>
      administrators
        .create(administrator(request.by), {
          ...granted(request),
          administrator: { administratorId: administratorId(request.administrator), mail: mail(request.mail) }
        })
        .pipe(valueOf(answer.permission)),
    Unbind: ({ by, organization, administrator: named }) =>
      nothing(
        administrators.unbind(administrator(by), {
          organizationId: organizationId(organization),
          administratorId: administratorId(named)
        })
      ),
    ChangeLevel: (request) =>
      administrators
        .changeLevel(administrator(request.by), organizationId(request.organization), {
          administratorId: administratorId(request.administrator),
          level: request.level,
          mail: mail(request.mail),
          orgAuthServerId: person(request.person),
          nominatedBy: administratorId(request.nominatedBy)
        })
        .pipe(valueOf(answer.permission)),
    ListPermissions: ({ by, organization }) =>
      administrators.listByOrganization(administrator(by), organizationId(organization)).pipe(each(answer.permission)),
    ListOwnPermissions: ({ by }) => administrators.listOwn(administrator(by)).pipe(each(answer.permission)),
    RequestDeletion: ({ by, organization, reason, administrator: named }) =>
      nothing(
        deletions.request(administrator(by), {
          organizationId: organizationId(organization),
          reason,
          administratorId: administratorId(named)
        })
      ),
    Decide: ({ by, organization, nth, verdict }) =>
      Effect.flatMap(deletions.list(operator(by), Option.none()), (all) => {
        const own = all.filter((one) => one.organizationId === organizationId(organization))
        const id = own[nth]?.id ?? (names.id("organization", "never") as bigint as DeletionRequestId)
        return nothing((verdict === "approved" ? deletions.approve : deletions.reject)(operator(by), id))
      }),
    ListDeletionRequests: ({ by, status }) =>
      deletions.list(operator(by), Option.fromUndefinedOr(status)).pipe(each(answer.deletionRequest))
  } satisfies Partial<Serve>
})
