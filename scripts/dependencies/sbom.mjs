import { capturePnpm } from "../workspace/install.mjs"

const format = ["--sbom-format", "cyclonedx", "--sbom-spec-version", "1.6", "--sbom-type", "application"]

/**
 * The software bill of materials of the server, as CycloneDX 1.6: every package that is installed with it on this platform,
 * from the lock file, with its licence and the hash of its tarball. The server depends on every package of ours.
 */
export const sbom = () => capturePnpm(["--filter", "@sojourn/server", "sbom", "--prod", "--exclude-peers", ...format])
