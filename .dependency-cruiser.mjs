/**
 * Which file may import which: the architecture, between folders and packages. (Which modules of other people's packages
 * a folder may use is in `.oxlintrc.json`.) `scripts/test/imports.test.ts` shows every rule refusing a planted violation.
 */

/** Core's folders import one way: domain <- ports <- services. */
const coreFolder = (name, reaches) => ({
  name: `core-${name}`,
  comment: `core/${name} imports ${reaches.join(", ")} and nothing else of the workspace`,
  severity: "error",
  from: { path: `^packages/core/src/${name}/` },
  to: { path: "^(packages|examples|benchmarks|scripts|site)/", pathNot: `^packages/core/src/(${reaches.join("|")})/` }
})

export default {
  forbidden: [
    coreFolder("domain", ["domain"]),
    coreFolder("ports", ["domain", "ports"]),
    coreFolder("services", ["domain", "ports", "services"]),
    {
      name: "core-needs-no-platform",
      comment:
        "core, the client and the tracker run anywhere, and the page in browsers: they import none of Node's own modules",
      severity: "error",
      from: { path: "^packages/(core/src|client/src|tracker/src|page/src/browser)/" },
      to: { dependencyTypes: ["core"] }
    },
    {
      name: "packages-stand-alone",
      comment:
        "of the other packages, a package imports core alone, and core imports none; the service imports adapters, and the " +
        "server them all; page and tracker have rules of their own",
      severity: "error",
      from: {
        path: "^packages/([^/]+)/src/",
        pathNot: "^packages/(server|service|adapter-[^/]+|page/src/browser|tracker)/"
      },
      to: { path: "^packages/", pathNot: "^packages/(core|$1)/" }
    },
    {
      name: "adapters-stand-alone",
      comment:
        "of the other packages, an adapter imports core, and outbound for connections to servers that callers name",
      severity: "error",
      from: { path: "^packages/(adapter-[^/]+)/src/" },
      to: { path: "^packages/", pathNot: "^packages/(core|outbound|$1)/" }
    },
    {
      name: "service-needs-no-server",
      comment:
        "the service is for applications: of the workspace it imports core, adapters, outbound and the client, and none of the " +
        "server's own parts",
      severity: "error",
      from: { path: "^packages/service/src/" },
      to: { path: "^packages/", pathNot: "^packages/(core|adapter-[^/]+|client|outbound|service)/" }
    },
    {
      name: "page-knows-client-alone",
      comment:
        "the page has no code of the server in it: of the other packages it knows the client, how core writes CSV, and the kinds of problems as a type",
      severity: "error",
      from: { path: "^packages/page/src/browser/" },
      to: {
        path: "^packages/",
        pathNot:
          "^packages/(page/src/browser/|client/|core/src/domain/shared/Csv[.]ts$|adapter-http/src/api/index[.]ts$)"
      }
    },
    {
      name: "page-imports-types",
      comment: "the page imports types of adapter-http, and nothing at runtime",
      severity: "error",
      from: { path: "^packages/page/src/browser/" },
      to: { path: "^packages/adapter-http/", dependencyTypesNot: ["type-only"] }
    },
    {
      name: "geofence-needs-no-effect",
      comment: "devices run the geofence: nothing that it imports, at however many removes, imports effect",
      severity: "error",
      from: { path: "^packages/core/src/domain/geofence/Geofence[.]ts$" },
      to: { path: "(^|/)node_modules/effect/", reachable: true }
    },
    {
      name: "tracker-knows-what-it-bundles",
      comment:
        "the tracker is bundled for devices: of the workspace it imports core's geofence and the client's requests, and nothing else",
      severity: "error",
      from: { path: "^packages/tracker/src/" },
      to: {
        path: "(^|/)(packages|examples|benchmarks|scripts|site|node_modules)/",
        pathNot: "^packages/(tracker/src/|core/src/domain/geofence/Geofence[.]ts$|client/src/(endpoints|http)[.]ts$)"
      }
    },
    {
      name: "imports-nothing-of-ours",
      comment:
        "embedded-postgres is useful without Sojourn, and client without Effect: they import no other package of the workspace, " +
        "core neither",
      severity: "error",
      from: { path: "^packages/(embedded-postgres|client)/src/" },
      to: { path: "^(packages|examples|benchmarks|scripts|site)/", pathNot: "^packages/$1/" }
    },
    {
      name: "packages-meet-at-exports",
      comment:
        "a package is imported by its name, through its exports, never by a path into its folder; tests may start the real " +
        "parts that tests of another package start, such as a directory; the server's bundler uses that of the page",
      severity: "error",
      from: { path: "^packages/([^/]+)/", pathNot: "^packages/server/tsup[.]bundle[.]config[.]ts$" },
      to: { path: "^packages/", pathNot: "^packages/($1|[^/]+/test)/", dependencyTypes: ["local"] }
    },
    {
      name: "testing-is-for-tests",
      comment: "the test kit is for tests and examples: no other package imports it, core least of all",
      severity: "error",
      from: { path: "^packages/[^/]+/src/", pathNot: "^packages/testing/" },
      to: { path: "^packages/testing/" }
    },
    {
      name: "sources-know-no-tests",
      comment:
        "what is published imports nothing that is not: no tests, no examples, no benchmarks, no scripts, no site",
      severity: "error",
      from: { path: "^packages/[^/]+/src/" },
      to: { path: "^(packages/[^/]+/test|examples|benchmarks|scripts|site)/" }
    },
    {
      name: "api-knows-no-handlers",
      comment: "a client imports adapter-http's api and wire without the server's side",
      severity: "error",
      from: { path: "^packages/adapter-http/src/(api|wire|client)" },
      to: { path: "^packages/adapter-http/src/(handlers|pipeline)" }
    },
    {
      name: "pipeline-knows-no-handlers",
      comment: "the pipeline runs any handler",
      severity: "error",
      from: { path: "^packages/adapter-http/src/pipeline/" },
      to: { path: "^packages/adapter-http/src/(handlers|presence|docs)/" }
    },
    {
      name: "declared-dependencies",
      comment:
        "sources import what their package.json declares as a dependency or peer; what is bundled into the page or the " +
        "no other package depends on tracker",
      severity: "error",
      from: { path: "^packages/[^/]+/src/", pathNot: "^packages/(page/src/(browser/|files[.]ts$)|tracker/)" },
      to: {
        // Declarations name Node's types, which a project that compiles for Node has.
        pathNot: "(^|/)node_modules/@types/node/",
        dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
        dependencyTypesNot: ["npm", "npm-peer"]
      }
    },
    {
      name: "resolvable",
      comment: "every import leads somewhere",
      severity: "error",
      from: {},
      to: { couldNotResolve: true }
    },
    {
      name: "no-cycles",
      comment: "no module imports itself by a detour",
      severity: "error",
      from: {},
      to: { circular: true }
    },
    {
      name: "no-folder-cycles",
      comment:
        "no folder of sources imports itself by a detour: a feature is understood with the folders below it alone",
      severity: "error",
      scope: "folder",
      from: { path: "^packages/[^/]+/src/" },
      to: { circular: true }
    }
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // What is built; and a project outside of the workspace, which has packages of its own.
    exclude: { path: "^((packages/[^/]+|site)/(dist|[.]cache)|scripts/packages/(consumer|embedding))/" },
    // Imports of types are imports: the architecture is about what a file knows.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["source", "import", "types", "node", "default"]
    }
  }
}
