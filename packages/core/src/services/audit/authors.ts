/** Who acts while an effect runs: what the stores write into entries of the audit. */
import * as Context from "effect/Context"
import type { Actor, Author } from "../../domain/audit/AuditEntry.ts"

/** The caller of the use case that runs. Without one, an application called a port itself. */
export const CurrentActor: Context.Reference<Actor> = Context.Reference("@sojourn/core/CurrentActor", {
  defaultValue: (): Actor => ({ kind: "command", id: "application" })
})

/** The command of the command line that runs use cases, which is the actor then; undefined elsewhere. */
export const CurrentCommand: Context.Reference<string | undefined> = Context.Reference("@sojourn/core/CurrentCommand", {
  defaultValue: (): string | undefined => undefined
})

/** The request that is being answered, as the adapter of a transport knows it; undefined outside of requests. */
export const CurrentRequest: Context.Reference<{ readonly requestId?: string } | undefined> = Context.Reference(
  "@sojourn/core/CurrentRequest",
  { defaultValue: (): { readonly requestId?: string } | undefined => undefined }
)

/** Who acts in a context: the command where one runs, else the caller of the use case. */
export const authorIn = (context: Context.Context<never>, caller = Context.get(context, CurrentActor)): Author => {
  const command = Context.get(context, CurrentCommand)
  const actor: Actor = command === undefined ? caller : { kind: "command", id: command }
  return { actor, requestId: Context.get(context, CurrentRequest)?.requestId }
}
