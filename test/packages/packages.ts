import { createRequire } from 'node:module'
import { join } from 'node:path'
import { install } from '../../scripts/install.mjs'

/** Loads packages from this folder's node_modules. */
export const requireTestPackage = createRequire(join(import.meta.dirname, 'package.json'))

/** Installs the test nodes and the exchanges' client if they are missing. None of their install scripts runs: nothing is compiled. */
export async function installTestPackages(): Promise<void> {
  await install(
    import.meta.dirname,
    'Installing the nodes and clients for the tests, once. This takes some seconds.',
    ['--ignore-scripts'],
  )
}
