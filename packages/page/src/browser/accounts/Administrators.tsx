/** The tab of an organization's administrators and their levels, for owners. */
import type { AdministratorCreationRequest, Permission as Membership } from "@sojourn/client"
import type { TargetedSubmitEvent } from "preact"
import { useState } from "preact/hooks"
import { ActionButton, CsvButton } from "../shared/ActionButton.tsx"
import { allows, type Permission, PERMISSIONS, readPermission, type TabProps } from "../organizations/model.ts"
import { SubmitBar, useAction } from "../shared/useAction.tsx"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { useLoaded } from "../shared/useLoaded.ts"
import { useOpened } from "../shared/context.ts"
import { Invitation } from "./Invitation.tsx"
import { Unprovable } from "./Unprovable.tsx"

interface LevelChoiceProps {
  readonly own: Permission
  readonly value: Permission
  readonly onChange: (level: Permission) => void
  readonly label?: string
}

/** The levels that an administrator may give: up to their own. */
const LevelChoice = ({ own, value, onChange, label }: LevelChoiceProps) => {
  const { words } = useOpened()
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value as Permission)}
    >
      {PERMISSIONS.filter((level) => allows(own, level)).map((level) => (
        <option key={level} value={level}>
          {words.permission[level]}
        </option>
      ))}
    </select>
  )
}

interface RowProps {
  readonly permission: Membership
  readonly isSelf: boolean
  /** The last owner stays one. */
  readonly mayChange: boolean
  readonly own: Permission
  readonly isWaiting: boolean
  readonly onChange: (level: Permission) => void
  readonly onUnbind: () => void
}

const Row = ({ permission, isSelf, mayChange, own, isWaiting, onChange, onUnbind }: RowProps) => {
  const { words } = useOpened()
  const held = readPermission(permission.permission)
  const [level, setLevel] = useState(held)
  const who = permission.mail ?? permission.administratorId
  return (
    <tr>
      <th scope="row">
        {who}
        {isSelf && ` (${words.you})`}
        {permission.mail !== undefined && (
          <>
            <br />
            <small>{permission.administratorId}</small>
          </>
        )}
        {permission.orgAuthServerId !== undefined && (
          <>
            <br />
            <small>
              {words.personId}: {permission.orgAuthServerId}
            </small>
          </>
        )}
      </th>
      <td>{permission.nominatedBy}</td>
      <td>
        {mayChange ? (
          <div class="bar">
            <LevelChoice own={own} value={level} onChange={setLevel} label={`${words.permissionLevel}: ${who}`} />
            {level !== held && (
              <button
                type="button"
                aria-label={`${words.changeLevel}: ${who}`}
                disabled={isWaiting}
                onClick={() => onChange(level)}
              >
                {words.save}
              </button>
            )}
            <ActionButton action={words.unbind} of={who} class="destructive" disabled={isWaiting} onClick={onUnbind} />
          </div>
        ) : (
          words.permission[held]
        )}
      </td>
    </tr>
  )
}

interface AddProps {
  readonly organization: string
  readonly organizationId: number
  readonly own: Permission
  readonly onAdded: () => void
  readonly onForbidden: () => void
}

