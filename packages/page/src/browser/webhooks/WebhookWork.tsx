/** What an owner does with one webhook: test it, give it a new secret, deliver events again, and look at its attempts. */
import type { Webhook } from "@sojourn/client"
import type { TargetedSubmitEvent } from "preact"
import { useState } from "preact/hooks"
import { ActionButton } from "../shared/ActionButton.tsx"
import { DataTable } from "../shared/DataTable.tsx"
import { POLL_INTERVAL_MS, useLoaded } from "../shared/useLoaded.ts"
import { useOpened } from "../shared/context.ts"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { Secret } from "../shared/Secret.tsx"
import { useAction } from "../shared/useAction.tsx"

interface WebhookWorkProps {
  readonly webhook: Webhook
  readonly onForbidden: () => void
  readonly onChanged: () => void
}

export const WebhookWork = ({ webhook, onForbidden, onChanged }: WebhookWorkProps) => {
  const { words, formats, api, ask } = useOpened()
  const { webhookId, url, lastDeliveredVersion } = webhook
  const attempts = useLoaded(() => api.webhook.attempts({ webhookId }), [webhookId], { intervalMs: POLL_INTERVAL_MS })
  const { isWaiting, outcome, run } = useAction(onForbidden)
  const [secret, setSecret] = useState<string>()

  const renew = async () => {
    if (!(await ask({ text: words.newSecretSure(url), action: words.newSecret }))) return
    run(async () => setSecret((await api.webhook.renewSecret({ webhookId })).secret))
  }
  const replay = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fromVersion = Number(new FormData(event.currentTarget).get("fromVersion"))
    run(async () => {
      await api.webhook.replay({ webhookId, body: { fromVersion } })
      onChanged()
      return words.replayed(formats.number(fromVersion))
    })
  }
  return (
    <>
      <div class="bar">
        <ActionButton action={words.newSecret} of={url} disabled={isWaiting} onClick={() => void renew()} />
      </div>
      <form class="bar" onSubmit={replay}>
        <label>
          {words.replayFrom}
          <input name="fromVersion" type="number" min="1" required defaultValue={lastDeliveredVersion ?? 1} />
        </label>
        <ActionButton type="submit" action={words.replay} of={url} disabled={isWaiting} />
      </form>
      <p role="status">{outcome}</p>
      {secret !== undefined && (
        <Secret key={secret} label={words.secretOf(url)} notice={words.secretOnce(url)} secret={secret} />
      )}
      {attempts.failure !== undefined && <NotLoaded failure={attempts.failure} />}
      {attempts.value !== undefined && (
        <DataTable
          caption={`${words.attempts}: ${url}`}
          columns={[
            { title: words.time, cell: ({ at }) => formats.moment(at) },
            { title: words.version, isNumber: true, cell: ({ version }) => version ?? words.testDelivery },
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
