/** The organizations that an administrator manages, read in batches, the selected one first, and again as permissions change. */
import { type Permission, Refused, type SojournClient } from "@sojourn/client"
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { type Managed, readPermission } from "./model.ts"
import { isTemporary, POLL_INTERVAL_MS, RETRY_DELAY_MS, type Loaded, useLoaded } from "../shared/useLoaded.ts"
import { usePage } from "../shared/context.ts"

/** How many organizations are read at once. An administrator with more of them sees the first before the others are read. */
const BATCH_SIZE = 20

/** The data of an organization; none where it was withdrawn or deleted since the list was read. */
const read = async (api: SojournClient, organizationId: number): Promise<Managed["data"] | undefined> => {
  try {
    return await api.organization.get({ organizationId })
  } catch (failure) {
    if (failure instanceof Refused && [403, 404].includes(failure.status)) return undefined
    throw failure
  }
}

/** The organizations of an administrator, as far as they are read. */
interface ManagedList extends Loaded<ReadonlyArray<Managed>> {
  readonly administratorId: string
  /** How many there are in all. */
  readonly total: number
  /** Whether all of them are read. */
  readonly isComplete: boolean
  /** Another one with the first answer after each {@link Loaded.reload}. */
  readonly generation: number
  /** Takes over what was read of an organization elsewhere. */
  readonly setData: (id: number, data: Managed["data"]) => void
}

/**
 * Reads the organizations of an administrator, the one with the id `first` before the others. Their permissions are read every few seconds: a changed
 * level is no event.
 */
export const useManaged = (first: number | undefined): ManagedList => {
  const { api } = usePage()
  // A session that was renewed has another client, and perhaps another administrator.
  const self = useMemo(
    () => ({ read: undefined as ReturnType<typeof api.authentication.administrator> | undefined }),
    [api]
  )
  const list = useLoaded(
    async () => {
      self.read ??= api.authentication.administrator()
      try {
        const { administratorId } = await self.read
        return { administratorId, permissions: await api.administrator.permissions({ administratorId }) }
      } catch (failure) {
        self.read = undefined
        throw failure
      }
    },
    [],
    { intervalMs: POLL_INTERVAL_MS }
  )
  // A session that ended is asked for once: its renewal reads again by itself.
  const isEnded = useRef(false)
  isEnded.current = list.failure instanceof Refused && list.failure.status === 401
  const [generation, setGeneration] = useState(0)
  const isReloadDue = useRef(false)
  useEffect(() => {
    if (list.value === undefined || !isReloadDue.current) return
    isReloadDue.current = false
    setGeneration((generation) => generation + 1)
  }, [list.value])
  // What was read again and is the same changes nothing; the last ones stay until those of a renewed session are read.
  const last = useRef<ReadonlyArray<Permission>>(undefined)
  last.current = list.value?.permissions ?? last.current
  const key = last.current?.map(({ organizationId, permission }) => `${organizationId} ${permission}`).join()
  const permissions = useMemo(() => last.current, [key])
  const [{ datas, failure }, setState] = useState<{
    readonly datas: ReadonlyMap<number, Managed["data"] | undefined>
    readonly failure: unknown
  }>({ datas: new Map(), failure: undefined })
  useEffect(() => {
    if (permissions === undefined) return
    let isCurrent = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const ids = permissions.map(({ organizationId }) => organizationId)
    const unread = ids.filter((id) => datas.get(id) === undefined)
    const ordered = [...unread.filter((id) => id === first), ...unread.filter((id) => id !== first)]
    const readFrom = async (begin: number): Promise<void> => {
      const batch = ordered.slice(begin, begin + BATCH_SIZE)
      if (batch.length === 0) return
      try {
        const found = await Promise.all(batch.map(async (id) => [id, await read(api, id)] as const))
        if (!isCurrent) return
        setState(({ datas }) => ({ datas: new Map([...datas, ...found]), failure: undefined }))
        await readFrom(begin + BATCH_SIZE)
      } catch (failure) {
        if (!isCurrent) return
        setState(({ datas }) => ({ datas, failure }))
        if (isTemporary(failure)) timer = setTimeout(() => void readFrom(begin), RETRY_DELAY_MS)
      }
    }
    void readFrom(0)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [permissions, generation])
  const isRead = ({ organizationId }: Permission) => datas.has(organizationId)
  const value = useMemo(() => {
    const isBegun = permissions?.length === 0 || permissions?.some(isRead)
    if (isBegun !== true) return undefined
    return permissions!.flatMap(({ organizationId: id, permission }): ReadonlyArray<Managed> => {
      const data = datas.get(id)
      return data === undefined ? [] : [{ id, permission: readPermission(permission), data }]
    })
  }, [permissions, datas])
  return {
    administratorId: list.value?.administratorId ?? "",
    value,
    failure: value === undefined ? (list.failure ?? failure) : failure,
    reload: () => {
      isReloadDue.current = true
      if (!isEnded.current) list.reload()
    },
    total: permissions?.length ?? 0,
    isComplete: permissions?.every(isRead) === true,
    generation,
    setData: (id, data) =>
      setState((before) =>
        before.datas.get(id) === data ? before : { ...before, datas: new Map(before.datas).set(id, data) }
      )
  }
}
