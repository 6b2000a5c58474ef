/** The organizations that an administrator manages, read in batches, the selected one first. */
import { type Permission, Refused, type SojournClient } from "@sojourn/client"
import { useEffect, useState } from "preact/hooks"
import { type Managed, readPermission } from "./model.ts"
import type { Session } from "../shared/session.ts"
import { isTemporary, RETRY_DELAY_MS, type Loaded, useLoaded } from "../shared/useLoaded.ts"
import { usePage } from "../shared/context.ts"

/** How many organizations are read at once. An administrator with more of them sees the first before the others are read. */
const BATCH_SIZE = 20

const read = async (
  api: SojournClient,
  { organizationId, permission }: Permission
): Promise<ReadonlyArray<Managed>> => {
  try {
    const data = await api.organization.get({ organizationId })
    return [{ id: organizationId, permission: readPermission(permission), data }]
  } catch (failure) {
    // Withdrawn or deleted since the list was read.
    if (failure instanceof Refused && [403, 404].includes(failure.status)) return []
    throw failure
  }
}

/** The organizations of an administrator, as far as they are read. */
interface ManagedList extends Loaded<ReadonlyArray<Managed>> {
  readonly administratorId: string
  /** How many there are in all. */
  readonly total: number
  /** Another one with the first value after each {@link Loaded.reload}. */
  readonly generation: unknown
}

/** Reads the organizations of an administrator, the one with the id `first` before the others. */
export const useManaged = (session: Session, first: number): ManagedList => {
  const { api } = usePage()
  const list = useLoaded(async () => {
    const { administratorId } = await api.authentication.administrator()
    return { administratorId, permissions: await api.administrator.permissions({ administratorId }) }
  }, [session])
  const permissions = list.value?.permissions
  const [{ value, failure, generation }, setState] = useState<Pick<ManagedList, "value" | "failure" | "generation">>({
    value: undefined,
    failure: undefined,
    generation: undefined
  })
  useEffect(() => {
    if (permissions === undefined) return
    let isCurrent = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const isFirst = ({ organizationId }: Permission) => organizationId === first
    const ordered = [...permissions.filter(isFirst), ...permissions.filter((one) => !isFirst(one))]
    const readFrom = async (begin: number, before: ReadonlyArray<Managed>): Promise<void> => {
      try {
        const batch = await Promise.all(ordered.slice(begin, begin + BATCH_SIZE).map((one) => read(api, one)))
        if (!isCurrent) return
        const value = [...before, ...batch.flat()]
        setState({ value, failure: undefined, generation: permissions })
        if (begin + BATCH_SIZE < ordered.length) await readFrom(begin + BATCH_SIZE, value)
      } catch (failure) {
        if (!isCurrent) return
        setState((before) => ({ ...before, failure }))
        if (isTemporary(failure)) timer = setTimeout(() => void readFrom(begin, before), RETRY_DELAY_MS)
      }
    }
    void readFrom(0, [])
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [permissions])
  return {
    administratorId: list.value?.administratorId ?? "",
    value,
    failure: list.failure ?? failure,
    reload: list.reload,
    total: permissions?.length ?? 0,
    generation
  }
}
