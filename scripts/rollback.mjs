// `npm run rollback`: puts the version before the deployed one back in place, at once.
//   <version id>   that version instead
//   --list         shows the newest versions, and which of them can come back
// A version keeps the secrets that it was deployed with. So this refuses a version from before a change of a secret: with an old
// VAULT_KEYS, everything that was encrypted since would be unreadable. docs/runbook.md says what to do instead.
import { parseArgs } from 'node:util'
import { callCloudflare, getWorkerPath } from './cloudflareApi.mjs'
import { queryDatabase } from './database.mjs'
import { isMain, run, runCommand } from './toolchain.mjs'

/**
 * @typedef {object} Version of Cloudflare's API
 * @property {string} id
 * @property {number} number counts up
 * @property {{ created_on: string }} metadata
 * @property {Readonly<Record<string, string>>} [annotations]
 *
 * @typedef {{ versions: readonly { version_id: string, percentage: number }[] }} Deployment likewise
 */

/**
 * The deployed version, and the versions to which a rollback may go, the newest first.
 *
 * @param {readonly Version[]} versions in any order
 * @param {Deployment | undefined} deployment the newest
 * @param {number | null} keysSinceMs since when the newest VAULT_KEYS encrypt, in epoch milliseconds
 */
export function findTargets(versions, deployment, keysSinceMs) {
  const ids = (deployment?.versions ?? []).map(({ version_id }) => version_id)
  const current = versions.find(({ id }) => id === ids[0])
  if (ids.length !== 1 || current === undefined)
    throw new Error(
      'More than one version is deployed, or one that is not in the list: use Cloudflare’s dashboard.',
    )
  const older = versions
    .filter(({ number }) => number < current.number)
    .sort((first, second) => second.number - first.number)
  const changes = versions.filter((version) => version.number <= current.number && isSecretChange(version))
  const lastChange = Math.max(0, ...changes.map(({ number }) => number))
  const isUsable = (/** @type {Version} */ version) =>
    version.number >= lastChange &&
    (keysSinceMs === null || Date.parse(version.metadata.created_on) >= keysSinceMs)
  return { current, usable: older.filter(isUsable), refused: older.filter((version) => !isUsable(version)) }
}

/** @param {Version} version */
function isSecretChange({ annotations }) {
  return annotations?.['workers/triggered_by'] === 'secret'
}

const TOO_OLD = `A secret was changed after that version was deployed, and the version would bring the old one back: what was encrypted
since would be unreadable. Deploy its code with today's secrets instead: check out its commit (the tag in the list) and run
\`npm run deploy\`.`

const OTHER_STORAGE = `That version uses another database or bucket, such as those from before a restore. Deploy its code with today's settings
instead: check out its commit (the tag in the list), keep wrangler.toml, and run \`npm run deploy\`.`

async function runRollback() {
  const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: { list: { type: 'boolean' } },
  })
  const [{ items: versions }, { deployments }, keysSinceMs] = await Promise.all([
    callCloudflare(`${getWorkerPath()}/versions?deployable=true`),
    callCloudflare(`${getWorkerPath()}/deployments`),
    readKeysSince(),
  ])
  const { current, usable, refused } = findTargets(versions, deployments[0], keysSinceMs)
  if (options.list) {
    console.log(
      [
        `deployed    ${describe(current)}`,
        ...usable.map((version) => `can return  ${describe(version)}`),
      ].join('\n'),
    )
    for (const version of refused) console.log(`too old     ${describe(version)}`)
    return
  }
  const [wanted = usable[0]?.id] = positionals
  if (wanted === undefined) throw new Error(refused.length > 0 ? TOO_OLD : 'There is no earlier version.')
  if (refused.some(({ id }) => id === wanted)) throw new Error(TOO_OLD)
  const target = usable.find(({ id }) => id === wanted)
  if (target === undefined)
    throw new Error(`${wanted} is not among the earlier versions: npm run rollback -- --list`)
  const [before, after] = await Promise.all([readStorage(target.id), readStorage(current.id)])
  if (before !== after) throw new Error(OTHER_STORAGE)
  await run('wrangler', ['rollback', target.id, '--yes', '--message', `Rollback from ${current.id}`])
  console.log(`Deployed again: ${describe(target)}
The database keeps its newer schema. An older version runs on it, and its self-check reports an unknown schema until the next deploy.`)
}

/** @param {Version} version */
function describe({ id, metadata, annotations }) {
  const [tag, message] = [annotations?.['workers/tag'], annotations?.['workers/message']]
  return [id, metadata.created_on, tag?.slice(0, 12) ?? 'no tag', message ?? ''].join('  ').trim()
}

/** The database and the bucket of a version, as text. @param {string} id */
async function readStorage(id) {
  /** @type {{ resources: { bindings: { type: string }[] } }} */
  const { resources } = await callCloudflare(`${getWorkerPath()}/versions/${id}`)
  return JSON.stringify(resources.bindings.filter(({ type }) => type === 'd1' || type === 'r2_bucket'))
}

/** Since when the newest VAULT_KEYS encrypt; null if the Worker has never looked at them. */
async function readKeysSince() {
  const [[row] = []] = await queryDatabase(
    ['--remote'],
    ["SELECT checkpoint FROM self_checks WHERE name = 'wrappingKeys'"],
  )
  /** @type {{ sinceMs?: number, versions?: number[] } | null} */
  const keys = row ? JSON.parse(String(row.checkpoint)) : null
  // The first version of the keys was there before the first deploy.
  return keys?.sinceMs !== undefined && (keys.versions?.length ?? 0) > 1 ? keys.sinceMs : null
}

if (isMain(import.meta.url)) await runCommand(runRollback)
