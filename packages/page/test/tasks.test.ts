/** Keeps the table of tasks in docs/page.md complete: the page does all that an administrator may do over HTTP. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"
import { SojournApi } from "@sojourn/adapter-http"

const documented = readFileSync(fileURLToPath(new URL("../../../docs/page.md", import.meta.url)), "utf8")
const table = documented.slice(documented.indexOf("## Where each task is")).split("\n## ", 2)[0]!
const named = [...table.matchAll(/`([A-Z]+ \/[^`]+)`/g)].map(([, task]) => task!)

const ADMITTED = /Administrators(AndDisplays)?$/

describe("the documentation of the page", () => {
  it("says for each endpoint that an administrator may call where it is on the page", () => {
    const tasks = Object.values(SojournApi.groups).flatMap((group) =>
      Object.values(group.endpoints).flatMap(({ method, path, middlewares }) =>
        Array.from(middlewares, ({ key }) => key).some((key) => ADMITTED.test(key))
          ? [`${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`]
          : []
      )
    )
    assert.isAbove(tasks.length, 30)
    assert.sameMembers(named, tasks)
  })
})
