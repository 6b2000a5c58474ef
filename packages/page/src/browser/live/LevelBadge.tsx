/** A level of capacity that needs attention, by its word and its colour; nothing below it. */
import type { Level } from "./counts.ts"
import { usePage } from "../shared/context.ts"

/** Whether there is nothing to say of a level. */
export const isQuiet = ({ level }: { readonly level: Level }) => level === "none" || level === "normal"

export const LevelBadge = ({ level }: { level: Level }) => {
  const { words } = usePage()
  return isQuiet({ level }) ? null : <span class={`badge ${level}`}>{words.level[level]}</span>
}
