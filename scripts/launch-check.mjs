// `npm run launch-check`: what is left before real money may move, all at once, each with how to mend it. Exit code 1 until
// nothing is. Looks at this clone, at the local database (STATE_DIR), and at the values of secrets that are known here.
//   --remote           at the deployed database and the names of its secrets instead: no value of a deployed secret can be read
//   --secrets <file>   the values that were set, to look at: lines NAME=value, or JSON. Nothing of them is shown or kept
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { askWrangler, secretNames } from './launch/ask.ts'
import { whatIsLeft } from './launch/checks.ts'
import { readDatabase, readProject } from './launch/facts.ts'
import { reportOf } from './launch/report.ts'
import { readSecrets } from './launch/secretValues.ts'
import { root } from './toolchain.mjs'

const { values: options } = parseArgs({
  options: { remote: { type: 'boolean' }, secrets: { type: 'string' } },
})

const stateDirectory = resolve(process.env.STATE_DIR || '.state')

try {
  const where = options.remote ? ['--remote'] : ['--local', '--persist-to', stateDirectory]
  const left = await whatIsLeft({
    ...readProject(),
    ...(await readDatabase(askWrangler(where))),
    secrets: options.remote ? await secretNames() : null,
    secretValues: secretValues(),
    nowMs: Date.now(),
  })
  console.log(reportOf(left))
  if (!options.remote) console.log('\nWhich secrets are set is only known with --remote.')
  if (options.remote && options.secrets === undefined)
    console.log(
      '\nOf the deployed secrets only the names were looked at. For their values too: --secrets <file>.',
    )
  if (left.length > 0) process.exitCode = 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

/** What is known here: a file that was named, or what a local server is given. */
function secretValues() {
  if (options.secrets !== undefined) {
    const values = readSecrets(resolve(options.secrets))
    if (Object.keys(values).length === 0) throw new Error(`${options.secrets} holds no secret.`)
    return values
  }
  if (options.remote) return {}
  const vaultKeys = readText(join(stateDirectory, 'vault-keys'))
  return {
    ...readSecrets(join(root, '.dev.vars')),
    ...(vaultKeys !== null && { VAULT_KEYS: vaultKeys.trim() }),
  }
}

/** @param {string} path */
function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
