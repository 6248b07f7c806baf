// `npm run deploy`: builds the site, brings the deployed database's schema up to date and deploys. A site whose mode is live is
// refused while anything is left that `npm run launch-check -- --remote` finds, but for what the deploy itself mends and
// for what can only be done once it is live.
//   --restored   the database was restored: what only a running Worker gives it (cron, self-checks, a backup, administrators with
//                their new second factors) may be missing
import { parseArgs } from 'node:util'
import { build } from './build.mjs'
import { askWrangler, secretNames } from './launch/ask.ts'
import { whatIsLeft } from './launch/checks.ts'
import { readDatabase, readProject } from './launch/facts.ts'
import { mayDeploy } from './launch/mayDeploy.ts'
import { reportOf } from './launch/report.ts'
import { run } from './toolchain.mjs'

const { values: options } = parseArgs({ options: { restored: { type: 'boolean' } } })

try {
  await deploy()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function deploy() {
  const project = readProject()
  if (project.site.mode === 'live') {
    const left = await whatIsLeft({
      ...project,
      ...(await readDatabase(askWrangler(['--remote']))),
      secrets: await secretNames(),
      secretValues: {},
      nowMs: Date.now(),
    })
    if (left.length > 0) console.log(`${reportOf(left)}\n`)
    if (!mayDeploy(project.site.mode, left, { isRestored: options.restored ?? false }))
      throw new Error('Not deployed: the site is live, and this is left.')
  }
  await build('production', { force: true })
  console.log(await run('wrangler', ['d1', 'migrations', 'apply', 'DB', '--remote']))
  console.log(await run('wrangler', ['deploy']))
}
