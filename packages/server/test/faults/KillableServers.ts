/** A group of servers on one PostgreSQL that kill cycles can kill. */
import { killNow } from "./kills.ts"
import type { KillableService } from "./KillableService.ts"
import { familyOf, stillRunning } from "./processes.ts"
import { serverGroup } from "./ServerGroup.ts"
import type { SojournProcess } from "./SojournProcess.ts"

interface Member {
  process: SojournProcess
  baseUrl: string | undefined
}

/** Starts servers on one PostgreSQL, each with these flags. */
export const killableServers = async (count: number, ...flags: ReadonlyArray<string>): Promise<KillableService> => {
  const group = await serverGroup({ durability: "durable" })
  const { postgres, data, close } = group
  const run = async (member: Member) => {
    member.process = group.start(...flags)
    member.baseUrl = await member.process.listening
  }
  const members = Array.from({ length: count }, (): Member => ({ process: group.start(...flags), baseUrl: undefined }))
  try {
    for (const member of members) member.baseUrl = await member.process.listening
  } catch (error) {
    await close()
    throw error
  }
  const baseUrls = () => members.flatMap(({ baseUrl }) => baseUrl ?? [])
  let turn = 0

  return {
    data,
    baseUrl: () => {
      const urls = baseUrls()
      return urls[turn++ % urls.length]
    },
    baseUrls,
    kill: async (kill, choose) => {
      const pids = members.map(({ process }) => process.pid)
      const killed = killNow(kill, pids, await postgres.postmaster(), choose)
      const restarted = members.filter(({ process }) => killed.includes(process.pid))
      for (const member of restarted) member.baseUrl = undefined
      await Promise.all(restarted.map(({ process }) => process.ended))
      await Promise.all(restarted.map(run))
    },
    withDatabase: (use) => use(postgres.direct("sojourn")),
    end: async () => {
      const running = members.flatMap(({ process }) => familyOf(process.pid))
      const ended = await Promise.all(members.map(({ process }) => process.end()))
      return { ended, left: stillRunning(running) }
    },
    destroy: close
  }
}
