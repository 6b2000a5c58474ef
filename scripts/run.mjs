/**
 * The one entry behind `npm start`, `npm test` and `npm run sojourn`. It runs on the Node of the machine (20 or newer),
 * installs what is missing, and hands over to the Node that the workspace pins.
 */
import { build } from "./workspace/build.mjs"
import { bundle } from "./workspace/bundle.mjs"
import { gate, verify } from "./workspace/gate.mjs"
import { install, installMutation } from "./workspace/install.mjs"
import { at, node } from "./workspace/paths.mjs"
import { run, runBundle } from "./workspace/processes.mjs"
import { randomLines } from "./workspace/randomLines.mjs"

const usage = `usage: node scripts/run.mjs <command> [arguments]

  start [flags]                run the server with the demo data; the flags go to \`sojourn serve\`
  sojourn <args>               run the \`sojourn\` command line
  test [args]                  run the quick checks and tests; the arguments go to vitest
  verify                       run the checks and tests that take long, after \`test\`
  mutants [n]                  plant wrong rules, all or n of them, and prove that the tests see each
  mutation [words]             change the rules and use cases of core in small ways, and say what no test notices
  kill-cycles [cycles] [seed]  kill the server and its PostgreSQL under load, 100 times, and look what is lost
  abuse [storage] [seconds]    attack a server in several ways, and say what each costs other callers
  erase-people [n]             let 1,000 or n people live on a server, erase them, and look for what is left
  timing [storage] [pairs]     ask pairs of questions that have one answer, and say whether its time tells them apart
  release-fixture <version>    keep what this version writes, for later ones to be tested with
  growth [sizes]               measure what everything costs with so many closed stays, such as 100000,1000000
  compare [options]            measure the server beside services written by hand, and draw a chart
  overload [times]             let more movements arrive than the server answers: what is answered, and who is refused how
  live [scenes]                let a crowd move in front of subscribers of the stream: how late events are, and what they cost
  soak [length]                load the server at half of what it is capable of, 30m, and look whether it stays flat
  site                         build the documentation as a site, into site/dist
  docs:check                   compile or run every code block of the documentation
  release <step>               a step of a release: version, repository, notes, publish
  build                        make every package publishable
  packages [--all]             look at the packages as they would be published, and install them into empty projects
  dependencies [file]          hold the dependencies to the policy; writes the software bill of materials into the file
  lines [seed] [count]         print random lines of code, each with the first docstring of its file
  install                      install only`

/** A command of `benchmarks/` that needs no server. */
const measuring = (name) => async (args) => {
  await install()
  return run(node(), ["--conditions=source", at("benchmarks", `${name}.ts`), ...args])
}

/** A command of `benchmarks/` that starts servers as processes: they run what people run. */
const measuringServers = (name) => async (args) => {
  await install()
  const program = at("benchmarks", `${name}.ts`)
  return run(node(), ["--conditions=source", program, ...args], { env: { SOJOURN_BUNDLE: await bundle() } })
}

const commands = {
  start: async (args) => {
    await install()
    return runBundle(await bundle(), ["serve", "--demo", ...args])
  },
  sojourn: async (args) => {
    await install()
    return runBundle(await bundle(), args)
  },
  test: gate,
  verify: () => verify(),
  mutants: async (args) => {
    await install()
    return run(node(), [at("scripts", "mutants.mjs"), ...args])
  },
  mutation: async (args) => {
    await install()
    await installMutation()
    return run(node(), [at("scripts", "mutation.mjs"), ...args])
  },
  "kill-cycles": async (args) => {
    await install()
    const program = at("packages", "server", "test", "faults", "killCycles.ts")
    return run(node(), ["--conditions=source", program, ...args], { env: { SOJOURN_BUNDLE: await bundle() } })
  },
  abuse: async (args) => {
    await install()
    const program = at("packages", "server", "test", "abuse", "attacks.ts")
    return run(node(), ["--conditions=source", program, ...args], { env: { SOJOURN_BUNDLE: await bundle() } })
  },
  "erase-people": async (args) => {
    await install()
    const program = at("packages", "server", "test", "erasure", "erasePeople.ts")
    return run(node(), ["--conditions=source", program, ...args], { env: { SOJOURN_BUNDLE: await bundle() } })
  },
  timing: async (args) => {
    await install()
    const program = at("packages", "server", "test", "abuse", "timing.ts")
    return run(node(), ["--conditions=source", program, ...args], { env: { SOJOURN_BUNDLE: await bundle() } })
  },
  "release-fixture": async (args) => {
    await install()
    const program = at("packages", "server", "test", "released", "make.ts")
    return run(node(), ["--conditions=source", program, ...args])
  },
  growth: measuring("growth"),
  compare: measuringServers("compare"),
  live: measuringServers("live"),
  overload: measuringServers("overload"),
  soak: measuringServers("soak"),
  "docs:check": async () => {
    await install()
    const program = at("site", "blocks", "main.ts")
    return run(node(), ["--conditions=source", program], { env: { SOJOURN_BUNDLE: await bundle() } })
  },
  site: async () => {
    await install()
    return run(node(), ["--conditions=source", at("site", "build.ts")])
  },
  build: async () => {
    await install()
    return build()
  },
  packages: async (args) => {
    await install()
    return run(node(), [at("scripts", "packages.mjs"), ...args])
  },
  release: async (args) => {
    await install()
    return run(node(), [at("scripts", "release.mjs"), ...args])
  },
  dependencies: async (args) => {
    await install()
    return run(node(), [at("scripts", "dependencies.mjs"), ...args])
  },
  lines: async (args) => randomLines(...args),
  install: async () => {
    await install()
    return 0
  }
}

const [name, ...args] = process.argv.slice(2)
const command = Object.hasOwn(commands, name ?? "") ? commands[name] : undefined

if (command === undefined) {
  console.error(usage)
  process.exitCode = 2
} else {
  try {
    process.exitCode = await command(args)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
