/** Parts of a view with a heading. */
import type { ComponentChildren, JSX, Ref } from "preact"
import { useId, useState } from "preact/hooks"

interface SectionProps {
  readonly title: string
  readonly level?: "h1" | "h2"
  /** The heading, where it takes the focus. */
  readonly heading?: Ref<HTMLHeadingElement>
  readonly children: ComponentChildren
}

/** A part that is a landmark by its heading. */
export const Section = ({ title, level: Heading = "h2", heading = null, children }: SectionProps) => {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Heading id={id} ref={heading} tabindex={heading === null ? undefined : -1}>
        {title}
      </Heading>
      {children}
    </section>
  )
}

/** A part that is made when it is opened, and is there while it is. */
export const Details = ({ title, children }: { readonly title: ComponentChildren; readonly children: JSX.Element }) => {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  )
}
