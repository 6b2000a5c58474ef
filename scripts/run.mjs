/**
 * The entry point of `npm start`, `npm test` and all `npm run` commands. It runs on the machine's Node (20 or newer),
 * installs missing dependencies, and runs the command on the Node version that the workspace pins.
 */
import { build } from "./workspace/build.mjs"
import { bundle } from "./workspace/bundle.mjs"
import { clientTypes } from "./workspace/clientTypes.mjs"
import { gate, nightly, verify } from "./workspace/gate.mjs"
import { install, runPnpm } from "./workspace/install.mjs"
import { at, node } from "./workspace/paths.mjs"
import { run, runBundle, runTool } from "./workspace/processes.mjs"

const usage = `usage: node scripts/run.mjs <command> [arguments]

  start [flags]                run the server with the demo data; the flags go to \`sojourn serve\`
  sojourn <args>               run the \`sojourn\` command line
  test [args]                  run the quick checks and tests; the arguments go to vitest
  verify                       run the checks and tests that take long, after \`test\`
  nightly                      run the tests that take too long for every change
  mutation [group] [words]     change rules, use cases and stores in small ways, and list the changes that no test notices
  kill-cycles [group] [cycles] [seed]
                               kill the server, or a group of three, and PostgreSQL under load, 100 times, and audit the data
  failovers [n] [seed] [asynchronous]
                               end a primary of PostgreSQL under load, and promote its standby, 50 times, and audit the data
  citus [moves] [kills] [seed] [outages] [failovers]
                               move a cell on Citus under load, 20 times, kill its worker, 10 times, and audit the data
  feed-snapshots [n] [seed]    compare the totals of feeds with the open stays in 10,000 snapshots of a database under load
  deliveries [times] [seed]    simulate phones whose network, storage and tabs fail, 10000 times
  tracks [days] [kinds] [seed] [seconds]
                               measure the geofence on 100 generated days and walks with each kind of noise, and a fix each 10 and 60 seconds
  abuse [storage] [seconds]    attack a server in several ways, or those whose names hold a third argument, and measure the effect on others
  erase-people [n]             create data about 1,000 or n people on a server, erase them, and scan for traces
  timing [storage] [pairs]     compare response times of requests with the same answer, to find timing leaks
  growth [sizes]               measure all operations with these numbers of closed stays, such as 100000 1000000
  compare [options]            compare the server's throughput with services written by hand
  capacity                     print the plan of docs/capacity.md, computed from measured costs
  live [scenes]                measure events of the presence stream while a crowd moves: their delay, and their cost
  buildings [options]          make a building of 40 floors with 50 rooms each on a server, and change it: how long each takes
  readings [options]           send 1,000 readings of 10,000 devices a second to a server, beside as many movements
  files [callers]              let callers read files of 1,000,000 accesses: how long it takes, and the server's memory
  soak [minutes]               run the server at half of its capacity for 30 minutes, and look for growth of memory and latency
  page                         write pictures of the administrators' page into docs/images
  site                         build the documentation as a site, into site/dist
  docs:check                   compile or run every code block of the documentation
  release:version              make a version and its change logs of the changesets
  release:publish              publish what the registry lacks, and tag it
  client                       generate the types and the endpoints of @sojourn/client
  build                        build every package for publication
  packages [--pack]            check the packages as they would be published, and install them into an empty project, or not
  dependencies [file]          check the dependencies against the policy; write the software bill of materials to the file
  install                      install only`

/**
 * A command that runs a program of the workspace with its arguments. With `bundled` the program starts the server's bundle, with `typed`
 * it compiles programs that use the client.
 */
const program =
  (file, { bundled = false, typed = false } = {}) =>
  async (args) => {
    await install()
    if (typed && (await clientTypes()) !== 0) return 1
    const conditions = file.endsWith(".ts") ? ["--conditions=source"] : []
    const options = bundled ? { env: { SOJOURN_BUNDLE: await bundle() } } : {}
    return run(node(), [...conditions, at(file), ...args], options)
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
  nightly: () => nightly(),
  mutation: program("scripts/mutation.mjs"),
  "kill-cycles": program("packages/server/test/faults/killCycles.ts", { bundled: true }),
  failovers: program("packages/server/test/faults/failovers.ts", { bundled: true }),
  citus: program("packages/server/test/faults/citus.ts", { bundled: true }),
  "feed-snapshots": program("packages/server/test/faults/feedSnapshots.ts", { bundled: true }),
  deliveries: async ([times = "10000", seed]) => {
    await install()
    const env = { SOJOURN_RUNS_FACTOR: String(Number(times) / 300), ...(seed && { SOJOURN_SEED: seed }) }
    return runTool("vitest", ["run", "packages/tracker/test/deliveries.test.ts"], { env })
  },
  tracks: program("benchmarks/tracks.ts"),
  abuse: program("packages/server/test/abuse/attacks.ts", { bundled: true }),
  "erase-people": program("packages/server/test/erasure/erasePeople.ts", { bundled: true }),
  timing: program("packages/server/test/abuse/timing.ts", { bundled: true }),
  growth: program("benchmarks/growth.ts"),
  compare: program("benchmarks/compare.ts", { bundled: true }),
  capacity: program("benchmarks/capacity.ts"),
  live: program("benchmarks/live.ts", { bundled: true }),
  buildings: program("benchmarks/buildings.ts", { bundled: true }),
  readings: program("benchmarks/readings.ts", { bundled: true }),
  files: program("benchmarks/files.ts", { bundled: true }),
  soak: program("benchmarks/soak.ts", { bundled: true }),
  "docs:check": program("site/blocks/main.ts", { bundled: true, typed: true }),
  page: async () => {
    await install()
    return runTool("vitest", ["run", "packages/page/test/browser/demo.test.ts"], {
      env: { SOJOURN_PAGE_PICTURES: "1" }
    })
  },
  site: program("site/build.ts", { typed: true }),
  client: program("site/client.ts"),
  build: async () => {
    await install()
    return build()
  },
  packages: program("scripts/packages.mjs"),
  "release:version": program("scripts/version.mjs"),
  "release:publish": async (args) => {
    await install()
    return (await build()) || runPnpm(["exec", "changeset", "publish", ...args])
  },
  dependencies: program("scripts/dependencies.mjs"),
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
