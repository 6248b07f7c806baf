// `npm run deploy`: builds the site, migrates the deployed database and deploys. Refuses while the launch check
// finds something that blocks a deploy, and for a live site also what blocks real money. Refuses to overwrite a change that was made in
// Cloudflare's dashboard, and a secret with a variable of the same name.
//   --restored   after a restore: allows what only a running Worker provides (cron, self-checks, a backup,
//                administrators with new second factors) to be missing
//   --built      deploys the site that was built last, for example by a rehearsal
import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { build } from './build.mjs'
import { listDefinitions } from './bundle.mjs'
import { queryDatabase } from './database.mjs'
import { canDeploy, describeFindings, findProblems } from './launch/checks.ts'
import { fetchSecretNames, readDatabase, readProject } from './launch/facts.ts'
import { migrateDeployed } from './migrate.mjs'
import { root, run, runCommand } from './toolchain.mjs'

const { values: options } = parseArgs({
  options: { restored: { type: 'boolean' }, built: { type: 'boolean' } },
})

/** A simulated site may be deployed into an empty account, where there is no database to ask. */
const NO_DATABASE = { schema: { applied: [], objects: [], rules: null }, database: null }

await runCommand(async () => {
  const project = readProject()
  const isLive = project.site.mode === 'live'
  const left = await findProblems({
    ...project,
    ...(isLive ? await readDatabase((queries) => queryDatabase(['--remote'], queries)) : NO_DATABASE),
    secrets: await fetchSecretNames(),
    secretValues: {},
    nowMs: Date.now(),
  })
  const shown = isLive ? left : left.filter(({ blocks }) => blocks === 'deploy')
  if (shown.length > 0) console.log(`${describeFindings(shown)}\n`)
  if (!canDeploy(project.site.mode, left, { isRestored: options.restored ?? false }))
    throw new Error('Not deployed: see what is left above.')
  if (!options.built) await build('production', { force: true })
  const applied = await migrateDeployed()
  console.log(applied.length === 0 ? 'No migrations to apply.' : `Applied ${applied.join(', ')}.`)
  // Without --no-x-provision, wrangler creates a bucket that it doesn't find, such as one of another jurisdiction.
  const parameters = ['--strict', '--no-x-provision', ...(await listDefinitions()), ...describeCommit()]
  console.log(await run('wrangler', ['deploy', ...parameters]))
})

/** The commit as the version's tag, and its subject as the message. Cloudflare keeps 100 characters of each. */
function describeCommit() {
  const runGit = (/** @type {string[]} */ ...parameters) =>
    execFileSync('git', parameters, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim().slice(0, 100)
  try {
    const commit = runGit('describe', '--always', '--dirty', '--abbrev=40', '--exclude=*')
    return ['--tag', commit, '--message', runGit('log', '-1', '--format=%s')]
  } catch {
    // Not a clone of a repository.
    return []
  }
}
