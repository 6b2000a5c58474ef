/**
 * What no test can tell apart, because nothing reads it while the program runs: the names of brands, which are for the compiler,
 * and the keys of services, which only have to differ. Both are left out of the score; docs/mutation.md says how many.
 */
const isCallOf = (node, object, ...properties) =>
  node?.type === "CallExpression" &&
  node.callee.type === "MemberExpression" &&
  node.callee.object.name === object &&
  properties.includes(node.callee.property.name)

const shouldIgnore = ({ node, parent }) => {
  if (node.type !== "StringLiteral" || parent?.type !== "CallExpression") return undefined
  if (isCallOf(parent, "Schema", "brand")) return "the name of a brand is for the compiler"
  const isKey = isCallOf(parent.callee, "Context", "Service") || isCallOf(parent, "Context", "Reference")
  return isKey ? "the key of a service only has to differ from others" : undefined
}

export const strykerPlugins = [{ kind: "Ignore", name: "names-for-types", value: { shouldIgnore } }]
