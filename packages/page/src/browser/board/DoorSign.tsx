/** The sign at the door of a place: whether one may come in, by how many are inside. */
import type { Live } from "../live/useLive.ts"
import type { Premises } from "../organizations/model.ts"
import { useOpened } from "../shared/context.ts"
import { BoardSum } from "./BoardSum.tsx"
import { BoardTime, isCurrent } from "./BoardTime.tsx"

interface DoorSignProps {
  readonly premises: Premises
  readonly timeZone: string | undefined
  readonly live: Live
}

export const DoorSign = ({ premises: { name, count }, timeZone, live }: DoorSignProps) => {
  const { words } = useOpened()
  const state = count.level
  const word = state === "full" || state === "over" ? words.pleaseWait : words.comeIn
  const longest = Math.max(...word.split(" ").map(({ length }) => length))
  return (
    <div class={`sign ${isCurrent(live) ? state : "old"}`}>
      <div class="title">
        <h1>
          <bdi>{name}</bdi>
        </h1>
        <BoardTime live={live} timeZone={timeZone} />
      </div>
      <p class="word" style={{ "--letters": word.length, "--longest": longest }}>
        {isCurrent(live) && word}
      </p>
      <BoardSum count={count} />
    </div>
  )
}
