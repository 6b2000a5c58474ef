/** What a package may hold: what it exports, with its sources, maps and declarations, and what people and agents read. */
const allowed = [
  /^package\.json$/,
  /^(README|CHANGELOG|AGENTS)\.md$/,
  /^LICENSE$/,
  /^[\w-]+\.schema\.json$/,
  /^dist\/THIRD-PARTY-NOTICES\.txt$/,
  /^dist\/[\w./-]+\.(js|js\.map|d\.ts|d\.ts\.map)$/,
  /^src\/[\w./-]+\.(tsx?|css|svg)$/,
  /^src\/browser\/tsconfig\.json$/,
  // The sources of modules of another package that a standalone one holds.
  /^dist\/core\/src\/[\w./-]+\.ts$/
]

/** What must be in every package. */
const required = ["package.json", "README.md", "CHANGELOG.md", "AGENTS.md", "LICENSE", "src/index.ts"]

/** What has no business in a package, wherever it stands. The words are written so that this file does not hold them. */
const secrets = [
  ["a private key", /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
  ["a private JSON Web Key", /"d" ?: ?"[A-Za-z0-9_-]{40,}"/],
  ["a token of npm", /\bnpm_[A-Za-z0-9]{36}\b/],
  ["a signed token", /\beyJ[A-Za-z0-9_-]{15,}\.eyJ[A-Za-z0-9_-]{15,}\.[A-Za-z0-9_-]{20,}/],
  ["a path of the machine that built it", /(?<![\w./:-])\/(home|Users|root|tmp|work)\/[\w.-]+\//]
]

/** Files that should not be in a package, and files that should. That exports and commands lead somewhere publint sees. */
export const contents = ({ files }) => {
  const missing = required.filter((path) => !files.has(path))
  const surplus = [...files.keys()].filter(
    (path) => !allowed.some((pattern) => pattern.test(path)) || /(^|\/)tests?\/|\.test\./.test(path)
  )
  const leaks = [...files].flatMap(([path, data]) =>
    secrets.filter(([, pattern]) => pattern.test(data.toString("utf8"))).map(([what]) => `${path} holds ${what}`)
  )
  return [
    ...missing.map((path) => `contents: ${path} is not in it`),
    ...surplus.map((path) => `contents: ${path} does not belong into it`),
    ...leaks.map((leak) => `contents: ${leak}`)
  ]
}
