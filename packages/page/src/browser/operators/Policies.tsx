/** The policies of an organization: how long stays may be open and are kept, how exact events and histories are, and its largest area. */
import type { Organization, StayPolicy } from "@sojourn/client"
import type { TargetedSubmitEvent } from "preact"
import { useState } from "preact/hooks"
import { UNITS } from "../audit/sentences.ts"
import { useOpened } from "../shared/context.ts"
import { useAction } from "../shared/useAction.tsx"

/** The members of a policy that are numbers, with their bounds. */
const FIELDS = {
  longestStay: { min: 1 / 60, max: 366 * 24, step: "any" },
  retention: { min: 1, max: 36_525, step: "any" },
  eventGrain: { min: 0, max: 60, step: "1" },
  smallestCount: { min: 1, max: 1_000, step: "1" }
} as const

type Field = keyof typeof FIELDS

const NAMES = Object.keys(FIELDS) as ReadonlyArray<Field>

/** The members that are times of day. */
const TIMES = ["staysEndAt", "countedResetAt"] as const

const unitOf = (name: Field): number => UNITS[name] ?? 1

interface Shown {
  readonly organization: Organization
  readonly policy: StayPolicy
}

export const Policies = () => {
  const { words, api } = useOpened()
  const { isWaiting, outcome, run } = useAction()
  const [shown, setShown] = useState<Shown>()

  const find = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const organizationId = Number(new FormData(event.currentTarget).get("organizationId"))
    setShown(undefined)
    run(async () => {
      const [organization, policy] = await Promise.all([
        api.operator.readOrganization({ organizationId }),
        api.operator.readStayPolicy({ organizationId })
      ])
      setShown({ organization, policy })
    })
  }
  const save = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { organization } = shown!
    const data = new FormData(event.currentTarget)
    const { id: organizationId } = organization
    run(async () => {
      const textOf = (name: string) => String(data.get(name)).trim() || null
      const body = {
        ...Object.fromEntries(
          NAMES.map((name) => {
            const text = textOf(name)
            return [name, text === null ? null : Math.round(Number(text) * unitOf(name))]
          })
        ),
        ...Object.fromEntries([...TIMES, "timeZone"].map((name) => [name, textOf(name)]))
      }
      const policy = await api.operator.changeStayPolicy({ organizationId, body })
      setShown({ organization, policy })
      const maxArea = String(data.get("maxArea"))
      if (maxArea !== "")
        await api.operator.constrainOrganization({ organizationId, body: { maxArea: Number(maxArea) } })
      return words.saved
    })
  }
  return (
    <section aria-labelledby="policies">
      <h2 id="policies">{words.policies}</h2>
      <form class="bar" onSubmit={find}>
        <label>
          {words.organizationId}
          <input name="organizationId" required inputMode="numeric" pattern="[0-9]+" />
        </label>
        <button type="submit" disabled={isWaiting}>
          {words.show}
        </button>
      </form>
      {shown !== undefined && (
        <form key={JSON.stringify(shown)} onSubmit={save}>
          <h3>
            <bdi>{shown.organization.name}</bdi>
          </h3>
          <p>{words.policyHint}</p>
          {NAMES.map((name) => {
            const { min, max, step } = FIELDS[name]
            const value = shown.policy[name]
            return (
              <label key={name}>
                {words.policyFields[name]}
                <input
                  name={name}
                  type="number"
                  min={min}
                  max={max}
                  step={step}
                  defaultValue={value === undefined ? "" : value / unitOf(name)}
                />
              </label>
            )
          })}
          {TIMES.map((name) => (
            <label key={name}>
              {words.policyFields[name]}
              <input name={name} type="time" defaultValue={shown.policy[name]} />
            </label>
          ))}
          <label>
            {words.policyFields.timeZone}
            <input
              name="timeZone"
              list="time-zones"
              maxLength={64}
              autocomplete="off"
              defaultValue={shown.policy.timeZone}
            />
          </label>
          <datalist id="time-zones">
            {Intl.supportedValuesOf("timeZone").map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
          <label>
            {words.maxArea}
            <input name="maxArea" type="number" min="1" step="any" />
          </label>
          <button type="submit" disabled={isWaiting}>
            {words.save}
          </button>
        </form>
      )}
      <p role="status">{outcome}</p>
    </section>
  )
}