/** Binds an administrator who has an account, or creates one. */
const Add = ({ organizationId, organization, own, onAdded, onForbidden }: AddProps) => {
  const { words, api } = useOpened()
  /** Whether somebody was added, who gets a link. */
  const [isInvited, setInvited] = useState(false)
  const { isWaiting, outcome, run } = useAction(onForbidden)
  const [account, setAccount] = useState<"known" | "new">("known")
  const [level, setLevel] = useState<Permission>("viewer")
  const isNew = account === "new"
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    setInvited(false)
    const fields = [...new FormData(form)].filter(([, value]) => value !== "")
    run(async () => {
      const body = { ...Object.fromEntries(fields), organizationId, permission: level } as AdministratorCreationRequest
      const added = isNew ? await api.administrator.create({ body }) : await api.administrator.bind({ body })
      form.reset()
      setInvited(true)
      onAdded()
      return words.added(added.mail ?? added.administratorId)
    })
  }
  return (
    <form class="wide" onSubmit={submit}>
      <h3>{words.addAdministrator}</h3>
      <label>
        {words.account}
        <select value={account} onChange={({ currentTarget }) => setAccount(currentTarget.value as typeof account)}>
          <option value="known">{words.accounts.known}</option>
          <option value="new">{words.accounts.new}</option>
        </select>
      </label>
      <p>{isNew ? words.newHint : words.knownHint}</p>
      {isNew && <Unprovable />}
      {!isNew && (
        <label>
          {words.administratorId}
          <input name="administratorId" maxLength={256} autocomplete="off" />
        </label>
      )}
      <label>
        {words.mail}
        <input name="mail" type="email" required={isNew} autocomplete="off" />
      </label>
      {isNew && (
        <label>
          {words.optional(words.password)}
          <input name="password" type="password" minLength={8} maxLength={256} autocomplete="new-password" />
        </label>
      )}
      <label>
        {words.optional(words.personId)}
        <input name="orgAuthServerId" maxLength={256} autocomplete="off" />
      </label>
      <label>
        {words.permissionLevel}
        <LevelChoice own={own} value={level} onChange={setLevel} />
      </label>
      <SubmitBar label={words.add} outcome={outcome} class="primary" disabled={isWaiting} />
      {isInvited && <Invitation organizationId={organizationId} organization={organization} />}
    </form>
  )
}

const tableOf = (permissions: ReadonlyArray<Membership>) => [
  ["administratorId", "mail", "permission", "nominatedBy", "orgAuthServerId"],
  ...permissions.map(({ administratorId, mail, permission, nominatedBy, orgAuthServerId }) => [
    administratorId,
    mail,
    readPermission(permission),
    nominatedBy,
    orgAuthServerId
  ])
]

const Administrators = ({ administratorId: self, permission: own, data, reloadPermissions }: TabProps) => {
  const { words, api, ask } = useOpened()
  const { id: organizationId } = data
  const { value, failure, reload } = useLoaded(() => api.administrator.list({ organizationId }), [organizationId])
  const { isWaiting, outcome, run } = useAction(reloadPermissions)
  /** Sends something about an administrator, and reads again what it changed. */
  const act = ({ administratorId }: Membership, send: () => Promise<unknown>) =>
    run(async () => {
      await send()
      if (administratorId === self) reloadPermissions()
      else reload()
      return words.saved
    })
  const change = async (permission: Membership, level: Permission) => {
    const { administratorId } = permission
    const question = { text: words.lowerSelfSure, action: words.changeLevel, isDestructive: true }
    if (administratorId === self && !(await ask(question))) return
    const body = { administratorId, organizationId, permission: level }
    act(permission, () => api.administrator.changeLevel({ body }))
  }
  const unbind = async (permission: Membership) => {
    const { administratorId, mail = administratorId } = permission
    if (!(await ask({ text: words.unbindSure(mail), action: words.unbind, isDestructive: true }))) return
    act(permission, () => api.administrator.unbind({ body: { administratorId, organizationId } }))
  }

  if (failure !== undefined || value === undefined) return <NotLoaded failure={failure} />
  const isOwner = ({ permission }: Membership) => readPermission(permission) === "owner"
  const owners = value.filter(isOwner).length
  return (
    <section aria-labelledby="administrators">
      <h2 id="administrators">{words.administrators}</h2>
      <table>
        <caption class="unseen">{words.administrators}</caption>
        <thead>
          <tr>
            <th scope="col">{words.mail}</th>
            <th scope="col">{words.nominatedBy}</th>
            <th scope="col">{words.permissionLevel}</th>
          </tr>
        </thead>
        <tbody>
          {value.map((permission) => (
            <Row
              key={`${permission.administratorId} ${permission.permission}`}
              permission={permission}
              isSelf={permission.administratorId === self}
              mayChange={owners > 1 || !isOwner(permission)}
              own={own}
              isWaiting={isWaiting}
              onChange={(level) => void change(permission, level)}
              onUnbind={() => void unbind(permission)}
            />
          ))}
        </tbody>
      </table>
      <CsvButton of={words.administrators} file={`administrators-${organizationId}`} rows={() => tableOf(value)} />
      <p role="status">{outcome}</p>
      <Add
        organizationId={organizationId}
        organization={data.name}
        own={own}
        onAdded={reload}
        onForbidden={reloadPermissions}
      />
    </section>
  )
}

export default Administrators
