/** Runs a job of the load generator: opens its connections, sends requests and counts the answers. */
import { connect, type Socket } from "node:net"
import { quantile } from "../shared/quantile.ts"
import { makeAnswers } from "./Answers.ts"
import type { Job, Outcome } from "./Job.ts"
import { type Worker, workersOf } from "./Worker.ts"

/** The counts of all connections of a job. */
interface Tally {
  readonly latencies: Array<number>
  readonly errors: Record<string, number>
  pieces: number
}

const opened = (host: string, port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true })
    socket.once("error", reject)
    socket.once("connect", () => {
      socket.off("error", reject)
      resolve(socket)
    })
  })

/** Sends requests on one connection until `end`, a time of `performance.now`. */
const work = (socket: Socket, worker: Worker, end: number, tally: Tally): Promise<void> =>
  new Promise((resolve) => {
    const read = makeAnswers()
    let sent = 0
    const stop = (wrong?: string) => {
      socket.removeAllListeners()
      socket.on("error", () => {})
      socket.destroy()
      if (wrong !== undefined) tally.errors[wrong] = (tally.errors[wrong] ?? 0) + 1
      resolve()
    }
    const send = (request: Buffer | string) => {
      sent = performance.now()
      if (typeof request === "string") socket.write(request, "latin1")
      else socket.write(request)
    }
    socket.on("data", (arrived) => {
      const answer = read(arrived)
      if (answer === undefined) return
      const now = performance.now()
      const outcome = worker.answered(answer)
      if (outcome === "done") {
        tally.latencies.push(now - sent)
        tally.pieces++
        if (now < end) send(worker.begin())
        else stop()
      } else if ("wrong" in outcome) {
        stop(outcome.wrong)
      } else {
        tally.latencies.push(now - sent)
        send(outcome.next)
      }
    })
    socket.once("error", ({ message }) => stop(message))
    socket.once("close", () => stop("closed"))
    send(worker.begin())
  })

/** Runs a job on all its connections and returns the outcome. Rejects when a connection cannot be opened. */
export const runJob = async (job: Job): Promise<Outcome> => {
  const workers = workersOf(job)
  const sockets = await Promise.all(workers.map(() => opened(job.host, job.port)))
  const tally: Tally = { latencies: [], errors: {}, pieces: 0 }
  const before = process.cpuUsage()
  const began = performance.now()
  const end = began + job.seconds * 1000
  await Promise.all(sockets.map((socket, at) => work(socket, workers[at]!, end, tally)))
  const duration = performance.now() - began
  const { user, system } = process.cpuUsage(before)
  const latencies = Float64Array.from(tally.latencies).sort()
  return {
    requests: latencies.length,
    pairs: job.work._tag === "Pairs" ? tally.pieces : 0,
    errors: tally.errors,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    duration,
    processor: (user + system) / 1000
  }
}
