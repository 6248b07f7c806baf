import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { REAL_TESTS } from '../../engine/backtest/realTests.ts'
import { CATALOGUE } from '../../engine/catalogue.ts'
import { SIMULATED_ASSETS } from '../../engine/market/simulatedAssets.ts'
import type { Site } from '../../src/site.ts'
import { DAY_MS } from '../../src/time.ts'
import { RULES_SQL, SCHEMA_SQL } from '../../worker/console/selfCheck/schema.ts'
import { CloudflareRefused, callCloudflare, getWorkerPath } from '../cloudflareApi.mjs'
import { listMigrationNames } from '../migrate.mjs'
import { readSettings } from '../settingsFile.mjs'
import { root } from '../toolchain.mjs'
import type { SecretValues } from './secretValues.ts'

export interface Facts {
  readonly site: Site
  /** Content files that are marked as samples. */
  readonly samples: readonly string[]
  readonly config: {
    readonly vars: Readonly<Record<string, string>>
    readonly databaseId: string
    readonly sendsEmail: boolean
    readonly accountId: string
    readonly workersDev: boolean | undefined
    readonly previewUrls: boolean | undefined
    readonly customDomains: readonly string[]
    /** Another installation than the site's own, such as `[env.staging]`. */
    readonly isStaging: boolean
  }
  /** Names of the strategies that trade assets of the simulated market. */
  readonly simulatedStrategies: readonly string[]
  /** Names of the strategies that trade real coins through the paper broker. */
  readonly paperStrategies: readonly string[]
  /** Names of the secrets that are set; null if unknown. */
  readonly secrets: readonly string[] | null
  /** Values of the readable secrets. Those of a deployed Worker cannot be read. */
  readonly secretValues: SecretValues
  readonly migrations: readonly string[]
  readonly schema: {
    readonly applied: readonly string[]
    readonly objects: readonly { readonly type: string; readonly name: string; readonly sql: string }[]
    readonly rules: readonly (readonly unknown[])[] | null
  }
  /** Null if the schema is too old for the queries. */
  readonly database: DatabaseFacts | null
  readonly nowMs: number
}

type Rows<Name extends string> = readonly Readonly<Record<Name, string | number | null>>[]

export interface DatabaseFacts {
  readonly seeded: Rows<'email'>
  readonly wallets: Rows<'network' | 'simulated'>
  /** What the practice reviewer decided; no row if it is not there. */
  readonly practice: Rows<'documents' | 'credits'>
  readonly settings: Rows<'key'>
  readonly administrators: Rows<'id' | 'factors'>
  readonly factors: Rows<'user_id' | 'secret_sealed'>
  readonly withoutPasskey: Rows<'email'>
  readonly reviewerKeys: Rows<'user_id' | 'recipient'>
  readonly selfChecks: Rows<'name' | 'ok' | 'finding' | 'at'>
  readonly unbalanced: Rows<'owner' | 'cents'>
  readonly custody: Rows<'asset'>
  /** Texts of columns into which a person may have entered a private key. */
  readonly keyTexts: Rows<'place' | 'text'>
  readonly waitingMails: Rows<'mails' | 'oldest'>
  /** The most mails that were queued in one day of the last week. */
  readonly mailsInADay: Rows<'mails'>
  readonly prices: Rows<'name' | 'source' | 'at'>
}

/** Runs queries and returns the rows of each. */
export type RunQueries = (
  queries: readonly string[],
) => Promise<readonly (readonly Record<string, unknown>[])[]>

const SEEDED = [
  'auditor@example.com',
  'compliance@example.com',
  'investor@example.com',
  'newcomer@example.com',
  'operator@example.com',
  'operator2@example.com',
  'support@example.com',
]

const QUERIES: Readonly<Record<keyof DatabaseFacts, string>> = {
  seeded: `SELECT email FROM users WHERE email IN (${SEEDED.map((email) => `'${email}'`).join(', ')}) ORDER BY email`,
  wallets: 'SELECT network, simulated FROM wallets WHERE retired_at IS NULL ORDER BY seq',
  practice: `
    SELECT (SELECT count(*) FROM kyc_submissions WHERE decided_by = u.id) AS documents,
      (SELECT count(*) FROM request_events WHERE actor = u.id) AS credits
    FROM users u WHERE u.id = 'practice'`,
  settings: 'SELECT key FROM settings ORDER BY key',
  administrators: `
    SELECT u.id, (SELECT count(*) FROM second_factors f WHERE f.user_id = u.id AND f.enabled_at IS NOT NULL)
      + (SELECT count(*) FROM passkeys k WHERE k.user_id = u.id) AS factors
    FROM users u WHERE u.role = 'operator' AND u.disabled_at IS NULL AND instr(' ' || u.operator_roles || ' ', ' administrator ') > 0 ORDER BY u.id`,
  factors: `
    SELECT f.user_id, f.secret_sealed FROM second_factors f JOIN users u ON u.id = f.user_id
    WHERE u.role = 'operator' AND u.disabled_at IS NULL AND f.enabled_at IS NOT NULL ORDER BY f.user_id`,
  withoutPasskey: `
    SELECT u.email FROM users u
    WHERE u.role = 'operator' AND u.id NOT IN ('system', 'practice') AND u.disabled_at IS NULL AND NOT EXISTS (SELECT 1 FROM passkeys k WHERE k.user_id = u.id) ORDER BY u.email`,
  reviewerKeys:
    'SELECT user_id, recipient FROM reviewer_keys WHERE approved_at IS NOT NULL AND retired_at IS NULL ORDER BY seq',
  selfChecks: 'SELECT name, ok, finding, at FROM self_checks ORDER BY name',
  unbalanced:
    'SELECT owner, sum(balance) AS cents FROM accounts GROUP BY owner HAVING sum(balance) <> 0 LIMIT 5',
  custody: `
    SELECT b.asset FROM custody_balances b
    WHERE b.balance <> (SELECT coalesce(sum(e.quantity), 0) FROM custody_entries e WHERE e.asset = b.asset)`,
  keyTexts: `
    SELECT 'the descriptor of a watch-only wallet' AS place, descriptor AS text FROM watch_wallets
    UNION ALL SELECT 'a challenge for a watch-only wallet', descriptor FROM watch_challenges
    UNION ALL SELECT 'a proposal of a watch-only wallet', json_extract(payload, '$.descriptor') FROM proposals WHERE kind = 'watch_wallet'
    UNION ALL SELECT 'the setting ' || key, value FROM settings`,
  waitingMails:
    'SELECT count(*) AS mails, min(created_at) AS oldest FROM outbox WHERE next_attempt_at IS NOT NULL',
  mailsInADay: `SELECT count(*) AS mails FROM outbox WHERE created_at > (SELECT max(created_at) FROM outbox) - ${7 * DAY_MS}
    GROUP BY created_at / ${DAY_MS} ORDER BY mails DESC LIMIT 1`,
  prices: 'SELECT name, source, at FROM market_snapshots ORDER BY name',
}

