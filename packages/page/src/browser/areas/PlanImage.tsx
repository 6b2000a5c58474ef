import type { Position, Projection } from "../shared/area.ts"
import { boxOf, type Placement } from "./plans.ts"

interface PlanImageProps {
  readonly url: string
  readonly plan: Placement
  readonly base: Projection
  /** Where the areas are. */
  readonly near: Position
}

export const PlanImage = ({ url, plan, base, near }: PlanImageProps) => {
  const { center, width, height, rotation } = boxOf(plan, base, near)
  return (
    <image
      class="plan"
      aria-hidden="true"
      href={url}
      x={center[0] - width / 2}
      y={center[1] - height / 2}
      width={width}
      height={height}
      preserveAspectRatio="none"
      transform={`rotate(${rotation} ${center.join(" ")})`}
    />
  )
}
