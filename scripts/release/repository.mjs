/**
 * Writes where the repository is into a manifest. Only the release knows: it runs where the repository is, and provenance is
 * refused when a package names another place than the one that it was built in.
 */
export const withRepository = (manifest, folder, home) => ({
  ...manifest,
  homepage: `${home}/tree/main/${folder}#readme`,
  bugs: { url: `${home}/issues` },
  repository: { type: "git", url: `git+${home}.git`, directory: folder }
})
