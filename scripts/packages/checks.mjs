/** What can be said of a tarball without installing it: by publint, by are-the-types-wrong, and of its files. */
import { readFileSync } from "node:fs"
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
import { problemAffectsResolutionKind, problemKindInfo } from "@arethetypeswrong/core/problems"
import { publint } from "publint"
import { formatMessage } from "publint/utils"

/** What a package may hold: what it exports, with its sources, maps and declarations, and what people and agents read. */
const allowed = [
  /^(package\.json|LICENSE|(README|CHANGELOG|AGENTS)\.md|[\w-]+\.schema\.json|dist\/THIRD-PARTY-NOTICES\.txt)$/,
  /^dist\/[\w./-]+\.(js|d\.ts)(\.map)?$/,
  /^(src|dist\/(core|client)\/src)\/[\w./-]+\.(tsx?|css|svg)$/,
  /^src\/browser\/tsconfig\.json$/
]

/** What has no business in a package, wherever it stands. The words are written so that this file does not hold them. */
const secrets = [
  ["a private key", /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
  ["a private JSON Web Key", /"d" ?: ?"[A-Za-z0-9_-]{40,}"/],
  ["a token of npm", /\bnpm_[A-Za-z0-9]{36}\b/],
  ["a signed token", /\beyJ[A-Za-z0-9_-]{15,}\.eyJ[A-Za-z0-9_-]{15,}\.[A-Za-z0-9_-]{20,}/],
  ["a path of the machine that built it", /(?<![\w./:-])\/(home|Users|root|tmp|work)\/[\w.-]+\//]
]

/** Those who import ESM: Node and bundlers. The packages promise nothing to `require` of old, nor to Node 10. */
const readers = ["node16-esm", "bundler"]

const typeFaults = async (one) => {
  const analysis = await checkPackage(one)
  if (analysis.types === false) return ["types: there are none"]
  return analysis.problems
    .filter((problem) => readers.some((reader) => problemAffectsResolutionKind(problem, reader, analysis)))
    .map((problem) => `types: ${problemKindInfo[problem.kind].title}, at ${problem.entrypoint ?? problem.fileName}`)
}

const contentFaults = (one) =>
  one.listFiles().flatMap((path) => {
    const name = path.slice(`/node_modules/${one.packageName}/`.length)
    const isAllowed = allowed.some((pattern) => pattern.test(name)) && !/(^|\/)tests?\/|\.test\./.test(name)
    const leaks = secrets.filter(([, pattern]) => pattern.test(one.readFile(path)))
    return [
      ...(isAllowed ? [] : [`contents: ${name} does not belong into it`]),
      ...leaks.map(([what]) => `contents: ${name} holds ${what}`)
    ]
  })

/** Every fault of a tarball, as sentences. */
export const faults = async (file) => {
  const tarball = new Uint8Array(readFileSync(file))
  const one = createPackageFromTarballData(tarball)
  const manifest = JSON.parse(one.readFile(`/node_modules/${one.packageName}/package.json`))
  const { messages } = await publint({ pack: { tarball: tarball.buffer }, strict: true })
  const found = [
    ...messages.map((message) => `publint: ${formatMessage(message, manifest, { color: false })}`),
    ...(await typeFaults(one)),
    ...contentFaults(one)
  ]
  return found.map((fault) => `${one.packageName}: ${fault}`)
}
