/** A collector that records telemetry sent by OTLP over HTTP as JSON. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** Attributes by name, with values of any type. */
type Attributes = Readonly<Record<string, unknown>>

/** A received span. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: number
  readonly attributes: Attributes
  readonly events: ReadonlyArray<unknown>
  readonly status: { readonly code: number; readonly message?: string }
}

interface KeyValue {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

const attributesOf = (list: ReadonlyArray<KeyValue>): Attributes =>
  Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]))

/** Starts a receiver. With `isHung` it accepts requests and never answers. */
export const startReceiver = async ({ isHung = false }: { readonly isHung?: boolean } = {}) => {
  const bodies: Array<{ readonly path: string; readonly text: string; readonly headers: string }> = []
  const server = createServer((request, response) => {
    let text = ""
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
    request.on("end", () => {
      bodies.push({ path: request.url ?? "", text, headers: JSON.stringify(request.headers) })
      if (!isHung) response.setHeader("content-type", "application/json").end("{}")
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const to = (path: string) => bodies.filter((body) => body.path === path).map(({ text }) => JSON.parse(text))

  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Everything received, including headers. */
    said: () => bodies.map(({ path, text, headers }) => `${path}\n${headers}\n${text}`).join("\n"),
    spans: (): ReadonlyArray<ReceivedSpan> =>
      to("/v1/traces")
        .flatMap(({ resourceSpans }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .map((span) => ({ ...span, attributes: attributesOf(span.attributes) })),
    metrics: (): ReadonlySet<string> =>
      new Set(
        to("/v1/metrics")
          .flatMap(({ resourceMetrics }) => resourceMetrics)
          .flatMap(({ scopeMetrics }) => scopeMetrics)
          .flatMap(({ metrics }) => metrics)
          .map(({ name }) => name)
      ),
    resources: (): ReadonlyArray<Attributes> =>
      [
        ...to("/v1/traces").flatMap(({ resourceSpans }) => resourceSpans),
        ...to("/v1/metrics").flatMap(({ resourceMetrics }) => resourceMetrics)
      ].map(({ resource }) => attributesOf(resource.attributes)),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    }
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>
