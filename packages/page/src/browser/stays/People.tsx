/** The tab of people's stays: how long they were in places, and when they came and went. */
import { useState } from "preact/hooks"
import { type TabProps, WHOLE } from "../organizations/model.ts"
import { Field } from "../shared/fields.tsx"
import { Form } from "../shared/Form.tsx"
import { Details } from "../shared/Section.tsx"
import { useLoaded } from "../shared/useLoaded.ts"
import { useOpened } from "../shared/context.ts"
import { Accesses } from "./Accesses.tsx"
import { namesOf } from "./names.ts"
import { Report } from "./Report.tsx"
import { readNames, readReports } from "./requests.ts"
import { useWindow } from "../shared/useWindow.tsx"

/** Up to as many places are reported on together before anything is chosen. */
const MAX_UNCHOSEN_PLACES = 20

/** Reads names from the organization's directory, with the administrator's own credentials there. */
const Directory = ({ read }: { read: (username: string, password: string) => Promise<number> }) => {
  const { words, formats } = useOpened()
  return (
    <Details title={<h2>{words.names}</h2>}>
      <Form
        label={words.readNames}
        send={async ({ username, password }, form) => {
          const found = await read(username!, password!)
          form.reset()
          return words.namesRead(formats.number(found))
        }}
      >
        <p>{words.namesHint}</p>
        <Field label={words.directoryUser} name="username" autocomplete="off" required />
        <Field label={words.directoryPassword} name="password" type="password" autocomplete="off" required />
      </Form>
    </Details>
  )
}

const People = ({ data, places }: TabProps) => {
  const { api } = useOpened()
  const organizationId = data.id
  const { window, isAny, element } = useWindow("any")
  const [place, setPlaceId] = useState(places.length <= MAX_UNCHOSEN_PLACES ? undefined : places[0]!.id)
  const placeId = isAny && place === WHOLE ? undefined : place
  const isWrong = !isAny && window === undefined
  const reported = isWrong ? [] : placeId === undefined ? places.map(({ id }) => id) : [placeId]
  const report = useLoaded(() => readReports(api, organizationId, reported, window), [reported.join(), window])
  const [chosen, onChosen] = useState<ReadonlyArray<string>>([])
  const [, redraw] = useState(0)
  const names = namesOf(api, organizationId)
  const shared = { organizationId, places, names, window, chosen, onChosen }

  const read = async (username: string, password: string) => {
    const people = [...new Set([...(report.value ?? []).map((row) => row.orgAuthServerId), ...chosen])]
    const found = await readNames(api, organizationId, { username, password }, people)
    for (const { orgAuthServerId, name, surname } of found) names.set(orgAuthServerId, { name, surname })
    redraw((n) => n + 1)
    return found.length
  }
  return (
    <>
      <div class="bar">{element}</div>
      <Directory read={read} />
      <Report {...shared} placeId={placeId} onPlace={setPlaceId} report={report} />
      <Accesses
        {...shared}
        // The interface lists those of windows while the organization knows its people.
        window={data.trackingMode === "authenticated" ? window : undefined}
        isAny={isAny || data.trackingMode === "anonymous"}
      />
    </>
  )
}

export default People
