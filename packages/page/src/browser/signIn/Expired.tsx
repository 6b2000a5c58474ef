/** Asks to sign in again over what is open, which stays as it is. It is loaded first: later, the server may have other files. */
import { TABS } from "../Rail.tsx"
import { allows, readPermission } from "../organizations/model.ts"
import { usePage } from "../shared/context.ts"
import { Dialog } from "../shared/Dialog.tsx"
import { isGuarded, readRoute } from "../shared/route.ts"
import { clientOf, type Session } from "../shared/session.ts"
import { SignInForms } from "./SignIn.tsx"
import { ActionButton } from "../shared/ActionButton.tsx"

/** Whether the administrator of a session may see what is open. Rejects where the server does not accept the session. */
const maySee = async ({ token }: Session): Promise<boolean> => {
  const api = clientOf(token)
  const { administratorId } = await api.authentication.administrator()
  const { organizationId: open, tab } = readRoute()
  // What was saved may go.
  if (!isGuarded()) return true
  const least = TABS.find(({ id }) => id === tab)?.least ?? "viewer"
  const permissions = await api.administrator.permissions({ administratorId })
  return permissions.some(
    ({ organizationId, permission }) => organizationId === open && allows(readPermission(permission), least)
  )
}

interface ExpiredProps {
  readonly onRenewed: (session: Session, keep: boolean) => void
  readonly onSignOut: () => void
  /** Shows what is open, until the server is asked again. */
  readonly onClose: () => void
}

export const Expired = ({ onRenewed, onSignOut, onClose }: ExpiredProps) => {
  const { words } = usePage()
  const renew = async (session: Session, keep: boolean) => {
    const isAllowed = await maySee(session)
    if (isAllowed) onRenewed(session, keep)
    return isAllowed ? "" : words.notForOpen
  }
  return (
    <Dialog title={words.sessionEnded} onCancel={onClose}>
      <p>{words.staysOpen}</p>
      <SignInForms fault="" isOver onSignedIn={renew} />
      <p>
        <ActionButton action={words.signOut} onClick={onSignOut} />
      </p>
    </Dialog>
  )
}
