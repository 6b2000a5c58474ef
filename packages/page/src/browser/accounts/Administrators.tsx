/** The tab of an organization's administrators and their levels, for owners. */
import type { AdministratorCreationRequest, Permission as Membership } from "@sojourn/client"
import { useState } from "preact/hooks"
import { ActionButton } from "../shared/ActionButton.tsx"
import { allows, type Permission, PERMISSIONS, readPermission, type TabProps } from "../organizations/model.ts"
import { DataTable } from "../shared/DataTable.tsx"
import { Choice, Field } from "../shared/fields.tsx"
import { type Fields, Form, IdField, filledOf } from "../shared/Form.tsx"
import { type Action, useAction } from "../shared/useAction.tsx"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { useLoaded } from "../shared/useLoaded.ts"
import { useOpened } from "../shared/context.ts"
import { Copy, QrCode } from "../shared/Secret.tsx"
import { addressOf, hrefOf } from "../shared/route.ts"
import { Unprovable } from "./Unbound.tsx"

/** The levels that an administrator may give: up to their own. */
const levelsBelow = (own: Permission) => PERMISSIONS.filter((level) => allows(own, level))

interface LevelProps {
  readonly membership: Membership
  readonly own: Permission
  readonly isSelf: boolean
  readonly action: Action
  /** Reads again what was changed; answers what is said of it. */
  readonly onSaved: () => string
}

/** The level of an administrator, to be changed or taken away. */
const Level = ({ membership, own, isSelf, action: { isWaiting, run }, onSaved }: LevelProps) => {
  const { words, api } = useOpened()
  const { administratorId, organizationId, mail: who = administratorId } = membership
  const held = readPermission(membership.permission)
  const [level, setLevel] = useState(held)
  const change = () =>
    run(
      () =>
        api.administrator.changeLevel({ body: { administratorId, organizationId, permission: level } }).then(onSaved),
      isSelf ? { text: words.lowerSelfSure, action: words.changeLevel, isDestructive: true } : undefined
    )
  const unbind = () =>
    run(() => api.administrator.unbind({ body: { administratorId, organizationId } }).then(onSaved), {
      text: words.unbindSure(who),
      action: words.remove,
      isDestructive: true
    })
  return (
    <div class="bar">
      <Choice
        label={`${words.permissionLevel}: ${who}`}
        isLabelUnseen
        texts={words.permission}
        values={levelsBelow(own)}
        value={level}
        onValue={setLevel}
      />
      {level !== held && (
        <ActionButton
          action={words.save}
          aria-label={`${words.changeLevel}: ${who}`}
          disabled={isWaiting}
          onClick={change}
        />
      )}
      <ActionButton action={words.remove} of={who} class="destructive" disabled={isWaiting} onClick={unbind} />
    </div>
  )
}

/** A link to an organization's page for an administrator who was added, as a text to copy and as a QR code. */
const Invitation = ({ data: { id, name } }: Pick<TabProps, "data">) => {
  const { words } = useOpened()
  const link = addressOf(hrefOf({ organizationId: id }))
  return (
    <div role="group" aria-label={words.invitation(name)}>
      <p>{words.invitationHint}</p>
      <p class="secret">
        <a href={link}>{link}</a>
      </p>
      <QrCode link={link} />
      <Copy text={link} />
    </div>
  )
}

interface AddProps extends Pick<TabProps, "data" | "permission"> {
  readonly onAdded: () => void
}

/** Binds an administrator who has an account, or creates one. */
const Add = ({ data, permission: own, onAdded }: AddProps) => {
  const { words, api } = useOpened()
  const [isInvited, setInvited] = useState(false)
  const [account, setAccount] = useState<keyof typeof words.accounts>("known")
  const isNew = account === "new"
  const send = async (fields: Fields, form: HTMLFormElement) => {
    setInvited(false)
    const body = { ...filledOf(fields), organizationId: data.id } as AdministratorCreationRequest
    const added = isNew ? await api.administrator.create({ body }) : await api.administrator.bind({ body })
    form.reset()
    setInvited(true)
    onAdded()
    return words.added(added.mail ?? added.administratorId)
  }
  return (
    <>
      <Form class="wide" label={words.add} button={{ class: "primary" }} send={send}>
        <h3>{words.addAdministrator}</h3>
        <Choice label={words.account} texts={words.accounts} value={account} onValue={setAccount} />
        <p>{isNew ? words.newHint : words.knownHint}</p>
        {isNew && <Unprovable />}
        {!isNew && <IdField label={words.administratorId} name="administratorId" />}
        <Field label={words.mail} name="mail" type="email" required={isNew} autocomplete="off" />
        {isNew && (
          <Field
            label={words.optional(words.password)}
            name="password"
            type="password"
            minLength={8}
            maxLength={256}
            autocomplete="new-password"
          />
        )}
        <IdField label={words.optional(words.personId)} name="orgAuthServerId" />
        <Choice label={words.permissionLevel} texts={words.permission} name="permission" values={levelsBelow(own)} />
      </Form>
      {isInvited && <Invitation data={data} />}
    </>
  )
}

const Administrators = ({ administratorId: self, permission: own, data }: TabProps) => {
  const { words, api, reloadPermissions } = useOpened()
  const { id: organizationId } = data
  const { value, failure, reload } = useLoaded(() => api.administrator.list({ organizationId }), [organizationId])
  const action = useAction()
  if (failure !== undefined || value === undefined) return <NotLoaded failure={failure} />

  const isOwner = ({ permission }: Membership) => readPermission(permission) === "owner"
  const hasOtherOwners = value.filter(isOwner).length > 1
  const level = (membership: Membership) => {
    const { administratorId, permission } = membership
    const isSelf = administratorId === self
    // The last owner stays one.
    if (isOwner(membership) && !hasOtherOwners) return words.permission.owner
    return (
      <Level
        key={`${administratorId} ${permission}`}
        membership={membership}
        own={own}
        isSelf={isSelf}
        action={action}
        onSaved={() => {
          if (isSelf) reloadPermissions?.()
          else reload()
          return words.saved
        }}
      />
    )
  }
  return (
    <section>
      <h2>{words.administrators}</h2>
      <DataTable
        caption={words.administrators}
        columns={[
          {
            title: words.mail,
            cell: ({ administratorId, mail, orgAuthServerId }) => (
              <>
                {mail ?? administratorId}
                {administratorId === self && ` (${words.you})`}
                {mail !== undefined && <small>{administratorId}</small>}
                {orgAuthServerId !== undefined && (
                  <small>
                    {words.personId}: {orgAuthServerId}
                  </small>
                )}
              </>
            )
          },
          { title: words.nominatedBy, cell: ({ nominatedBy }) => nominatedBy },
          { title: words.permissionLevel, cell: level }
        ]}
        rows={value}
        keyOf={({ administratorId }) => administratorId}
        file={`administrators-${organizationId}`}
        toCsv={({ administratorId, mail, permission, nominatedBy, orgAuthServerId }) => ({
          administratorId,
          mail,
          permission: readPermission(permission),
          nominatedBy,
          orgAuthServerId
        })}
      />
      <p role="status">{action.outcome}</p>
      <Add data={data} permission={own} onAdded={reload} />
    </section>
  )
}

export default Administrators
