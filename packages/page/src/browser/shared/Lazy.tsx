/**
 * A component whose module is loaded when it is first shown, with the words of opened parts (`useOpened`): that keeps the first load of the page
 * small.
 */
import type { ComponentProps, ComponentType } from "preact"
import { useEffect, useState } from "preact/hooks"
import { NotLoaded } from "./NotLoaded.tsx"
import { usePage } from "./context.ts"

interface LazyProps<Props> {
  readonly load: () => Promise<{ readonly default: ComponentType<Props> }>
  readonly props: Props
  /** Whether it does without the words of opened parts. */
  readonly isPlain?: boolean
}

export const Lazy = <Props extends object>({ load, props, isPlain = false }: LazyProps<Props>) => {
  const { words, openWords } = usePage()
  const [Content, setContent] = useState<ComponentType<Props> | "failed">()
  useEffect(() => {
    Promise.all([load(), isPlain || openWords()]).then(
      // A component is a function, which a setter calls.
      ([module]) => setContent(() => module.default),
      () => setContent("failed")
    )
  }, [])
  if (Content === "failed") return <p role="status">{words.reloadPage}</p>
  return Content === undefined ? <NotLoaded /> : <Content {...props} />
}

/** The parts of the page that are in one file, by their names. */
type Parts = typeof import("../parts.ts")

interface PartProps<Name extends keyof Parts> {
  readonly name: Name
  readonly props: ComponentProps<Parts[Name]>
}

export const Part = <Name extends keyof Parts>({ name, props }: PartProps<Name>) => {
  const load = async () => ({ default: (await import("../parts.ts"))[name] as ComponentType<object> })
  return <Lazy load={load} props={props as object} />
}
