/** What an owner does with one webhook: give it a new secret, deliver events again, and look at its attempts. */
import type { Webhook } from "@sojourn/client"
import { useState } from "preact/hooks"
import { ActionButton } from "../shared/ActionButton.tsx"
import { DataTable } from "../shared/DataTable.tsx"
import { NumberField, Form } from "../shared/Form.tsx"
import { POLL_INTERVAL_MS, useLoaded } from "../shared/useLoaded.ts"
import { useOpened } from "../shared/context.ts"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { Secret } from "../shared/Secret.tsx"
import { useAction } from "../shared/useAction.tsx"

/** The secret of a webhook, which is shown once. */
export const WebhookSecret = ({ url, secret }: { readonly url: string; readonly secret: string }) => {
  const { words } = useOpened()
  return <Secret key={secret} label={words.secretOf(url)} notice={words.secretOnce(url)} secret={secret} />
}

interface WebhookWorkProps {
  readonly webhook: Webhook
  readonly onChanged: () => void
}

export const WebhookWork = ({ webhook, onChanged }: WebhookWorkProps) => {
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
  const replay = async (fields: Readonly<Record<string, string>>) => {
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
        <NumberField
          label={words.replayFrom}
          name="fromVersion"

          min="1"

          defaultValue={lastDeliveredVersion}
        />
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
