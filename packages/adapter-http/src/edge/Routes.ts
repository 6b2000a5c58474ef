import * as HttpApi from "effect/http-api/HttpApi"
import { SojournApi } from "../api/index.ts"

/** A path as it is declared, with `:name` for each segment that varies. */
export interface Route {
  readonly template: string
  readonly methods: ReadonlySet<string>
}

/** The declared paths: those without varying segments by their text, the others by their number of segments. */
export interface Routes {
  readonly exact: ReadonlyMap<string, Route>
  readonly varying: ReadonlyMap<
    number,
    ReadonlyArray<{ readonly segments: ReadonlyArray<string>; readonly route: Route }>
  >
}

/** A method and a path that the server answers beside the interface, such as its documentation. */
export type ExtraRoute = readonly [method: string, path: string]

/** The routes of the interface and of `extra`. Whoever may GET may HEAD. */
export const collectRoutes = (extra: ReadonlyArray<ExtraRoute>): Routes => {
  const methods = new Map<string, Set<string>>()
  const add = (method: string, path: string) => {
    const known = methods.get(path) ?? new Set<string>()
    methods.set(path, known.add(method))
    if (method === "GET") known.add("HEAD")
  }
  HttpApi.reflect(SojournApi, { onGroup: () => {}, onEndpoint: ({ endpoint }) => add(endpoint.method, endpoint.path) })
  for (const [method, path] of extra) add(method, path)

  const exact = new Map<string, Route>()
  const varying = new Map<number, Array<{ segments: ReadonlyArray<string>; route: Route }>>()
  for (const [template, allowed] of methods) {
    const route: Route = { template, methods: allowed }
    const segments = template.split("/")
    if (!template.includes(":")) exact.set(template, route)
    else varying.set(segments.length, [...(varying.get(segments.length) ?? []), { segments, route }])
  }
  return { exact, varying }
}

/**
 * The route of a URL, whose path is compared to the letter: case, slashes and escapes matter (contract, section 3). A path
 * that is declared as it is comes before one with varying segments.
 */
export const findRoute = (routes: Routes, url: string): Route | undefined => {
  const query = url.indexOf("?")
  const path = query === -1 ? url : url.slice(0, query)
  const exact = routes.exact.get(path)
  if (exact !== undefined) return exact
  const asked = path.split("/")
  const found = routes.varying
    .get(asked.length)
    ?.find(({ segments }) =>
      segments.every((segment, i) => (segment.startsWith(":") ? asked[i] !== "" : segment === asked[i]))
    )
  return found?.route
}
