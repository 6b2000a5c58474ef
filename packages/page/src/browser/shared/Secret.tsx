/** Texts to be taken elsewhere: copied, read as a QR code, or shown once. */
import type { ComponentChildren } from "preact"
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import { encode } from "uqr"
import { useOpened } from "./context.ts"
import { ActionButton } from "./ActionButton.tsx"

/** A button that copies a text, and whether that worked. */
export const Copy = ({ text }: { readonly text: string }) => {
  const { words } = useOpened()
  const [outcome, setOutcome] = useState("")
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setOutcome(words.copied),
      () => setOutcome(words.notCopied)
    )
  return (
    <div class="bar">
      {/* Browsers have no clipboard where the page came without encryption. */}
      {isSecureContext && <ActionButton action={words.copy} onClick={() => void copy()} />}
      <span role="status">{outcome}</span>
    </div>
  )
}

/** The side of a module of the code, and of the quiet zone around it, in units of the drawing. */
const QUIET_MODULES = 4

/** A link as a QR code. */
export const QrCode = ({ link }: { readonly link: string }) => {
  const { words } = useOpened()
  const { size, path } = useMemo(() => {
    const { size, data } = encode(link, { border: QUIET_MODULES })
    const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join("")
    return { size, path }
  }, [link])
  return (
    <svg role="img" class="qr-code" aria-label={words.qrCode(link)} viewBox={`0 0 ${size} ${size}`}>
      <rect width={size} height={size} />
      <path d={path} />
    </svg>
  )
}

interface SecretProps {
  /** What it is, and of what. */
  readonly label: string
  /** That it is shown this once. */
  readonly notice: string
  readonly secret: string
  /** What shows it in another way. */
  readonly children?: ComponentChildren
}

/** A secret that the server answers once, with a button that copies it. It takes the focus, so that it is seen and read out. */
export const Secret = ({ label, notice, secret, children }: SecretProps) => {
  const group = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => group.current!.focus(), [])
  return (
    <div ref={group} class="secret" role="group" aria-label={label} tabindex={-1}>
      <p>{notice}</p>
      <p>
        <code>{secret}</code>
      </p>
      {children}
      <Copy text={secret} />
    </div>
  )
}
