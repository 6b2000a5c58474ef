import type { ComponentType } from "preact"
import { useState } from "preact/hooks"
import type { PanelProps } from "./model.ts"
import { useShared } from "./shared.ts"

interface Options extends PanelProps {
  readonly title: string
  readonly load: () => Promise<{ readonly default: ComponentType<PanelProps> }>
}

/** A part of the page that is loaded when it is opened. */
export const Panel = ({ title, load, ...props }: Options) => {
  const { words } = useShared()
  const [isOpen, setIsOpen] = useState(false)
  // A component is a function, which a setter would call.
  const [content, setContent] = useState<{ readonly Content?: ComponentType<PanelProps>; readonly failed?: true }>({})
  const open = (isOpen: boolean) => {
    setIsOpen(isOpen)
    if (isOpen && content.Content === undefined) {
      load().then(
        (module) => setContent({ Content: module.default }),
        () => setContent({ failed: true })
      )
    }
  }
  const { Content, failed } = content
  return (
    <details onToggle={({ currentTarget }) => open(currentTarget.open)}>
      <summary>
        <h2>{title}</h2>
      </summary>
      {isOpen &&
        (Content !== undefined ? (
          <Content {...props} />
        ) : (
          <p role="status">{failed === true ? words.reloadPage : words.loading}</p>
        ))}
    </details>
  )
}
