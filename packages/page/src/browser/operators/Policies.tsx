/** The policies of an organization: how long stays may be open and are kept, how exact events and histories are, and its largest area. */
import type { Organization, StayPolicy } from "@sojourn/client"
import { useState } from "preact/hooks"
import { UNITS } from "../audit/sentences.ts"
import { useOpened } from "../shared/context.ts"
import { Field } from "../shared/fields.tsx"
import { Form } from "../shared/Form.tsx"
import { Section } from "../shared/Section.tsx"
import { useAction } from "../shared/useAction.tsx"
import { OrganizationField } from "./Callers.tsx"

/** The members of a policy that are numbers, with their bounds in the page's units. */
const NUMBERS = {
  longestStay: { min: 1 / 60, max: 366 * 24, step: "any" },
  retention: { min: 1, max: 36_525, step: "any" },
  eventGrain: { min: 0, max: 60, step: "1" },
  smallestCount: { min: 1, max: 1_000, step: "1" }
} as const

const NUMBER_NAMES = Object.keys(NUMBERS) as ReadonlyArray<keyof typeof NUMBERS>

/** The members that are times of day, and the time zone. */
const TEXTS = ["staysEndAt", "countedResetAt", "timeZone"] as const

const unitOf = (name: string): number => UNITS[name] ?? 1

const numberIn = (policy: StayPolicy, name: keyof typeof NUMBERS): number | "" => {
  const value = policy[name]
  return value === undefined ? "" : value / unitOf(name)
}

interface Shown {
  readonly organization: Organization
  readonly policy: StayPolicy
}

export const Policies = () => {
  const { words, api } = useOpened()
  // The form of a policy that was saved is another one.
  const saving = useAction()
  const [shown, setShown] = useState<Shown>()
  const find = async (fields: Readonly<Record<string, string>>) => {
    const organizationId = Number(fields["organizationId"])
    setShown(undefined)
    const [organization, policy] = await Promise.all([
      api.operator.readOrganization({ organizationId }),
      api.operator.readStayPolicy({ organizationId })
    ])
    setShown({ organization, policy })
  }
  const save = async ({ maxArea, ...fields }: Readonly<Record<string, string>>) => {
    const { organization } = shown!
    const { id: organizationId } = organization
    const body = Object.fromEntries(
      Object.entries(fields).map(([name, field]) => {
        const text = field.trim()
        if (text === "") return [name, null]
        return [name, name in NUMBERS ? Math.round(Number(text) * unitOf(name)) : text]
      })
    )
    const policy = await api.operator.changeStayPolicy({ organizationId, body })
    setShown({ organization, policy })
    if (maxArea) await api.operator.constrainOrganization({ organizationId, body: { maxArea: Number(maxArea) } })
    return words.saved
  }
  return (
    <Section title={words.policies}>
      <Form class="bar" label={words.show} send={find}>
        <OrganizationField />
      </Form>
      {shown !== undefined && (
        <Form key={JSON.stringify(shown)} label={words.save} action={saving} send={save}>
          <h3>
            <bdi>{shown.organization.name}</bdi>
          </h3>
          <p>{words.policyHint}</p>
          {NUMBER_NAMES.map((name) => (
            <Field
              key={name}
              label={words.policyFields[name]}
              name={name}
              type="number"
              {...NUMBERS[name]}
              defaultValue={numberIn(shown.policy, name)}
            />
          ))}
          {TEXTS.map((name) => (
            <Field
              key={name}
              label={words.policyFields[name]}
              name={name}
              {...(name === "timeZone" ? { list: "time-zones", maxLength: 64, autocomplete: "off" } : { type: "time" })}
              defaultValue={shown.policy[name]}
            />
          ))}
          <datalist id="time-zones">
            {Intl.supportedValuesOf("timeZone").map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
          <Field label={words.maxArea} name="maxArea" type="number" min="1" step="any" />
        </Form>
      )}
    </Section>
  )
}
