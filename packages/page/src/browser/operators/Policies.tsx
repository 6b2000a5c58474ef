/** The policies of an organization: how long stays may be open and are kept, how exact events and histories are, and its largest area. */
import type { Organization, StayPolicy } from "@sojourn/client"
import type { TargetedSubmitEvent } from "preact"
import { useState } from "preact/hooks"
import { usePage } from "../shared/context.ts"
import { useAction } from "../shared/useAction.tsx"

/** The members of a policy with their bounds, and how many of the service's units one of the page's has. */
const FIELDS = {
  longestStay: { unit: 3_600, min: 1 / 60, max: 366 * 24, step: "any" },
  retention: { unit: 86_400, min: 1, max: 36_525, step: "any" },
  eventGrain: { unit: 1, min: 0, max: 60, step: "1" },
  smallestCount: { unit: 1, min: 1, max: 1_000, step: "1" }
} as const

type Field = keyof typeof FIELDS

const NAMES = Object.keys(FIELDS) as ReadonlyArray<Field>

interface Shown {
  readonly organization: Organization
  readonly policy: StayPolicy
}

export const Policies = () => {
  const { words, api } = usePage()
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
      const body = Object.fromEntries(
        NAMES.map((name) => {
          const text = String(data.get(name))
          return [name, text === "" ? null : Math.round(Number(text) * FIELDS[name].unit)]
        })
      )
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
            const { unit, min, max, step } = FIELDS[name]
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
                  defaultValue={value === undefined ? "" : value / unit}
                />
              </label>
            )
          })}
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
