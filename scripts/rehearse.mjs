// `CLOUDFLARE_ENV=staging npm run rehearse -- --remote`: deploys the staging installation of wrangler.toml, has a first deposit credited, then backs
// it up, restores it into new storage, and rolls back, by the commands of docs/deploying.md. Tells how long each took and what
// differed. Its functions are those of test/rehearsal.test.ts.
//   --operator you@example.org   an administrator to invite if there is no operator yet; give two. The first one stays after the restore
//   --secrets secrets.env        holds VAULT_KEYS. Then, if there is no operator yet, the rehearsal plays the two administrators and an
//                                investor, by the API, up to a credited deposit: it reads the waiting mails. Otherwise make a deposit by
//                                hand, so that there is money to restore
//   --location weur              where the new storage lives, or --jurisdiction eu
// Needs CLOUDFLARE_API_TOKEN, R2_ACCESS_KEY_ID and R2_SECRET_ACCESS_KEY (read and write).
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from './build.mjs'
import { queryDatabase } from './database.mjs'
import { readSecrets } from './launch/secretValues.ts'
import { runRehearsal } from './rehearse/rehearse.ts'
import { readSettings } from './settingsFile.mjs'
import { root, runCommand } from './toolchain.mjs'

const { values: options } = parseArgs({
  options: {
    remote: { type: 'boolean' },
    operator: { type: 'string', multiple: true },
    secrets: { type: 'string' },
    location: { type: 'string' },
    jurisdiction: { type: 'string' },
  },
})

await runCommand(async () => {
  const name = process.env.CLOUDFLARE_ENV
  if (!name) throw new Error('Set CLOUDFLARE_ENV=staging: a rehearsal disables operators and moves the data.')
  if (!options.remote) throw new Error('Say --remote. The local rehearsal is test/rehearsal.test.ts.')
  await build('production')
  const folder = mkdtempSync(join(tmpdir(), 'platform-rehearsal-'))
  const day = new Date().toISOString().slice(0, 16).replace(/\D/g, '')
  const { location, jurisdiction } = options
  const { d1_databases, r2_buckets, vars } = readSettings(root, name)
  const differences = await runRehearsal(
    { project: root, environment: { CLOUDFLARE_ENV: name }, folder, commands: [] },
    {
      operators: options.operator ?? [],
      site: options.secrets === undefined ? undefined : openSite(String(vars.PUBLIC_ORIGIN), options.secrets),
      storage: {
        database: `${d1_databases[0]?.database_name}-${day}`,
        bucket: `${r2_buckets[0]?.bucket_name}-${day}`,
        ...(location && { location }),
        ...(jurisdiction && { jurisdiction }),
      },
      tell: (line) => console.log(line),
      now: () => Date.now(),
    },
  )
  console.log(`The backups and their keys are in ${folder}. Delete them, and the old database and bucket.`)
  if (differences.length === 0) return console.log('Nothing differs.')
  throw new Error(differences.join('\n'))
})

/** @param {string} origin @param {string} secretsFile */
function openSite(origin, secretsFile) {
  const vaultKeys = readSecrets(resolve(secretsFile)).VAULT_KEYS
  if (!vaultKeys) throw new Error(`${secretsFile} holds no VAULT_KEYS.`)
  const query = async (/** @type {string} */ sql) => (await queryDatabase(['--remote'], [sql]))[0] ?? []
  return { origin, send: fetch, query, vaultKeys }
}
