/** A link to an organization's page for an administrator who was added, as a text to copy and as a QR code. */
import { Copy } from "../shared/Copy.tsx"
import { useOpened } from "../shared/context.ts"
import { QrCode } from "../shared/QrCode.tsx"
import { hrefOf } from "../shared/route.ts"

interface InvitationProps {
  readonly organizationId: number
  readonly organization: string
}

export const Invitation = ({ organizationId, organization }: InvitationProps) => {
  const { words } = useOpened()
  const link = `${location.origin}${location.pathname}${hrefOf({ organizationId })}`
  return (
    <div role="group" class="invitation" aria-label={words.invitation(organization)}>
      <p>{words.invitationHint}</p>
      <p class="secret">
        <a href={link}>{link}</a>
      </p>
      <QrCode link={link} />
      <Copy text={link} />
    </div>
  )
}
