/** A webhook in the list of an organization. */
import type { Webhook } from "@sojourn/client"
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { ActionButton } from "../shared/ActionButton.tsx"
import { useOpened } from "../shared/context.ts"

/** A part that is there while it is open. */
const More = ({ title, children }: { title: string; children: ComponentChildren }) => {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  )
}

interface WebhookItemProps {
  readonly webhook: Webhook
  readonly isWaiting: boolean
  readonly onTest: () => void
  readonly onEnable: () => void
  readonly onRemove: () => void
  /** What is shown below it once that is opened. */
  readonly children: ComponentChildren
}

export const WebhookItem = ({ webhook, isWaiting, onTest, onEnable, onRemove, children }: WebhookItemProps) => {
  const { words, formats } = useOpened()
  return (
    <li>
      <b>{webhook.url}</b> <span class={`badge ${webhook.state}`}>{words.webhookState[webhook.state]}</span>
      <p>{webhook.types.map((type) => words.eventTypes[type]).join(", ")}</p>
      <p>{words.webhookOf(webhook.createdBy)}</p>
      {webhook.lastFailure !== undefined && (
        <p>
          {(webhook.state === "disabled" ? words.disabledBecause : words.lastFailure)(
            formats.moment(webhook.lastFailure.at),
            words.failureReason(webhook.lastFailure.reason)
          )}
        </p>
      )}
      {webhook.state === "disabled" && <p>{words.enableHint}</p>}
      <div class="bar">
        <ActionButton action={words.sendTest} of={webhook.url} disabled={isWaiting} onClick={onTest} />
        {webhook.state !== "active" && (
          <ActionButton action={words.enable} of={webhook.url} disabled={isWaiting} onClick={onEnable} />
        )}
        <ActionButton
          action={words.remove}
          of={webhook.url}
          class="destructive"
          disabled={isWaiting}
          onClick={onRemove}
        />
      </div>
      <More title={words.webhookWork(webhook.url)}>{children}</More>
    </li>
  )
}
