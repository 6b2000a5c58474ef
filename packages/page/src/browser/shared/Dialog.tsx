/** A modal dialog with a title, which gives the focus back when it goes. */
import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef } from "preact/hooks"

interface DialogProps {
  readonly title: string
  /** The Escape key, or the browser's own way back. */
  readonly onCancel: () => void
  /** One of the elements inside is focused first by `autofocus`. */
  readonly children: ComponentChildren
}

export const Dialog = ({ title, onCancel, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const { current: shown } = dialog
    shown!.showModal()
    return () => shown!.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onCancel()
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}
