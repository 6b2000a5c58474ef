/** The view of an organization's own data, its webhooks and the request to delete it, for owners. */
import type { OrganizationEdit } from "@sojourn/client"
import { useEffect, useState } from "preact/hooks"
import type { TabProps } from "./organizations/model.ts"
import { Webhooks } from "./webhooks/Webhooks.tsx"
import { useLoaded } from "./shared/useLoaded.ts"
import { Choice, Field } from "./shared/fields.tsx"
import { type Fields, Form } from "./shared/Form.tsx"
import { useAction } from "./shared/useAction.tsx"
import { useOpened } from "./shared/context.ts"
import { useUnsaved } from "./shared/useUnsaved.ts"

/** The fields of an organization that are text, and how long each may be. */
const FIELDS = {
  name: 128,
  description: 512,
  image: 300,
  street: 256,
  number: 10,
  postCode: 16,
  city: 100,
  country: 100,
  authenticationServerURL: 2048
}

const FIELD_NAMES = Object.keys(FIELDS) as ReadonlyArray<keyof typeof FIELDS>

/** The organization's own data, for owners. */
const Edit = ({ data, reload }: Pick<TabProps, "data" | "reload">) => {
  const { words, api } = useOpened()
  const action = useAction()
  // What the fields began with: what others change meanwhile reaches the fields only while nothing was typed in them.
  const [base, setBase] = useState(data)
  const [isTouched, setTouched] = useState(false)
  useUnsaved(isTouched)
  useEffect(() => {
    if (!isTouched) setBase(data)
  }, [data])
  const [mode, setMode] = useState(base.trackingMode)
  useEffect(() => setMode(base.trackingMode), [base])
  const textOf = (name: string) => String(base[name as keyof typeof base] ?? "")

  const send = async (fields: Fields) => {
    const changed = Object.entries(fields).filter(([name, text]) => text !== textOf(name))
    const changes = Object.fromEntries(changed.map(([name, text]) => [name, text === "" ? null : text]))
    const updated = await api.organization.edit({ body: { id: data.id, ...changes } as OrganizationEdit })
    setTouched(false)
    setBase(updated)
    reload()
    return words.saved
  }
  return (
    <Form
      key={base.lastChangeDate}
      class="wide"
      label={words.save}
      button={{ class: "primary" }}
      action={action}
      send={send}
      onInput={() => setTouched(true)}
    >
      <h2>{words.details}</h2>
      {FIELD_NAMES.map((name) => (
        <Field
          key={name}
          label={words.fields[name]}
          name={name}
          maxLength={FIELDS[name]}
          required={name === "name" || (name === "authenticationServerURL" && mode === "authenticated")}
          defaultValue={textOf(name)}
        />
      ))}
      <Choice label={words.trackingMode} name="trackingMode" texts={words.modes} value={mode} onValue={setMode} />
      <p>{words.modeHint}</p>
    </Form>
  )
}

/** Asks the operators of the service to delete the organization. */
const Deletion = ({ data }: Pick<TabProps, "data">) => {
  const { words, formats, api } = useOpened()
  const { id: organizationId, name } = data
  const read = () => api.organization.getDeletionRequest({ organizationId })
  const { value: pending, reload } = useLoaded(read, [organizationId])
  return (
    <Form
      label={words.requestDeletion}
      button={{ class: "destructive" }}
      question={() => ({ text: words.deletionSure(name), action: words.requestDeletion, isDestructive: true })}
      send={async ({ reason }) => {
        await api.organization.requestDeletion({ body: { organizationId, ...(reason && { requestReason: reason }) } })
        reload()
        return words.deletionRequested
      }}
    >
      <h2>{words.requestDeletion}</h2>
      {pending !== undefined && (
        <p class="alarm">
          <b>{words.acts["deletionRequest.create"]}</b>
          <br />
          {words.requestedBy(pending.administratorId, formats.moment(pending.creationDate))}
          {pending.requestReason !== undefined && `. ${words.reason}: ${pending.requestReason}`}
        </p>
      )}
      <p>{words.deletionHint}</p>
      <Field label={words.reason} name="reason" maxLength={512} />
    </Form>
  )
}

const Settings = (props: TabProps) => {
  const { words } = useOpened()
  return (
    <>
      <Edit {...props} />
      <section>
        <h2>{words.webhooks}</h2>
        <Webhooks organizationId={props.data.id} />
      </section>
      <Deletion {...props} />
    </>
  )
}

export default Settings
