/** Checks by are-the-types-wrong that importers find the declarations. */
import { checkPackage, Package } from "@arethetypeswrong/core"
import { problemAffectsResolutionKind, problemKindInfo } from "@arethetypeswrong/core/problems"

/** Those who import ESM: Node and bundlers. The packages promise nothing to `require` of old, nor to Node 10. */
const readers = ["node16-esm", "bundler"]

/** What are-the-types-wrong finds in a package, for its profile `esm-only`. */
export const types = async ({ name, manifest, files }) => {
  const tree = Object.fromEntries([...files].map(([path, data]) => [`/node_modules/${name}/${path}`, data]))
  const analysis = await checkPackage(new Package(tree, name, manifest.version))
  if (analysis.types === false) return ["types: there are none"]
  return analysis.problems
    .filter((problem) => readers.some((reader) => problemAffectsResolutionKind(problem, reader, analysis)))
    .map((problem) => `types: ${problemKindInfo[problem.kind].title}, at ${problem.entrypoint ?? problem.fileName}`)
}
