import { posix } from "node:path"

const link = /\]\(([^()\s]+)\)/g

/** Whether links of texts work outside of the clone: each has a scheme, is an anchor, or leads to a file of the package. */
export const links = ({ files }) =>
  [...files]
    .filter(([path]) => path.endsWith(".md"))
    .flatMap(([path, data]) => {
      const targets = [...data.toString("utf8").matchAll(link)].map(([, target]) => target.split("#")[0])
      return targets
        .filter((target) => target !== "" && !/^[a-z]+:/.test(target))
        .filter((target) => !files.has(posix.normalize(target)))
        .map((target) => `links: ${path} leads to ${target}, which is not in the package`)
    })
