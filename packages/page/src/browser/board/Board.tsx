/** The board: an organization, or a place of it as a door sign, on a screen that shows and is not operated. */
import type { Organization } from "@sojourn/client"
import { useMemo, useState } from "preact/hooks"
import { type Live, useLive } from "../live/useLive.ts"
import type { Premises } from "../organizations/model.ts"
import { useOrganization } from "../organizations/useOrganization.ts"
import { PageContext, useOpened } from "../shared/context.ts"
import type { BoardRoute } from "../shared/route.ts"
import { clientOf, forgetDisplay, savedDisplay } from "../shared/session.ts"
import { isRefused, useLoaded } from "../shared/useLoaded.ts"
import { useStyle } from "../shared/useStyle.ts"
import sheet from "../styles/board.css"
import { sentenceOf } from "../words/sentenceOf.ts"
import { BoardFrame, type Framed, isCurrent, Sum, Title } from "./BoardFrame.tsx"
import { WallBoard } from "./WallBoard.tsx"

/** How long a display, and an administrator, wait before they open a stream again that the server refused, in milliseconds. */
const [DISPLAY_DELAY_MS, SESSION_DELAY_MS] = [3_000, 30_000]

interface DoorSignProps {
  readonly place: Premises
  readonly live: Live
}

/** The sign at the door of a place: whether one may come in, by how many are inside. */
const DoorSign = ({ place: { name, count }, live }: DoorSignProps) => {
  const { words } = useOpened()
  const word = count.level === "full" || count.level === "over" ? words.pleaseWait : words.comeIn
  const longest = Math.max(...word.split(" ").map(({ length }) => length))
  return (
    <div class={`sign ${isCurrent(live) ? count.level : "old"}`}>
      <Title name={name} live={live} />
      <p class="word" style={{ "--letters": word.length, "--longest": longest }}>
        {isCurrent(live) && word}
      </p>
      <Sum count={count} />
    </div>
  )
}

/** The numbers of an organization. The stream is opened again for ever. */
const Shown = ({ data: { id, ...data }, ...framed }: Framed & { readonly data: Organization }) => {
  const { words, api } = useOpened()
  const { placeId } = framed.board
  const [turn, setTurn] = useState(0)
  const generation = useMemo(() => ({}), [turn, api])
  // The token of a display that was removed is refused soon after its stream has ended.
  const delay = framed.isDisplay ? DISPLAY_DELAY_MS : SESSION_DELAY_MS
  const live = useLive([id], generation, () => setTimeout(() => setTurn((turn) => turn + 1), delay))
  const shown = useOrganization({ id, permission: "viewer", data: { id, ...data } }, live)
  const { name, timeZone } = shown.data
  const known = live.counts.organizations.get(id)
  const gone = live.counts.gone.get(id)
  const sign = shown.livePlaces.find((place) => place.placeId === placeId)
  const message = () => {
    if (gone === "forbidden" && framed.isDisplay) return words.displayRemoved
    if (gone !== undefined) return (gone === "deleted" ? words.goneDeleted : words.goneForbidden)(name)
    if (known === undefined) return live.connection === "lost" ? words.notReached : words.loading
    if (placeId === undefined || sign !== undefined) return undefined
    return known.places.has(placeId) ? words.loading : words.placeGone
  }
  const text = message()
  return (
    <BoardFrame {...framed} timeZone={timeZone}>
      {text !== undefined ? (
        <p class="message">{text}</p>
      ) : sign === undefined ? (
        <WallBoard shown={shown} live={live} />
      ) : (
        <DoorSign place={sign} live={live} />
      )}
    </BoardFrame>
  )
}

const Loading = (framed: Framed) => {
  const { words, api } = useOpened()
  const { organizationId } = framed.board
  const read = () => api.organization.get({ organizationId })
  const { value, failure } = useLoaded(read, [organizationId], { changes: [api] })
  if (value !== undefined) return <Shown key={organizationId} {...framed} data={value} />
  return (
    <BoardFrame {...framed}>
      <p class="message">
        {isRefused(failure, 403, 404)
          ? words.boardNotThere
          : failure === undefined
            ? words.loading
            : sentenceOf(words, failure)}
      </p>
    </BoardFrame>
  )
}

interface BoardProps {
  readonly board: BoardRoute
  /** The token of the display; undefined: the administrator's session. */
  readonly display: string | undefined
}

const Board = ({ board, display }: BoardProps) => {
  useStyle(sheet)
  const page = useOpened()
  const [token, setToken] = useState(display)
  const [isRemoved, setRemoved] = useState(false)
  const onRefused = () => {
    // Another tab may have opened a newer link.
    const newest = savedDisplay(board)
    if (newest !== undefined && newest !== token) return setToken(newest)
    forgetDisplay(board)
    setRemoved(true)
  }
  const shared = useMemo(
    () => (token === undefined ? page : { ...page, api: clientOf(token, onRefused) }),
    [page, token]
  )
  const framed = { board, isDisplay: token !== undefined }
  return (
    <PageContext.Provider value={shared}>
      {isRemoved ? (
        <BoardFrame {...framed}>
          <div class="message">
            <h1>{page.words.displayRemoved}</h1>
            <p>{page.words.displayRemovedHint}</p>
          </div>
        </BoardFrame>
      ) : (
        <Loading {...framed} />
      )}
    </PageContext.Provider>
  )
}

export default Board
