/** A level of capacity, by its word and its colour; nothing without a capacity. */
import type { Level } from "./counts.ts"
import { usePage } from "../shared/context.ts"

export const LevelBadge = ({ level }: { level: Level }) => {
  const { words } = usePage()
  return level === "none" ? null : <span class={`badge ${level}`}>{words.level[level]}</span>
}
