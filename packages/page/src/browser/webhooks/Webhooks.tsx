/** An organization's webhooks, among its settings, for owners. */
import type { CreatedWebhook, Webhook } from "@sojourn/client"
import type { TargetedSubmitEvent } from "preact"
import { useState } from "preact/hooks"
import type { PanelProps } from "../organizations/model.ts"
import { POLL_INTERVAL_MS, useLoaded } from "../shared/useLoaded.ts"
import { useOpened } from "../shared/context.ts"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { Secret } from "../shared/Secret.tsx"
import { useAction } from "../shared/useAction.tsx"
import { WebhookItem } from "./WebhookItem.tsx"
import { WebhookWork } from "./WebhookWork.tsx"

export const Webhooks = ({
  organizationId,
  reloadPermissions
}: Pick<PanelProps, "organizationId" | "reloadPermissions">) => {
  const { words, api, ask } = useOpened()
  const list = () => api.webhook.list({ organizationId })
  const { value, failure, reload } = useLoaded(list, [organizationId], { intervalMs: POLL_INTERVAL_MS })
  const { isWaiting, outcome, run } = useAction(reloadPermissions)
  const [created, setCreated] = useState<CreatedWebhook>()
  const types = Object.keys(words.eventTypes) as Array<keyof typeof words.eventTypes>

  const create = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    run(async () => {
      const body = { url: String(data.get("url")), types: data.getAll("types") as typeof types }
      setCreated(await api.webhook.create({ organizationId, body }))
      form.reset()
      reload()
    })
  }
  const remove = async ({ webhookId, url }: Webhook) => {
    if (!(await ask({ text: words.removeSure(url), action: words.remove, isDestructive: true }))) return
    run(async () => {
      await api.webhook.remove({ webhookId })
      reload()
    })
  }
  const test = ({ webhookId }: Webhook) =>
    run(async () => {
      await api.webhook.test({ webhookId })
      return words.testSent
    })
  const enable = ({ webhookId }: Webhook) =>
    run(async () => {
      await api.webhook.enable({ webhookId })
      reload()
    })

  if (value === undefined) return <NotLoaded failure={failure} />
  return (
    <>
      {failure !== undefined && <NotLoaded failure={failure} />}
      {value.length === 0 ? (
        <p>{words.noWebhooks}</p>
      ) : (
        <ul class="list">
          {value.map((webhook) => (
            <WebhookItem
              key={webhook.webhookId}
              webhook={webhook}
              isWaiting={isWaiting}
              onTest={() => test(webhook)}
              onEnable={() => enable(webhook)}
              onRemove={() => void remove(webhook)}
            >
              <WebhookWork webhook={webhook} onForbidden={reloadPermissions} onChanged={reload} />
            </WebhookItem>
          ))}
        </ul>
      )}
      <p role="status">{outcome}</p>
      <form onSubmit={create}>
        <h3>{words.addWebhook}</h3>
        <label>
          {words.url}
          <input name="url" type="url" pattern="https://.+" required />
        </label>
        <fieldset>
          <legend>{words.events}</legend>
          {types.map((type) => (
            <label key={type} class="check">
              <input type="checkbox" name="types" value={type} defaultChecked={type !== "presence.changed"} />
              {words.eventTypes[type]}
            </label>
          ))}
        </fieldset>
        <button type="submit" disabled={isWaiting}>
          {words.add}
        </button>
        {created !== undefined && (
          <Secret
            key={created.webhookId}
            label={words.secretOf(created.url)}
            notice={words.secretOnce(created.url)}
            secret={created.secret}
          />
        )}
      </form>
    </>
  )
}
