// `npm run launch-check`: lists the problems to fix before real money may move, and how to fix them. Exit code 1 if there are
// any. Checks this clone, the local database (STATE_DIR) and the values of the local secrets.
//   --remote           checks the deployed database and the names of its secrets instead; their values cannot be read
//   --secrets <file>   checks these values: lines NAME=value, or JSON. They are never shown or kept
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { getDatabaseOptions, queryDatabase } from './database.mjs'
import { describeFindings, findProblems } from './launch/checks.ts'
import { fetchSecretNames, readDatabase, readProject } from './launch/facts.ts'
import { readSecrets } from './launch/secretValues.ts'
import { root, runCommand, stateDirectory } from './toolchain.mjs'

const { values: options } = parseArgs({
  options: { remote: { type: 'boolean' }, secrets: { type: 'string' } },
})

await runCommand(async () => {
  const where = getDatabaseOptions(options.remote)
  const [database, secrets] = await Promise.all([
    readDatabase((queries) => queryDatabase(where, queries)),
    options.remote ? fetchSecretNames() : null,
  ])
  const left = await findProblems({
    ...readProject(),
    ...database,
    secrets,
    secretValues: readSecretValues(),
    nowMs: Date.now(),
  })
  console.log(describeFindings(left))
  if (!options.remote) console.log('\nWhich secrets are set is only known with --remote.')
  if (options.remote && options.secrets === undefined)
    console.log(
      '\nOf the deployed secrets only the names were looked at. For their values too: --secrets <file>.',
    )
  if (left.length > 0) process.exitCode = 1
})

/** The secrets of the file in `--secrets`, or else of the local server. */
function readSecretValues() {
  if (options.secrets !== undefined) {
    const values = readSecrets(resolve(options.secrets))
    if (Object.keys(values).length === 0) throw new Error(`${options.secrets} holds no secret.`)
    return values
  }
  if (options.remote) return {}
  const vaultKeys = join(stateDirectory, 'vault-keys')
  return {
    ...readSecrets(join(root, '.dev.vars')),
    ...(existsSync(vaultKeys) && { VAULT_KEYS: readFileSync(vaultKeys, 'utf8').trim() }),
  }
}
