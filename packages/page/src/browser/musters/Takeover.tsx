/** The layer over the whole page that holds musters: when it is shown, and the focus in it meanwhile. */
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { Lazy } from "../shared/Lazy.tsx"
import type { MusterViewProps } from "./OneMuster.tsx"

/** Whether the musters of an organization fill the window: while one is open, until it is left, or where the address says so. */
export const useTakeover = (organizationId: number | undefined, openId: number | undefined, isSought: boolean) => {
  const [left, setLeft] = useState<number>()
  /** The organization whose musters fill the window: until the administrator leaves them, also after the end. */
  const [shown, setShown] = useState<number>()
  useLayoutEffect(() => {
    if (openId !== undefined && openId !== left) setShown(organizationId)
  }, [organizationId, openId])
  useLayoutEffect(() => {
    if (!isSought) return
    setShown(organizationId)
    return () => setShown(undefined)
  }, [organizationId, isSought])
  return {
    isShown: organizationId !== undefined && shown === organizationId,
    show: () => setShown(organizationId),
    leave: () => {
      setLeft(openId)
      setShown(undefined)
    }
  }
}

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
