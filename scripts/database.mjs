import { callCloudflare, getDatabasePath } from './cloudflareApi.mjs'
import { run, stateDirectory } from './toolchain.mjs'

/**
 * Queries a D1 database.
 *
 * @param {readonly string[]} where wrangler's options that name the database: see `getDatabaseOptions`
 * @param {readonly string[]} queries
 * @returns {Promise<Record<string, unknown>[][]>} the rows of each query
 */
export async function queryDatabase(where, queries) {
  /** @type {{ results: Record<string, unknown>[] }[]} */
  const answers = where.includes('--remote')
    ? await callCloudflare(`${getDatabasePath()}/query`, { sql: queries.join(';\n') })
    : await queryLocally(where, queries.join(';\n'))
  return answers.map(({ results }) => results)
}

/** @param {readonly string[]} where @param {string} sql */
async function queryLocally(where, sql) {
  const output = await run('wrangler', ['d1', 'execute', 'DB', ...where, '--json', '--command', sql])
  return JSON.parse(output.slice(output.indexOf('[')))
}

/** Wrangler's options for the deployed database, or for the local one of this state. @param {boolean} [isRemote] */
export function getDatabaseOptions(isRemote = false) {
  return isRemote ? ['--remote'] : ['--local', '--persist-to', stateDirectory]
}
