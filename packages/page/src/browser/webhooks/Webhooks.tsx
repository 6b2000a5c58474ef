/** An organization's webhooks, among its settings, for owners. */
import type { CreatedWebhook, Webhook } from "@sojourn/client"
import { useState } from "preact/hooks"
import { ActionButton } from "../shared/ActionButton.tsx"
import { DataTable } from "../shared/DataTable.tsx"
import { Check, Field } from "../shared/fields.tsx"
import { type Fields, Form, NumberField } from "../shared/Form.tsx"
import { Details } from "../shared/Section.tsx"
import { POLL_INTERVAL_MS, useLoaded } from "../shared/useLoaded.ts"
import { useOpened } from "../shared/context.ts"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { Secret } from "../shared/Secret.tsx"
import { type Action, useAction } from "../shared/useAction.tsx"

/** The secret of a webhook, which is shown once. */
const WebhookSecret = ({ url, secret }: { readonly url: string; readonly secret: string }) => {
  const { words } = useOpened()
  return <Secret key={secret} label={words.secretOf(url)} notice={words.secretOnce(url)} secret={secret} />
}

/** What an owner does with one webhook: give it a new secret, deliver events again, and look at its attempts. */
const WebhookWork = ({ webhook, onChanged }: { readonly webhook: Webhook; readonly onChanged: () => void }) => {
  const { words, formats, api } = useOpened()
  const { webhookId, url, lastDeliveredVersion = 1 } = webhook
  const attempts = useLoaded(() => api.webhook.attempts({ webhookId }), [webhookId], { intervalMs: POLL_INTERVAL_MS })
  const action = useAction()
  const [secret, setSecret] = useState<string>()
  const renew = () =>
    action.run(async () => setSecret((await api.webhook.renewSecret({ webhookId })).secret), {
      text: words.newSecretSure(url),
      action: words.newSecret
    })
  const replay = async (fields: Fields) => {
    const fromVersion = Number(fields["fromVersion"])
    await api.webhook.replay({ webhookId, body: { fromVersion } })
    onChanged()
    return words.replayed(formats.number(fromVersion))
  }
  return (
    <>
      <div class="bar">
        <ActionButton action={words.newSecret} of={url} disabled={action.isWaiting} onClick={renew} />
      </div>
      <Form
        class="bar"
        label={words.replay}
        button={{ "aria-label": `${words.replay}: ${url}` }}
        action={action}
        send={replay}
      >
        <NumberField label={words.replayFrom} name="fromVersion" min="1" defaultValue={lastDeliveredVersion} />
      </Form>
      {secret !== undefined && <WebhookSecret url={url} secret={secret} />}
      {attempts.failure !== undefined && <NotLoaded failure={attempts.failure} />}
      {attempts.value !== undefined && (
        <DataTable
          caption={`${words.attempts}: ${url}`}
          columns={[
            { title: words.time, cell: ({ at }) => formats.moment(at) },
            { title: words.version, isNumber: true, cell: ({ version }) => version ?? words.sendTest },
            {
              title: words.answer,
              cell: ({ status, failure }) => (failure === undefined ? status : words.failureReason(failure))
            },
            { title: words.milliseconds, isNumber: true, cell: ({ ms }) => formats.number(ms) }
          ]}
          rows={attempts.value}
          keyOf={({ at, version }) => `${at} ${version}`}
          file={`attempts-webhook-${webhookId}`}
          toCsv={({ version, at, status, ms, failure }) => ({ version, at, status, ms, failure })}
        />
      )}
    </>
  )
}

interface WebhookItemProps {
  readonly webhook: Webhook
  readonly action: Action
  /** Reads the list again, after a change of it. */
  readonly reload: () => void
}

/** A webhook in the list: its state, what is done with it, and its deliveries once they are opened. */
const WebhookItem = ({ webhook, action: { isWaiting, run }, reload }: WebhookItemProps) => {
  const { words, formats, api } = useOpened()
  const { webhookId, url, state, types, createdBy, lastFailure } = webhook
  const isDisabled = state === "disabled"
  const test = () => run(() => api.webhook.test({ webhookId }).then(() => words.testSent))
  const enable = () => run(() => api.webhook.enable({ webhookId }).then(reload))
  const remove = () =>
    run(() => api.webhook.remove({ webhookId }).then(reload), {
      text: words.removeSure(url),
      action: words.remove,
      isDestructive: true
    })
  return (
    <li>
      <b>{url}</b> <span class={`badge ${state}`}>{words.webhookState[state]}</span>
      <p>{types.map((type) => words.eventTypes[type]).join(", ")}</p>
      <p>{words.webhookOf(createdBy)}</p>
      {lastFailure !== undefined && (
        <p>
          {(isDisabled ? words.disabledBecause : words.lastFailure)(
            formats.moment(lastFailure.at),
            words.failureReason(lastFailure.reason)
          )}
        </p>
      )}
      {isDisabled && <p>{words.enableHint}</p>}
      <div class="bar">
        <ActionButton action={words.sendTest} of={url} disabled={isWaiting} onClick={test} />
        {state !== "active" && <ActionButton action={words.enable} of={url} disabled={isWaiting} onClick={enable} />}
        <ActionButton action={words.remove} of={url} class="destructive" disabled={isWaiting} onClick={remove} />
      </div>
      <Details title={words.webhookWork(url)}>
        <WebhookWork webhook={webhook} onChanged={reload} />
      </Details>
    </li>
  )
}

export const Webhooks = ({ organizationId }: { readonly organizationId: number }) => {
  const { words, api } = useOpened()
  const list = () => api.webhook.list({ organizationId })
  const { value, failure, reload } = useLoaded(list, [organizationId], { intervalMs: POLL_INTERVAL_MS })
  const action = useAction()
  const [created, setCreated] = useState<CreatedWebhook>()
  const types = Object.keys(words.eventTypes) as Array<keyof typeof words.eventTypes>
  const create = async ({ url }: Fields, form: HTMLFormElement) => {
    const chosen = new FormData(form).getAll("types") as typeof types
    setCreated(await api.webhook.create({ organizationId, body: { url: url!, types: chosen } }))
    form.reset()
    reload()
  }
  if (value === undefined) return <NotLoaded failure={failure} />
  return (
    <>
      {failure !== undefined && <NotLoaded failure={failure} />}
      {value.length === 0 && <p>{words.noWebhooks}</p>}
      <ul class="list">
        {value.map((webhook) => (
          <WebhookItem key={webhook.webhookId} webhook={webhook} action={action} reload={reload} />
        ))}
      </ul>
      <p role="status">{action.outcome}</p>
      <Form label={words.add} send={create}>
        <h3>{words.addWebhook}</h3>
        <Field label={words.url} name="url" type="url" pattern="https://.+" required />
        <fieldset>
          <legend>{words.events}</legend>
          {types.map((type) => (
            <Check key={type} name="types" value={type} defaultChecked={type !== "presence.changed"}>
              {words.eventTypes[type]}
            </Check>
          ))}
        </fieldset>
      </Form>
      {created !== undefined && <WebhookSecret url={created.url} secret={created.secret} />}
    </>
  )
}
