/**
 * The server's interface for tests of packages that the server depends on: a dependency of theirs on the server would be a circle of
 * packages.
 */
export { layerInterface } from "../src/index.ts"