/** Reads the schema first, because the other queries fail on an older one. */
export async function readDatabase(runQueries: RunQueries): Promise<Pick<Facts, 'schema' | 'database'>> {
  const [tables = [], objects = []] = await runQueries([
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'd1_migrations'",
    SCHEMA_SQL,
  ])
  const [applied = []] =
    tables.length === 0 ? [[]] : await runQueries(['SELECT name FROM d1_migrations ORDER BY id'])
  const schema = {
    applied: applied.map(({ name }) => String(name)),
    objects: objects.map(({ type, name, sql }) => ({
      type: String(type),
      name: String(name),
      sql: String(sql),
    })),
  }
  try {
    const answers = await runQueries([...RULES_SQL, ...Object.values(QUERIES)])
    const found = Object.keys(QUERIES).map((name, i) => [name, answers[RULES_SQL.length + i] ?? []])
    // Safe, because each query names its columns.
    const database = Object.fromEntries(found) as unknown as DatabaseFacts
    return { schema: { ...schema, rules: answers.slice(0, RULES_SQL.length) }, database }
  } catch {
    return { schema: { ...schema, rules: null }, database: null }
  }
}

/** The facts about this clone that a deploy would use. */
export function readProject(): Pick<
  Facts,
  'site' | 'samples' | 'config' | 'simulatedStrategies' | 'paperStrategies' | 'migrations'
> {
  const env = process.env.CLOUDFLARE_ENV
  const { vars, d1_databases, send_email, account_id, workers_dev, preview_urls, routes } = readSettings(
    root,
    env,
  )
  return {
    site: JSON.parse(readFileSync(join(root, 'src/content/site.json'), 'utf8')),
    samples: listSamples(),
    config: {
      vars: Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, String(value)])),
      databaseId: d1_databases[0]?.database_id ?? '',
      sendsEmail: send_email.length > 0,
      accountId: account_id ?? process.env.CLOUDFLARE_ACCOUNT_ID ?? '',
      workersDev: workers_dev,
      previewUrls: preview_urls,
      customDomains: (routes ?? []).flatMap((route) =>
        typeof route === 'object' && route.custom_domain ? [route.pattern] : [],
      ),
      isStaging: Boolean(env),
    },
    simulatedStrategies: CATALOGUE.filter(({ definition }) =>
      definition.assets.some((asset) => SIMULATED_ASSETS.some(({ id }) => id === asset)),
    ).map(({ name }) => name),
    paperStrategies: REAL_TESTS.map(({ name }) => name),
    migrations: listMigrationNames(),
  }
}

/** Cloudflare's number of the error that no Worker has this name. */
const NO_WORKER = 10007

/** The names of the deployed Worker's secrets. Empty if no Worker is deployed. */
export async function fetchSecretNames(): Promise<string[]> {
  const secrets: { name: string }[] = await callCloudflare(`${getWorkerPath()}/secrets`).catch((error) => {
    // Any other failure, such as a wrong account, must be seen.
    if (error instanceof CloudflareRefused && error.code === NO_WORKER) return []
    throw error
  })
  return secrets.map(({ name }) => name)
}

function listSamples(): string[] {
  const content = join(root, 'src/content')
  return readdirSync(content, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ya?ml|mdx?|json)$/.test(name))
    .filter((name) => isSample(readFileSync(join(content, name), 'utf8'), name))
    .map((name) => `src/content/${name}`)
    .sort()
}

/** Whether an entry's field `sample` is anything but false. */
export function isSample(text: string, name: string): boolean {
  const data = /\.mdx?$/.test(name) ? (/^---\n([\s\S]*?)\n---/.exec(text)?.[1] ?? '') : text
  const entry: unknown = parse(data)
  return typeof entry === 'object' && entry !== null && 'sample' in entry && Boolean(entry.sample)
}
