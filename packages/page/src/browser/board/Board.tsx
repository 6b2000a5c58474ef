/** The board: an organization, or a place of it as a door sign, on a screen that shows and is not operated. */
import { type Organization, Refused } from "@sojourn/client"
import { useMemo, useState } from "preact/hooks"
import { useLive } from "../live/useLive.ts"
import { useOrganization } from "../organizations/useOrganization.ts"
import { PageContext, useOpened } from "../shared/context.ts"
import type { BoardRoute } from "../shared/route.ts"
import { clientOf, forgetDisplay, savedDisplay } from "../shared/session.ts"
import { useLoaded } from "../shared/useLoaded.ts"
import { useStyle } from "../shared/useStyle.ts"
import sheet from "../styles/board.css"
import { sentenceOf } from "../words/sentenceOf.ts"
import { BoardFrame, type Framed } from "./BoardFrame.tsx"
import { DoorSign } from "./DoorSign.tsx"
import { WallBoard } from "./WallBoard.tsx"

interface ShownProps extends Framed {
  readonly data: Organization
}

/** How long a display, and an administrator, wait before they open a stream again that the server refused, in milliseconds. */
const [DISPLAY_DELAY_MS, SESSION_DELAY_MS] = [3_000, 30_000]

/** The numbers of an organization. The stream is opened again for ever. */
const Shown = ({ data: { id, ...data }, ...framed }: ShownProps) => {
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
  const premises = placeId === undefined ? shown.whole : shown.livePlaces.find((place) => place.placeId === placeId)
  const message = () => {
    if (gone === "forbidden" && framed.isDisplay) return words.displayRemoved
    if (gone !== undefined) return (gone === "deleted" ? words.goneDeleted : words.goneForbidden)(name)
    if (known === undefined) return live.connection === "lost" ? words.notReached : words.loading
    return known.places.has(placeId!) ? words.loading : words.placeGone
  }
  return (
    <BoardFrame {...framed} timeZone={timeZone}>
      {known === undefined || premises === undefined ? (
        <p class="message">{message()}</p>
      ) : placeId === undefined ? (
        <WallBoard shown={shown} live={live} />
      ) : (
        <DoorSign premises={premises} timeZone={timeZone} live={live} />
      )}
    </BoardFrame>
  )
}

/** Statuses of an organization that is not there, or that the caller may not read. */
const NOT_THERE = [403, 404]

const Loading = (framed: Framed) => {
  const { words, api } = useOpened()
  const { organizationId } = framed.board
  const { value, failure } = useLoaded(() => api.organization.get({ organizationId }), [organizationId], {
    changes: [api]
  })
  if (value !== undefined) return <Shown key={organizationId} {...framed} data={value} />
  const isNotThere = failure instanceof Refused && NOT_THERE.includes(failure.status)
  return (
    <BoardFrame {...framed}>
      <p class="message">
        {isNotThere ? words.boardNotThere : failure === undefined ? words.loading : sentenceOf(words, failure)}
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
