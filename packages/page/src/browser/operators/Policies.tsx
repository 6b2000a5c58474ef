/** The policies of an organization: how long stays may be open and are kept, how exact events and histories are, and its largest area. */
import type { Organization, StayPolicy } from "@sojourn/client"
import { useState } from "preact/hooks"
import { UNITS } from "../audit/sentences.ts"
import { useOpened } from "../shared/context.ts"
import { Field } from "../shared/fields.tsx"
import { type Fields, Form } from "../shared/Form.tsx"
import { Section } from "../shared/Section.tsx"
import { useAction } from "../shared/useAction.tsx"
import { OrganizationField } from "./Callers.tsx"

/** The fields of the members of a policy, with their bounds in the page's units. */
const FIELDS = {
  longestStay: { type: "number", min: 1 / 60, max: 366 * 24, step: "any" },
  retention: { type: "number", min: 1, max: 36_525, step: "any" },
  eventGrain: { type: "number", min: 0, max: 60 },
  smallestCount: { type: "number", min: 1, max: 1_000 },
  staysEndAt: { type: "time" },
  countedResetAt: { type: "time" },
  timeZone: { type: "text", list: "time-zones", maxLength: 64, autocomplete: "off" }
} as const

const NAMES = Object.keys(FIELDS) as ReadonlyArray<keyof typeof FIELDS>

const unitOf = (name: string): number => UNITS[name] ?? 1

/** What a field has of a member. */
const fieldOf = (name: string, member: string | number | undefined) =>
  typeof member === "number" ? member / unitOf(name) : (member ?? "")

/** What a member is of a field: an empty one has no bound. */
const memberOf = (name: keyof typeof FIELDS, text: string) =>
  text === "" ? null : FIELDS[name].type === "number" ? Math.round(Number(text) * unitOf(name)) : text

interface Shown {
  readonly organization: Organization
  readonly policy: StayPolicy
}

const PolicyForm = ({ organization: { id: organizationId, name }, policy: found }: Shown) => {
  const { words, api } = useOpened()
  // A policy that was saved has a form of its own.
  const action = useAction()
  const [policy, setPolicy] = useState(found)
  const save = async ({ maxArea, ...fields }: Fields) => {
    const body = Object.fromEntries(NAMES.map((name) => [name, memberOf(name, fields[name]!.trim())]))
    setPolicy(await api.operator.changeStayPolicy({ organizationId, body }))
    if (maxArea) await api.operator.constrainOrganization({ organizationId, body: { maxArea: Number(maxArea) } })
    return words.saved
  }
  return (
    <Form key={JSON.stringify(policy)} label={words.save} action={action} send={save}>
      <h3>
        <bdi>{name}</bdi>
      </h3>
      <p>{words.policyHint}</p>
      {NAMES.map((name) => (
        <Field
          key={name}
          label={words.policyFields[name]}
          name={name}
          {...FIELDS[name]}
          defaultValue={fieldOf(name, policy[name])}
        />
      ))}
      <datalist id="time-zones">
        {Intl.supportedValuesOf("timeZone").map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <Field label={words.maxArea} name="maxArea" type="number" min="1" step="any" />
    </Form>
  )
}

export const Policies = () => {
  const { words, api } = useOpened()
  const [shown, setShown] = useState<Shown>()
  const find = async (fields: Fields) => {
    const organizationId = Number(fields["organizationId"])
    setShown(undefined)
    const [organization, policy] = await Promise.all([
      api.operator.readOrganization({ organizationId }),
      api.operator.readStayPolicy({ organizationId })
    ])
    setShown({ organization, policy })
  }
  return (
    <Section title={words.policies}>
      <Form class="bar" label={words.show} send={find}>
        <OrganizationField />
      </Form>
      {shown !== undefined && <PolicyForm {...shown} />}
    </Section>
  )
}
