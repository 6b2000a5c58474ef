/** A secret that the server answers once, with a button that copies it. It takes the focus, so that it is seen and read out. */
import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { Copy } from "./Copy.tsx"

interface SecretProps {
  /** What it is, and of what. */
  readonly label: string
  /** That it is shown this once. */
  readonly notice: string
  readonly secret: string
  /** What shows it in another way. */
  readonly children?: ComponentChildren
}

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
