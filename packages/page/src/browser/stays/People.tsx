/** The tab of people's stays: how long they were in places, and when they came and went. */
import type { TargetedSubmitEvent } from "preact"
import { useState } from "preact/hooks"
import type { TabProps } from "../organizations/model.ts"
import { SubmitBar, useAction } from "../shared/useAction.tsx"
import { useLoaded } from "../shared/useLoaded.ts"
import { useOpened } from "../shared/context.ts"
import { Accesses } from "./Accesses.tsx"
import { addNames, namesOf } from "./names.ts"
import { Report } from "./Report.tsx"
import { readNames, readReports, WHOLE } from "./requests.ts"
import { zoneOf } from "../shared/localTime.ts"
import { useWindow } from "../shared/useWindow.tsx"

/** Up to as many places are reported on together before anything is chosen. */
const MAX_UNCHOSEN_PLACES = 20

/** Reads names from the organization's directory, with the administrator's own credentials there. */
const Directory = ({ read }: { read: (username: string, password: string) => Promise<number> }) => {
  const { words, formats } = useOpened()
  const { isWaiting, outcome, run } = useAction()
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    run(async () => {
      const found = await read(String(data.get("username")), String(data.get("password")))
      form.reset()
      return words.namesRead(formats.number(found))
    })
  }
  return (
    <details>
      <summary>
        <h2>{words.names}</h2>
      </summary>
      <form onSubmit={submit}>
        <p>{words.namesHint}</p>
        <label>
          {words.directoryUser}
          <input name="username" autocomplete="off" required />
        </label>
        <label>
          {words.directoryPassword}
          <input name="password" type="password" autocomplete="off" required />
        </label>
        <SubmitBar label={words.readNames} outcome={outcome} disabled={isWaiting} />
      </form>
    </details>
  )
}

const People = ({ data, places }: TabProps) => {
  const { api } = useOpened()
  const organizationId = data.id
  const zone = zoneOf(data.timeZone)
  const { window, isAny, element } = useWindow(zone, ["any", "week", "lastWeek", "month", "dates"])
  const [place, setPlaceId] = useState(places.length <= MAX_UNCHOSEN_PLACES ? undefined : places[0]!.id)
  // The organization itself has reports of windows alone.
  const placeId = isAny && place === WHOLE ? undefined : place
  const isWrong = !isAny && window === undefined
  const reported = isWrong ? [] : placeId === undefined ? places.map(({ id }) => id) : [placeId]
  const report = useLoaded(() => readReports(api, organizationId, reported, window), [reported.join(), window])
  const [chosen, setChosen] = useState<ReadonlyArray<string>>([])
  const [, redraw] = useState(0)
  const names = namesOf(api, organizationId)

  const read = async (username: string, password: string) => {
    const people = [...new Set([...(report.value ?? []).map((row) => row.orgAuthServerId), ...chosen])]
    const found = await readNames(api, organizationId, { username, password }, people)
    addNames(api, organizationId, found)
    redraw((n) => n + 1)
    return found.length
  }
  return (
    <>
      <div class="bar">{element}</div>
      <Directory read={read} />
      <Report
        organizationId={organizationId}
        places={places}
        names={names}
        placeId={placeId}
        onPlace={setPlaceId}
        hasWhole={window !== undefined}
        report={report}
        chosen={chosen}
        onChosen={setChosen}
      />
      <Accesses
        organizationId={organizationId}
        places={places}
        names={names}
        chosen={chosen}
        onChosen={setChosen}
        // The interface lists those of windows while the organization knows its people.
        window={data.trackingMode === "authenticated" ? window : undefined}
        isAny={isAny || data.trackingMode === "anonymous"}
        zone={zone}
      />
    </>
  )
}

export default People
