/** What operators do about callers: they bind an administrator to an organization without an owner, and revoke tokens. */
import type { OperatorBindingRequest, TokenRevocation } from "@sojourn/client"
import type { TargetedSubmitEvent } from "preact"
import { PERMISSIONS } from "../organizations/model.ts"
import { useOpened } from "../shared/context.ts"
import { SubmitBar, useAction } from "../shared/useAction.tsx"

export const Binding = () => {
  const { words, api } = useOpened()
  const { isWaiting, outcome, run } = useAction()
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const { organizationId, ...fields } = Object.fromEntries(
      [...new FormData(form)].filter(([, value]) => value !== "")
    )
    run(async () => {
      const body = fields as OperatorBindingRequest
      const added = await api.operator.bindAdministrator({ organizationId: Number(organizationId), body })
      form.reset()
      return words.added(added.mail ?? added.administratorId)
    })
  }
  return (
    <section aria-labelledby="binding">
      <h2 id="binding">{words.bindOwner}</h2>
      <form class="wide" onSubmit={submit}>
        <p>{words.bindOwnerHint}</p>
        <label>
          {words.organizationId}
          <input name="organizationId" required inputMode="numeric" pattern="[0-9]+" />
        </label>
        <label>
          {words.administratorId}
          <input name="administratorId" maxLength={256} autocomplete="off" />
        </label>
        <label>
          {words.mail}
          <input name="mail" type="email" autocomplete="off" />
        </label>
        <label>
          {words.permissionLevel}
          <select name="permission">
            {PERMISSIONS.toReversed().map((level) => (
              <option key={level} value={level}>
                {words.permission[level]}
              </option>
            ))}
          </select>
        </label>
        <SubmitBar label={words.add} outcome={outcome} disabled={isWaiting} />
      </form>
    </section>
  )
}

export const Revocation = () => {
  const { words, api, ask } = useOpened()
  const { isWaiting, outcome, run } = useAction()
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const body = Object.fromEntries(new FormData(form)) as unknown as TokenRevocation
    if (!(await ask({ text: words.revokeSure(body.id), action: words.revokeTokens, isDestructive: true }))) return
    run(async () => {
      await api.operator.revokeTokens({ body })
      form.reset()
      return words.revoked(body.id)
    })
  }
  return (
    <section aria-labelledby="revocation">
      <h2 id="revocation">{words.revokeTokens}</h2>
      <form class="wide" onSubmit={(event) => void submit(event)}>
        <p>{words.revokeHint}</p>
        <label>
          {words.claims.sojourn_kind}
          <select name="kind">
            {(["administrator", "user", "operator"] as const).map((kind) => (
              <option key={kind} value={kind}>
                {words.actors[kind]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.claims.sub}
          <input name="id" required maxLength={256} autocomplete="off" />
        </label>
        <SubmitBar label={words.revokeTokens} outcome={outcome} class="destructive" disabled={isWaiting} />
      </form>
    </section>
  )
}
