/** Metrics of the process: processor, memory, and how busy its one thread is. */
import { Context, Effect, Layer, Metric, Schedule } from "effect"
import { monitorEventLoopDelay, performance } from "node:perf_hooks"

/** The sampling interval. */
const EVERY = "5 seconds"

const gauge = (name: string, description: string) => Metric.gauge(name, { description })

const cpu = Metric.counter("process_cpu_seconds_total", {
  description: "Processor time of the server's process, in seconds",
  incremental: true
})
const resident = gauge("process_resident_memory_bytes", "Memory of the server's process")
const started = gauge("process_start_time_seconds", "When the server's process started, in seconds since 1970")
const heap = gauge("nodejs_heap_used_bytes", "Memory that JavaScript's objects use")
const heapTotal = gauge("nodejs_heap_total_bytes", "Memory that is set aside for JavaScript's objects")
const external = gauge("nodejs_external_memory_bytes", "Memory of buffers, outside of JavaScript's heap")
const utilization = gauge(
  "nodejs_eventloop_utilization_ratio",
  "How much of the time the one thread that answers was busy, 0 to 1, over the last 5 seconds"
)
const delay = gauge(
  "nodejs_eventloop_delay_seconds",
  "How late timers came over the last 5 seconds: what every request waits at least, by quantile"
)
const delays = (["0.5", "0.99", "1"] as const).map(
  (quantile) => [Number(quantile) * 100, Metric.withAttributes(delay, { quantile })] as const
)
const build = gauge("sojourn_build_info", "1, with the version of the server and of Node")

/** Metrics of the process under Prometheus' names, of Node's heap, and of the event loop. */
export const layerProcessMetrics = (version: string): Layer.Layer<never> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const services = Context.empty()
      const set = (of: Metric.Gauge<number>, value: number) => of.updateUnsafe(value, services)
      set(started, performance.timeOrigin / 1000)
      set(Metric.withAttributes(build, { version, node: process.versions.node }) as Metric.Gauge<number>, 1)
      const histogram = yield* Effect.acquireRelease(
        Effect.sync(() => {
          const made = monitorEventLoopDelay({ resolution: 20 })
          made.enable()
          return made
        }),
        (made) => Effect.sync(() => made.disable())
      )
      let seconds = 0
      let loop = performance.eventLoopUtilization()

      const sample = () => {
        const { user, system } = process.cpuUsage()
        const used = (user + system) / 1e6
        cpu.updateUnsafe(used - seconds, services)
        seconds = used
        const memory = process.memoryUsage()
        set(resident, memory.rss)
        set(heap, memory.heapUsed)
        set(heapTotal, memory.heapTotal)
        set(external, memory.external)
        const now = performance.eventLoopUtilization()
        set(utilization, performance.eventLoopUtilization(now, loop).utilization)
        loop = now
        for (const [percentile, of] of delays) {
          // The histogram includes the interval of its own timer.
          const late = histogram.count === 0 ? 0 : Math.max(0, histogram.percentile(percentile) / 1e9 - 0.02)
          set(of as Metric.Gauge<number>, late)
        }
        histogram.reset()
      }
      yield* Effect.sync(sample).pipe(Effect.repeat(Schedule.spaced(EVERY)), Effect.forkScoped)
    })
  )
