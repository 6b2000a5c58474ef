/**
 * Lint rules of our own, which `.oxlintrc.json` turns on per folder. `scripts/test/lint.test.ts` shows each refusing a
 * planted violation.
 */

/** What to use in the core in the place of what is not pure. */
const instead = {
  "Date.now": "effect/Clock",
  "Math.random": "effect/crypto/SecureRandom",
  "performance.now": "effect/Clock",
  "crypto.randomUUID": "effect/crypto/SecureRandom",
  "crypto.getRandomValues": "effect/crypto/SecureRandom"
}

/**
 * The core gets time and randomness from Effect's services, so that a test decides both; and it has no `async` functions,
 * which lose errors and interruption.
 */
const pure = {
  create(context) {
    const refuse = (node, what, better) => context.report({ node, message: `${what} is not pure: use ${better}` })
    const refuseAsync = (node) => {
      if (node.async) refuse(node, "an async function", "Effect.gen")
    }
    return {
      FunctionDeclaration: refuseAsync,
      FunctionExpression: refuseAsync,
      ArrowFunctionExpression: refuseAsync,
      MemberExpression(node) {
        const property = node.computed ? node.property.value : node.property.name
        const owner = node.object.type === "MemberExpression" ? node.object.property.name : node.object.name
        const name = `${owner}.${property}`
        if (Object.hasOwn(instead, name)) refuse(node, name, instead[name])
      },
      NewExpression(node) {
        if (node.callee.name === "Date" && node.arguments.length === 0) refuse(node, "new Date()", instead["Date.now"])
      },
      CallExpression(node) {
        if (node.callee.name === "Date") refuse(node, "Date()", instead["Date.now"])
      }
    }
  }
}

/**
 * A folder's files import other packages' modules from a list alone. The option holds `allow`, patterns that a whole name
 * has to match, and `message`. Imports by path are the business of `.dependency-cruiser.mjs`.
 */
const onlyImports = {
  meta: { schema: [{ type: "object" }] },
  create(context) {
    const [{ allow, message }] = context.options
    const allowed = new RegExp(`^(?:${allow.join("|")})$`)
    const look = ({ source }) => {
      if (source === null || typeof source.value !== "string" || source.value.startsWith(".")) return
      if (!allowed.test(source.value)) context.report({ node: source, message: `${source.value}: ${message}` })
    }
    return {
      ImportDeclaration: look,
      ImportExpression: look,
      ExportAllDeclaration: look,
      ExportNamedDeclaration: look,
      TSImportType: look
    }
  }
}

/** A loop ends by its own condition. What repeats for ever says so: `Effect.forever`. */
const endingLoop = {
  create(context) {
    const message = "state when the loop ends in its condition, or use Effect.forever"
    const look = (node) => {
      if (node.test === null || node.test.value === true) context.report({ node, message })
    }
    return { ForStatement: look, WhileStatement: look, DoWhileStatement: look }
  }
}

const PREDICATE =
  "CallExpression[callee.property.name=/^(filter|find|findIndex|findLast|findLastIndex|some|every)$/] > ArrowFunctionExpression"

/** A predicate only answers. What it counts or collects would depend on how often, and in which order, it is called. */
const purePredicate = {
  create(context) {
    const refuse = (node) => context.report({ node, message: "change nothing in a predicate: use a loop" })
    return {
      [`${PREDICATE} AssignmentExpression`]: refuse,
      [`${PREDICATE} UpdateExpression`]: refuse,
      [`${PREDICATE} CallExpression[callee.property.name=/^(add|delete|push|set)$/]`]: refuse
    }
  }
}

export default {
  meta: { name: "sojourn" },
  rules: { pure, "only-imports": onlyImports, "ending-loop": endingLoop, "pure-predicate": purePredicate }
}
