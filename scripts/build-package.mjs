/** The `build` script of every package: builds the one in whose folder it runs. */
import { relative } from "node:path"
import { buildPackage } from "./workspace/build.mjs"
import { root } from "./workspace/paths.mjs"

process.exitCode = await buildPackage(relative(root, process.cwd()).replaceAll("\\", "/"))
