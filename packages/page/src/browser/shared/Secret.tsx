/** A secret that the server answers once, with a button that copies it. It takes the focus, so that it is seen and read out. */
import { useLayoutEffect, useRef } from "preact/hooks"
import { Copy } from "./Copy.tsx"

interface SecretProps {
  /** What it is, and of what. */
  readonly label: string
  /** That it is shown this once. */
  readonly notice: string
  readonly secret: string
}

export const Secret = ({ label, notice, secret }: SecretProps) => {
  const group = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => group.current!.focus(), [])
  return (
    <div ref={group} class="secret" role="group" aria-label={label} tabindex={-1}>
      <p>{notice}</p>
      <p>
        <code>{secret}</code>
      </p>
      <Copy text={secret} />
    </div>
  )
}
