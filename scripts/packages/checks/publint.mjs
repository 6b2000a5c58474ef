import { publint as lint } from "publint"
import { formatMessage } from "publint/utils"

/** What publint says of a package, strictly, but for one suggestion: the release fills in where the repository is. */
export const publint = async ({ folder, files, manifest }) => {
  const pack = { files: [...files].map(([path, data]) => ({ name: `${folder}/${path}`, data })) }
  const { messages } = await lint({ pkgDir: folder, pack, strict: true })
  return messages.map((message) => `publint: ${formatMessage(message, manifest, { color: false })}`)
}
