/** The floor plans of an organization, and the image of the one that is shown. */
import { useEffect, useState } from "preact/hooks"
import { usePage } from "../shared/context.ts"
import { useLoaded } from "../shared/useLoaded.ts"
import type { FloorPlan } from "@sojourn/client"

/** The plans by their levels, the lowest first. They are read again when `version` changes. */
export const usePlanList = (organizationId: number, version: unknown) => {
  const { api } = usePage()
  return useLoaded(() => api.floorplan.list({ organizationId }), [organizationId], { changes: [version] })
}

export interface ShownPlan {
  readonly url: string
  readonly blob: Blob
  readonly plan: FloorPlan
}

/** The image of a plan at a URL that this page alone can read: the server answers it to those who have a token. */
export const usePlanImage = (organizationId: number, plan: FloorPlan | undefined) => {
  const { api } = usePage()
  const [image, setImage] = useState<ShownPlan>()
  useEffect(() => {
    if (plan === undefined) return
    let url: string | undefined
    let isCurrent = true
    api.floorplan.get({ organizationId, level: plan.level }).then(
      (blob) => {
        if (!isCurrent) return
        url = URL.createObjectURL(blob)
        setImage({ url, blob, plan })
      },
      // The map is whole without it; the list is read again with the next change.
      () => undefined
    )
    return () => {
      isCurrent = false
      setImage(undefined)
      if (url !== undefined) URL.revokeObjectURL(url)
    }
  }, [organizationId, plan])
  return image
}
