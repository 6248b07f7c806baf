// `npm run deploy`: builds the site, migrates the deployed database and deploys. A live site is refused while
// `npm run launch-check -- --remote` finds anything that has to be mended first.
//   --restored   the database was restored: what only a running Worker provides (cron, self-checks, a backup,
//                administrators with new second factors) may be missing
import { parseArgs } from 'node:util'
import { build } from './build.mjs'
import { mayDeploy, reportOf, whatIsLeft } from './launch/checks.ts'
import { readDatabase, readProject, secretNames } from './launch/facts.ts'
import { askDatabase, run, runCommand } from './toolchain.mjs'

const { values: options } = parseArgs({ options: { restored: { type: 'boolean' } } })

await runCommand(async () => {
  const project = readProject()
  if (project.site.mode === 'live') {
    const left = await whatIsLeft({
      ...project,
      ...(await readDatabase((queries) => askDatabase(['--remote'], queries))),
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
})
