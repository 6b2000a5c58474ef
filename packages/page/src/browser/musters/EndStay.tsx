/** The dialog that ends the stay of a person whom no exit ended, for managers. */
import type { PersonInside } from "@sojourn/client"
import type { TargetedSubmitEvent } from "preact"
import { useState } from "preact/hooks"
import { useOpened } from "../shared/context.ts"
import { Dialog } from "../shared/Dialog.tsx"
import { serverNow } from "../shared/clock.ts"
import { instantOf, localOf } from "../shared/localTime.ts"
import { SubmitBar, useAction } from "../shared/useAction.tsx"

interface EndStayProps {
  readonly organizationId: number
  readonly person: PersonInside
  /** The name of the place, or of the whole organization. */
  readonly place: string
  readonly zone: string
  readonly onForbidden: () => void
  /** With what came of it; without where it was cancelled. */
  readonly onDone: (outcome?: string) => void
}

export const EndStay = ({ organizationId, person, place, zone, onForbidden, onDone }: EndStayProps) => {
  const { words, api } = useOpened()
  const { isWaiting, outcome, run } = useAction(onForbidden)
  const [now] = useState(() => localOf(serverNow(), zone))
  const { orgAuthServerId, placeId, since } = person
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const time = String(new FormData(event.currentTarget).get("time"))
    run(async () => {
      const body = {
        orgAuthServerIds: [orgAuthServerId],
        // The server's own time is the present one.
        ...(time !== now && { exitTimestamp: new Date(instantOf(time, zone)).toISOString() })
      }
      const { ended } =
        placeId === undefined
          ? await api.ending.endOrganization({ organizationId, body })
          : await api.ending.endPlace({ placeId, body })
      onDone(ended === 0 ? words.noStayEnded : words.endedStay(orgAuthServerId))
    })
  }
  return (
    <Dialog title={words.endStayOf(orgAuthServerId, place)} onCancel={() => onDone()}>
      <form onSubmit={submit}>
        <label>
          {words.exitTime}
          <input
            name="time"
            type="datetime-local"
            required
            autofocus
            min={localOf(Date.parse(since), zone)}
            max={now}
            defaultValue={now}
          />
          <small>{words.timesIn(zone)}</small>
        </label>
        <SubmitBar label={words.endStay} outcome={outcome} class="destructive" disabled={isWaiting}>
          <button type="button" onClick={() => onDone()}>
            {words.cancel}
          </button>
        </SubmitBar>
      </form>
    </Dialog>
  )
}
