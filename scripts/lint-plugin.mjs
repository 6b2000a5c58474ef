/**
 * Lint rules of our own. `pure`: the core gets time and randomness from Effect's services, so that a test decides both;
 * and it has no `async` functions, which lose errors and interruption.
 */

const instead = {
  "Date.now": "effect/Clock",
  "Math.random": "effect/crypto/SecureRandom",
  "performance.now": "effect/Clock",
  "crypto.randomUUID": "effect/crypto/SecureRandom",
  "crypto.getRandomValues": "effect/crypto/SecureRandom"
}

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

export default { meta: { name: "sojourn" }, rules: { pure } }
