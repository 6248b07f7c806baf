// `npm run launch-check`: what is left before real money may move, all at once, each with how to mend it. Exit code 1 until
// nothing is. Looks at this clone and at the local database (STATE_DIR).
//   --remote   at the deployed database and its secrets instead
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { askWrangler, secretNames } from './launch/ask.ts'
import { whatIsLeft } from './launch/checks.ts'
import { readDatabase, readProject } from './launch/facts.ts'
import { reportOf } from './launch/report.ts'

const { values: options } = parseArgs({ options: { remote: { type: 'boolean' } } })

try {
  const where = options.remote
    ? ['--remote']
    : ['--local', '--persist-to', resolve(process.env.STATE_DIR || '.state')]
  const left = await whatIsLeft({
    ...readProject(),
    ...(await readDatabase(askWrangler(where))),
    secrets: options.remote ? await secretNames() : null,
    nowMs: Date.now(),
  })
  console.log(reportOf(left))
  if (!options.remote) console.log('\nWhich secrets are set is only known with --remote.')
  if (left.length > 0) process.exitCode = 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
