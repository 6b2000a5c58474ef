/** Whether the view of an organization's musters fills the window: while one is open, until it is left, or where the address says so. */
import { useLayoutEffect, useState } from "preact/hooks"

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
