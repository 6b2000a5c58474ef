/** Who changed a place last, and when, for owners. */
import type { Place } from "@sojourn/client"
import type { TabProps } from "../organizations/model.ts"
import { useOpened } from "../shared/context.ts"
import { serverNow } from "../shared/clock.ts"
import { MAX_DAYS } from "../shared/localTime.ts"
import { useLoaded } from "../shared/useLoaded.ts"
import { actorText } from "./sentences.ts"

const DAY_MS = 86_400_000

/** How many of the organization's changes are looked through. */
const MAX_ENTRIES = 1_000

interface LastChangeProps extends Pick<TabProps, "administratorId" | "data"> {
  readonly place: Place
}

export const LastChange = ({ administratorId, data, place }: LastChangeProps) => {
  const page = useOpened()
  const { words, formats, api } = page
  const { value } = useLoaded(async () => {
    const now = serverNow()
    const at = (days: number) => new Date(now + days * DAY_MS).toISOString()
    // The clock of the server may be ahead.
    const window = { from: at(1 - MAX_DAYS), to: at(1) }
    const find = async (action: string) => {
      const part = await api.audit.list({ organizationId: data.id, ...window, action, limit: MAX_ENTRIES })
      return part?.entries.find(({ placeId }) => placeId === place.id)
    }
    return (await find("place.update")) ?? (await find("place.create"))
  }, [place.id])
  if (value === undefined) return null
  const sentence = value.action === "place.create" ? words.createdBy : words.lastChanged
  return (
    <p>
      <small>{sentence(actorText(page, administratorId, value), formats.moment(value.at))}</small>
    </p>
  )
}
