/** A link to an organization's page for an administrator who was added, as a text to copy and as a QR code. */
import { useMemo } from "preact/hooks"
import { encode } from "uqr"
import { Copy } from "../shared/Copy.tsx"
import { useOpened } from "../shared/context.ts"
import { hrefOf } from "../shared/route.ts"

interface InvitationProps {
  readonly organizationId: number
  readonly organization: string
}

/** The side of a module of the code, and of the quiet zone around it, in units of the drawing. */
const QUIET_MODULES = 4

const Invitation = ({ organizationId, organization }: InvitationProps) => {
  const { words } = useOpened()
  const link = `${location.origin}${location.pathname}${hrefOf({ organizationId })}`
  const { size, path } = useMemo(() => {
    const { size, data } = encode(link, { border: QUIET_MODULES })
    const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join("")
    return { size, path }
  }, [link])
  return (
    <div role="group" class="invitation" aria-label={words.invitation(organization)}>
      <p>{words.invitationHint}</p>
      <p class="secret">
        <a href={link}>{link}</a>
      </p>
      <svg role="img" aria-label={words.qrCode(link)} viewBox={`0 0 ${size} ${size}`} width="180" height="180">
        <rect width={size} height={size} />
        <path d={path} />
      </svg>
      <Copy text={link} />
    </div>
  )
}

export default Invitation
