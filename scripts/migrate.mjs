import { runSilently } from './toolchain.mjs'

/**
 * Brings the local database of this state up to the newest migration, with the tool that does it in production.
 *
 * @param {string} stateDirectory
 */
export async function migrate(stateDirectory) {
  await runSilently('wrangler', [
    'd1',
    'migrations',
    'apply',
    'DB',
    '--local',
    '--persist-to',
    stateDirectory,
  ])
}
