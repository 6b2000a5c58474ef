import { untagged } from "../../public/tags.mjs"

/** Whether each public export says since which version it exists, and its category. */
export const tags = ({ folder, manifest }) =>
  untagged(folder, manifest).map(({ file, name }) => `tags: ${name} in ${file} has no @since or no @category`)
