/**
 * The interface of the service for tests of packages that the service depends on: a dependency of theirs on it would be a circle of
 * packages.
 */
export { layerInterface } from "@sojourn/service"
