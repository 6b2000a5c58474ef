/** The view of an organization's own data, its webhooks and the request to delete it, for owners. */
import type { OrganizationEdit } from "@sojourn/client"
import type { TargetedSubmitEvent } from "preact"
import { useEffect, useState } from "preact/hooks"
import type { TabProps } from "./organizations/model.ts"
import { Webhooks } from "./webhooks/Webhooks.tsx"
import { useLoaded } from "./shared/useLoaded.ts"
import { SubmitBar, useAction } from "./shared/useAction.tsx"
import { useOpened } from "./shared/context.ts"
import { useUnsaved } from "./shared/useUnsaved.ts"

/** The fields of an organization that are text, and how long each may be. */
const FIELDS = [
  ["name", 128],
  ["description", 512],
  ["image", 300],
  ["street", 256],
  ["number", 10],
  ["postCode", 16],
  ["city", 100],
  ["country", 100],
  ["authenticationServerURL", 2048]
] as const

/** The organization's own data, for owners. */
const Edit = ({ data, reload, reloadPermissions }: Pick<TabProps, "data" | "reload" | "reloadPermissions">) => {
  const { words, api } = useOpened()
  const { isWaiting, outcome, run } = useAction(reloadPermissions)
  // What the fields began with: what others change meanwhile reaches the fields only while nothing was typed in them.
  const [base, setBase] = useState(data)
  const [isTouched, setTouched] = useState(false)
  useUnsaved(isTouched)
  useEffect(() => {
    if (!isTouched) setBase(data)
  }, [data])
  const [mode, setMode] = useState(base.trackingMode)
  useEffect(() => setMode(base.trackingMode), [base])

  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const changes: Record<string, unknown> = {}
    for (const [field] of FIELDS) {
      const text = String(form.get(field))
      if (text !== String(base[field] ?? "")) changes[field] = text === "" ? null : text
    }
    if (mode !== base.trackingMode) changes["trackingMode"] = mode
    run(async () => {
      const updated = await api.organization.edit({ body: { id: data.id, ...changes } as OrganizationEdit })
      setTouched(false)
      setBase(updated)
      reload()
      return words.saved
    })
  }
  return (
    <form class="wide" key={base.lastChangeDate} onSubmit={submit} onInput={() => setTouched(true)}>
      <h2>{words.details}</h2>
      {FIELDS.map(([field, longest]) => (
        <label key={field}>
          {words.fields[field]}
          <input
            name={field}
            maxLength={longest}
            required={field === "name" || (field === "authenticationServerURL" && mode === "authenticated")}
            defaultValue={String(base[field] ?? "")}
          />
        </label>
      ))}
      <label>
        {words.trackingMode}
        <select value={mode} onChange={({ currentTarget }) => setMode(currentTarget.value as typeof mode)}>
          {(["anonymous", "authenticated"] as const).map((mode) => (
            <option key={mode} value={mode}>
              {words.modes[mode]}
            </option>
          ))}
        </select>
      </label>
      <p>{words.modeHint}</p>
      <SubmitBar label={words.save} outcome={outcome} class="primary" disabled={isWaiting} />
    </form>
  )
}

/** Asks the operators of the service to delete the organization. */
const Deletion = ({ data, reloadPermissions }: Pick<TabProps, "data" | "reloadPermissions">) => {
  const { words, formats, api, ask } = useOpened()
  const { isWaiting, outcome, run } = useAction(reloadPermissions)
  const { value: pending, reload } = useLoaded(
    () => api.organization.getDeletionRequest({ organizationId: data.id }),
    [data.id]
  )
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reason = String(new FormData(event.currentTarget).get("reason"))
    const text = words.deletionSure(data.name)
    if (!(await ask({ text, action: words.requestDeletion, isDestructive: true }))) return
    run(async () => {
      const body = { organizationId: data.id, ...(reason !== "" && { requestReason: reason }) }
      await api.organization.requestDeletion({ body })
      reload()
      return words.deletionRequested
    })
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <h2>{words.requestDeletion}</h2>
      {pending !== undefined && (
        <p class="alarm">
          <b>{words.deletionPending}</b>
          <br />
          {words.requestedBy(pending.administratorId, formats.moment(pending.creationDate))}
          {pending.requestReason !== undefined && `. ${words.reason}: ${pending.requestReason}`}
        </p>
      )}
      <p>{words.deletionHint}</p>
      <label>
        {words.reason}
        <input name="reason" maxLength={512} />
      </label>
      <SubmitBar label={words.requestDeletion} outcome={outcome} class="destructive" disabled={isWaiting} />
    </form>
  )
}

const Settings = (props: TabProps) => {
  const { words } = useOpened()
  return (
    <>
      <Edit {...props} />
      <section>
        <h2>{words.webhooks}</h2>
        <Webhooks organizationId={props.data.id} reloadPermissions={props.reloadPermissions} />
      </section>
      <Deletion {...props} />
    </>
  )
}

export default Settings
