/** A level of capacity that needs attention, by its word and its colour; nothing below it. */
import { usePage } from "../shared/context.ts"
import { isQuiet, type Level } from "./counts.ts"

export const LevelBadge = ({ level }: { readonly level: Level }) => {
  const { words } = usePage()
  return isQuiet({ level }) ? null : <span class={`badge ${level}`}>{words.level[level]}</span>
}
