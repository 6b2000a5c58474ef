/** Finds the endpoint of a URL among the declared paths. */
import { pathOf } from "./requestHead.ts"

/** A declared path: its template with `:name` for each segment that varies, and what answers it by method. */
export interface Route<Endpoint> {
  readonly template: string
  readonly methods: ReadonlyMap<string, Endpoint>
}

/** A route that was found for a URL, with the segments of its path as they were sent. */
export interface Match<Endpoint> {
  readonly route: Route<Endpoint>
  /** The segments that vary, by their names, with their escapes. */
  readonly params: Readonly<Record<string, string>>
}

const NO_PARAMS = {}

/** A route with varying segments. Routes of the same length are few, and are compared one after another. */
interface Varying<Endpoint> {
  readonly segments: ReadonlyArray<string>
  readonly route: Route<Endpoint>
}

const match = (segments: ReadonlyArray<string>, values: ReadonlyArray<string>) => {
  const params: Record<string, string> = {}
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i]!
    const value = values[i]!
    if (!segment.startsWith(":")) {
      if (segment !== value) return undefined
    } else if (value === "") return undefined
    else params[segment.slice(1)] = value
  }
  return params
}

/**
 * Finds the route of a URL. Its path is compared exactly: case, slashes and escapes matter (spec: http#routes). A template
 * without varying segments takes precedence. Where GET is declared, HEAD is answered alike.
 */
export const makeRoutes = <Endpoint>(
  declared: Iterable<readonly [method: string, template: string, endpoint: Endpoint]>
): ((url: string) => Match<Endpoint> | undefined) => {
  const byTemplate = new Map<string, Map<string, Endpoint>>()
  for (const [method, template, endpoint] of declared) {
    const methods = byTemplate.get(template) ?? new Map<string, Endpoint>()
    byTemplate.set(template, methods.set(method, endpoint))
    if (method === "GET") methods.set("HEAD", endpoint)
  }
  const exact = new Map<string, Match<Endpoint>>()
  const varying = new Map<number, Array<Varying<Endpoint>>>()
  for (const [template, methods] of byTemplate) {
    const route = { template, methods }
    const segments = template.split("/")
    if (!template.includes(":")) exact.set(template, { route, params: NO_PARAMS })
    else varying.set(segments.length, [...(varying.get(segments.length) ?? []), { segments, route }])
  }
  return (url) => {
    const path = pathOf(url)
    const found = exact.get(path)
    if (found !== undefined) return found
    const values = path.split("/")
    for (const { segments, route } of varying.get(values.length) ?? []) {
      const params = match(segments, values)
      if (params !== undefined) return { route, params }
    }
    return undefined
  }
}
