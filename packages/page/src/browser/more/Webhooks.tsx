/** The panel of an organization's webhooks, for owners. */
import type { CreatedWebhookJson, WebhookJson } from "@sojourn/adapter-http/json"
import type { TargetedSubmitEvent } from "preact"
import { useState } from "preact/hooks"
import type { PanelProps } from "../model.ts"
import { useLoaded, useShared } from "../shared.ts"
import { Unread } from "../Unread.tsx"
import { useAction } from "./useAction.ts"

const Webhooks = ({ organizationId, reloadPermissions }: PanelProps) => {
  const { words, formats, api } = useShared()
  const path = `/webhook/organization/${organizationId}`
  const { value, failure, reload } = useLoaded(
    async () => (await api.get<ReadonlyArray<WebhookJson>>(path)) ?? [],
    [path]
  )
  const { isWaiting, outcome, run } = useAction(reloadPermissions)
  const [secret, setSecret] = useState<string>()
  const types = Object.keys(words.eventTypes) as Array<keyof typeof words.eventTypes>

  const create = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    run(async () => {
      const draft = { url: data.get("url"), types: data.getAll("types") }
      const created = await api.send<CreatedWebhookJson>("POST", path, draft)
      setSecret(created?.secret)
      form.reset()
      reload()
    })
  }
  const remove = ({ webhookId, url }: WebhookJson) => {
    if (!confirm(words.removeSure(url))) return
    run(async () => {
      await api.send("DELETE", `/webhook/${webhookId}`)
      reload()
    })
  }
  const enable = ({ webhookId }: WebhookJson) =>
    run(async () => {
      await api.send("POST", `/webhook/${webhookId}/enable`)
      reload()
    })

  if (value === undefined) return <Unread failure={failure} />
  return (
    <>
      {failure !== undefined && <Unread failure={failure} />}
      {value.length === 0 ? (
        <p>{words.noWebhooks}</p>
      ) : (
        <ul class="list">
          {value.map((webhook) => (
            <li key={webhook.webhookId}>
              <b>{webhook.url}</b> <span class={`badge ${webhook.state}`}>{words.webhookState[webhook.state]}</span>
              <p>{webhook.types.map((type) => words.eventTypes[type]).join(", ")}</p>
              {webhook.lastFailure !== undefined && (
                <p>{words.lastFailure(formats.moment(webhook.lastFailure.at), webhook.lastFailure.reason)}</p>
              )}
              <div class="bar">
                {webhook.state !== "active" && (
                  <button
                    type="button"
                    aria-label={`${words.enable}: ${webhook.url}`}
                    disabled={isWaiting}
                    onClick={() => enable(webhook)}
                  >
                    {words.enable}
                  </button>
                )}
                <button
                  type="button"
                  aria-label={`${words.remove}: ${webhook.url}`}
                  disabled={isWaiting}
                  onClick={() => remove(webhook)}
                >
                  {words.remove}
                </button>
              </div>
            </li>
          ))}
        </ul>
      )}
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
        <p role="status">{outcome}</p>
        {secret !== undefined && <p class="secret">{words.secret(secret)}</p>}
      </form>
    </>
  )
}

export default Webhooks
