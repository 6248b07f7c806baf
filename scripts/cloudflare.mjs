// `npm run cloudflare -- <command>`: runs the project's own wrangler, so that everyone runs the same version. For example
// `npm run cloudflare -- secret put VAULT_KEYS` or `npm run cloudflare -- tail --format json`. One command is our own:
//   create                 creates the database and the bucket that wrangler.toml names, and writes the database's id into it
//     --jurisdiction eu    both stay in the European Union. Chosen once: Cloudflare cannot move them
//     --location weur      both are made there, if possible, and may be moved by Cloudflare
// `CLOUDFLARE_ENV=staging` means the staging installation, in all commands.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { readSettings, writeSetting } from './settingsFile.mjs'
import { environment, getProgramPath, root, run, runCommand } from './toolchain.mjs'

const parameters = process.argv.slice(2)

await runCommand(async () => {
  const [command, ...others] = parameters
  if (command === 'create') return create(others)
  if (parameters.slice(0, 3).join(' ') === 'd1 migrations apply' && parameters.includes('--remote'))
    throw new Error('Use `npm run migrate`: this command would cut the triggers of the migrations.')
  const { status } = spawnSync(getProgramPath('wrangler'), parameters, {
    cwd: root,
    env: environment,
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
})

/** @param {string[]} others */
async function create(others) {
  const { values: options } = parseArgs({
    args: others,
    options: { jurisdiction: { type: 'string' }, location: { type: 'string' } },
  })
  const { jurisdiction, location } = options
  if (!jurisdiction && !location)
    throw new Error(
      'Say where the data lives, because it cannot be moved: --jurisdiction eu, or --location weur.',
    )
  if (jurisdiction && location)
    throw new Error('A jurisdiction already decides the location: give one of the two.')
  const where = jurisdiction ? ['--jurisdiction', jurisdiction] : ['--location', String(location)]
  const { d1_databases, r2_buckets } = readSettings(root)
  const named =
    (/** @type {string} */ name) =>
    (/** @type {{ binding: string }} */ { binding }) =>
      binding === name
  const database = d1_databases.find(named('DB'))?.database_name
  const bucket = r2_buckets.find(named('FILES'))?.bucket_name
  if (!database || !bucket) throw new Error('wrangler.toml names no database DB or no bucket FILES.')
  const printed = await run('wrangler', ['d1', 'create', database, ...where])
  const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(printed)?.[0]
  if (id === undefined) throw new Error(`The id of the new database was not printed:\n${printed}`)
  writeSetting(root, 'd1_databases', 'database_id', id)
  await run('wrangler', ['r2', 'bucket', 'create', bucket, ...where])
  if (jurisdiction) writeSetting(root, 'r2_buckets', 'jurisdiction', jurisdiction)
  console.log(`Created the database ${database} (${id}, now in wrangler.toml) and the bucket ${bucket}.`)
}
