import { createRequire } from 'node:module'
import { join } from 'node:path'
import { install } from '../../scripts/install.mjs'

/** This folder, which has its own package.json, lockfile and node_modules. */
export const nodesDirectory = import.meta.dirname

/** Loads packages from this folder's node_modules. */
export const requireNested = createRequire(join(nodesDirectory, 'package.json'))

/** Installs the packages of the test nodes if they are missing. None of their install scripts runs: nothing is compiled. */
export async function installNodes(): Promise<void> {
  await install(nodesDirectory, 'Installing the test nodes, once. This takes some seconds.', [
    '--ignore-scripts',
  ])
}
