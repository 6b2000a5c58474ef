/** A device in the list of an organization: where it counts or what it shows, whether it is silent, and what a manager does with it. */
import type { Device } from "@sojourn/client"
import { ActionButton } from "../shared/ActionButton.tsx"
import { useOpened } from "../shared/context.ts"
import { Toolbar } from "../shared/Toolbar.tsx"

interface DeviceItemProps {
  readonly device: Device
  /** Where it counts or what it shows, by name. */
  readonly premises: ReadonlyArray<string>
  readonly isManager: boolean
  readonly isWaiting: boolean
  readonly onRenew: () => void
  readonly onRemove: () => void
}

export const DeviceItem = ({ device, premises, isManager, isWaiting, onRenew, onRemove }: DeviceItemProps) => {
  const { words, formats } = useOpened()
  const { name, state, lastSeenAt, drift } = device
  const isDisplay = device.kind === "display"
  const facts: ReadonlyArray<readonly [term: string, values: ReadonlyArray<string>]> = [
    [isDisplay ? words.shows : words.countsAt, premises.length === 0 ? ["–"] : premises],
    [words.lastSeen, [lastSeenAt === undefined ? "–" : formats.dayAndTime(lastSeenAt)]],
    ...(isDisplay ? [] : [[words.drift, [formats.number(drift)]] as const])
  ]
  return (
    <li class={state}>
      <div class="bar">
        <h3>
          <bdi>{name}</bdi>
        </h3>
        <span class={`badge ${state}`}>{(isDisplay ? words.displayState : words.deviceState)[state]}</span>
      </div>
      <dl>
        {facts.map(([term, values]) => (
          <div key={term}>
            <dt>{term}</dt>
            {values.map((value) => (
              <dd key={value}>{value}</dd>
            ))}
          </div>
        ))}
      </dl>
      {isManager && (
        <Toolbar class="bar" label={name}>
          <ActionButton action={words.newToken} of={name} disabled={isWaiting} onClick={onRenew} />
          <ActionButton action={words.remove} of={name} class="destructive" disabled={isWaiting} onClick={onRemove} />
        </Toolbar>
      )}
    </li>
  )
}
