/**
 * Writes where the repository is into packages. Only the release knows: it runs where the repository is, and provenance is refused when
 * a package names another place than the one that it was built in. Until then `repository` of the workspace's package.json, and
 * what is made of it, is a placeholder below a domain that is reserved for examples.
 */
export const PLACEHOLDER = "https://git.example.org/sojourn/sojourn"

/** A manifest with the addresses that a registry shows. */
export const withRepository = (manifest, folder, home) => ({
  ...manifest,
  homepage: `${home}/tree/main/${folder}#readme`,
  bugs: { url: `${home}/issues` },
  repository: { type: "git", url: `git+${home}.git`, directory: folder }
})

/** The files of a packed package that name the placeholder: it may not be published with them. */
export const placeholders = ({ files }) =>
  [...files].filter(([, data]) => data.includes(PLACEHOLDER)).map(([path]) => path)
