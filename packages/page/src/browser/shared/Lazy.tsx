/**
 * A component whose module is loaded when it is first shown, with the words of opened parts (`useOpened`): that keeps the first load of the page
 * small.
 */
import type { ComponentType } from "preact"
import { useEffect, useState } from "preact/hooks"
import { Loading } from "./Loading.tsx"
import { usePage } from "./context.ts"

interface LazyProps<Props> {
  readonly load: () => Promise<{ readonly default: ComponentType<Props> }>
  readonly props: Props
}

export const Lazy = <Props extends object>({ load, props }: LazyProps<Props>) => {
  const { words, openWords } = usePage()
  // A component is a function, which a setter would call.
  const [{ Content, failed }, setContent] = useState<{
    readonly Content?: ComponentType<Props>
    readonly failed?: true
  }>({})
  useEffect(() => {
    Promise.all([load(), openWords()]).then(
      ([module]) => setContent({ Content: module.default }),
      () => setContent({ failed: true })
    )
  }, [])
  return Content !== undefined ? (
    <Content {...props} />
  ) : (
    <p role="status" class={failed === true ? "" : "loading"}>
      {failed === true ? words.reloadPage : <Loading />}
    </p>
  )
}
