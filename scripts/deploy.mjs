// `npm run deploy`: builds the site, migrates the deployed database and deploys. Refuses to deploy a live site while
// `npm run launch-check -- --remote` finds a problem that must be fixed first.
//   --restored   after a restore: allows what only a running Worker provides (cron, self-checks, a backup,
//                administrators with new second factors) to be missing
import { parseArgs } from 'node:util'
import { build } from './build.mjs'
import { findProblems, mayDeploy, reportOf } from './launch/checks.ts'
import { readDatabase, readProject, secretNames } from './launch/facts.ts'
import { queryDatabase, run, runCommand } from './toolchain.mjs'

const { values: options } = parseArgs({ options: { restored: { type: 'boolean' } } })

await runCommand(async () => {
  const project = readProject()
  if (project.site.mode === 'live') {
    const left = await findProblems({
      ...project,
      ...(await readDatabase((queries) => queryDatabase(['--remote'], queries))),
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
