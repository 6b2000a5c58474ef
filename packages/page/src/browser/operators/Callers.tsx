/** What operators do about callers: they bind an administrator to an organization without an owner, and revoke tokens. */
import type { OperatorBindingRequest, TokenRevocation } from "@sojourn/client"
import { PERMISSIONS } from "../organizations/model.ts"
import { useOpened } from "../shared/context.ts"
import { Choice, Field } from "../shared/fields.tsx"
import { type Fields, Form, IdField, filledOf } from "../shared/Form.tsx"
import { Section } from "../shared/Section.tsx"

/** The field of the organization that something is done in. */
export const OrganizationField = () => {
  const { words } = useOpened()
  return <Field label={words.organizationId} name="organizationId" required inputMode="numeric" pattern="[0-9]+" />
}

export const Binding = () => {
  const { words, api } = useOpened()
  const bind = async (fields: Fields, form: HTMLFormElement) => {
    const { organizationId, ...body } = filledOf(fields)
    const added = await api.operator.bindAdministrator({
      organizationId: Number(organizationId),
      body: body as unknown as OperatorBindingRequest
    })
    form.reset()
    return words.added(added.mail ?? added.administratorId)
  }
  return (
    <Section title={words.bindOwner}>
      <Form class="wide" label={words.add} send={bind}>
        <p>{words.bindOwnerHint}</p>
        <OrganizationField />
        <IdField label={words.administratorId} name="administratorId" />
        <Field label={words.mail} name="mail" type="email" autocomplete="off" />
        <Choice
          label={words.permissionLevel}
          name="permission"
          texts={words.permission}
          values={PERMISSIONS.toReversed()}
        />
      </Form>
    </Section>
  )
}

export const Revocation = () => {
  const { words, api } = useOpened()
  return (
    <Section title={words.revokeTokens}>
      <Form
        class="wide"
        label={words.revokeTokens}
        button={{ class: "destructive" }}
        question={({ id }) => ({ text: words.revokeSure(id!), action: words.revokeTokens, isDestructive: true })}
        send={async (fields, form) => {
          const body = fields as unknown as TokenRevocation
          await api.operator.revokeTokens({ body })
          form.reset()
          return words.revoked(body.id)
        }}
      >
        <p>{words.revokeHint}</p>
        <Choice
          label={words.claims.sojourn_kind}
          name="kind"
          texts={words.actors}
          values={["administrator", "user", "operator"]}
        />
        <IdField label={words.claims.sub} name="id" required />
      </Form>
    </Section>
  )
}
