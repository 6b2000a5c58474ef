/** The layer over the whole page that holds musters, and the focus in it while it is shown. */
import { useLayoutEffect, useRef } from "preact/hooks"
import { Lazy } from "../shared/Lazy.tsx"
import type { MusterViewProps } from "./OneMuster.tsx"

export const loadMusters = () => import("./MusterView.tsx")

/** It stays loaded while it is left, so that what waits is sent, and what is known is shown without a connection. */
export const Takeover = (props: MusterViewProps) => {
  const { isShown } = props
  const layer = useRef<HTMLElement>(null)
  // Whatever else the page shows meanwhile is covered.
  useLayoutEffect(() => {
    const covered = [...layer.current!.parentElement!.children].filter((one) => one !== layer.current)
    const setInert = (isInert: boolean) => covered.forEach((one) => ((one as HTMLElement).inert = isInert))
    setInert(isShown)
    return () => setInert(false)
  })
  useLayoutEffect(() => {
    if (!isShown) return
    const opener = document.activeElement
    layer.current!.focus()
    return () => {
      if (opener instanceof HTMLElement || opener instanceof SVGElement) opener.focus()
    }
  }, [isShown])
  return (
    <main ref={layer} class="takeover" tabindex={-1} hidden={!isShown}>
      <Lazy load={loadMusters} props={props} />
    </main>
  )
}
