/** A link as a QR code. */
import { useMemo } from "preact/hooks"
import { encode } from "uqr"
import { useOpened } from "./context.ts"

/** The side of a module of the code, and of the quiet zone around it, in units of the drawing. */
const QUIET_MODULES = 4

export const QrCode = ({ link }: { readonly link: string }) => {
  const { words } = useOpened()
  const { size, path } = useMemo(() => {
    const { size, data } = encode(link, { border: QUIET_MODULES })
    const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join("")
    return { size, path }
  }, [link])
  return (
    <svg
      role="img"
      class="qr-code"
      aria-label={words.qrCode(link)}
      viewBox={`0 0 ${size} ${size}`}
      width="180"
      height="180"
    >
      <rect width={size} height={size} />
      <path d={path} />
    </svg>
  )
}
