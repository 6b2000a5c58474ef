/** The organizations that an administrator manages, read in batches, the selected one first, and again as permissions change. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { type Managed, readPermission } from "./model.ts"
import { isRefused, POLL_INTERVAL_MS, useLoaded } from "../shared/useLoaded.ts"
import { usePage } from "../shared/context.ts"

/** How many organizations are read at once. An administrator with more of them sees the first before the others are read. */
const BATCH_SIZE = 20

/** By ids; undefined where an organization was withdrawn or deleted since the list was read. */
type Datas = ReadonlyMap<number, Managed["data"] | undefined>

/**
 * Reads the organizations of an administrator, the one with the id `first` before the others. Their permissions are read every few seconds: a changed
 * level is no event.
 */
export const useManaged = (first: number | undefined) => {
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
  // What was read again and is the same changes nothing; the last ones stay until those of a renewed session are read.
  const key = list.value?.permissions.map(({ organizationId, permission }) => `${organizationId} ${permission}`).join()
  const permissions = useMemo(() => list.value?.permissions, [key])
  // A session that ended is asked for once: its renewal reads again by itself.
  const isEnded = useRef(false)
  isEnded.current = isRefused(list.failure, 401)
  /** Another one with the first answer after each `reload`. */
  const [generation, setGeneration] = useState(0)
  const isReloadDue = useRef(false)
  const [datas, setDatas] = useState<Datas>(new Map())
  useEffect(() => {
    if (list.value === undefined || !isReloadDue.current) return
    isReloadDue.current = false
    setGeneration((generation) => generation + 1)
  }, [list.value])
  // Those that were gone are asked for again.
  useEffect(() => setDatas((datas) => new Map([...datas].filter(([, data]) => data !== undefined))), [key, generation])

  const unread = (permissions ?? []).map(({ organizationId }) => organizationId).filter((id) => !datas.has(id))
  const batch = [...unread.filter((id) => id === first), ...unread.filter((id) => id !== first)].slice(0, BATCH_SIZE)
  const read = async (organizationId: number) => {
    try {
      return [organizationId, await api.organization.get({ organizationId })] as const
    } catch (failure) {
      if (isRefused(failure, 403, 404)) return [organizationId, undefined] as const
      throw failure
    }
  }
  const { value: found, failure } = useLoaded(() => Promise.all(batch.map(read)), [batch.join()])
  useEffect(() => {
    if (found !== undefined) setDatas((datas) => new Map([...datas, ...found]))
  }, [found])
  const value = useMemo(
    () =>
      permissions?.flatMap(({ organizationId: id, permission }): ReadonlyArray<Managed> => {
        const data = datas.get(id)
        return data === undefined ? [] : [{ id, permission: readPermission(permission), data }]
      }),
    [permissions, datas]
  )
  const isRead = permissions?.length === 0 || permissions?.some(({ organizationId }) => datas.has(organizationId))
  return {
    administratorId: list.value?.administratorId ?? "",
    /** As many as are read; undefined before the first ones are. */
    value: isRead === true ? value : undefined,
    failure: isRead === true ? failure : (list.failure ?? failure),
    reload: () => {
      isReloadDue.current = true
      if (!isEnded.current) list.reload()
    },
    /** How many there are in all. */
    total: permissions?.length ?? 0,
    isComplete: permissions !== undefined && unread.length === 0,
    generation,
    /** Takes over what was read of an organization elsewhere. */
    setData: (id: number, data: Managed["data"]) =>
      setDatas((datas) => (datas.get(id) === data ? datas : new Map(datas).set(id, data)))
  }
}
