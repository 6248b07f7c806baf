import { DatabaseSync } from 'node:sqlite'
import { HDKey } from '@scure/bip32'
import { beforeEach, describe, expect, it } from 'vitest'
import { SAMPLE_KEYS, SAMPLE_RECOVERY_RECIPIENT } from '../../worker/dev/seed/sampleKeys.ts'
import { createFreshDatabase } from '../backup/tables.ts'
import { canDeploy, describeFindings, findProblems } from './checks.ts'
import { type Facts, isSample, readDatabase, readProject } from './facts.ts'

const NOW_MS = Date.UTC(2026, 10, 21)
const RECIPIENT = 'age1datfr609ytf8ts6uetzkjydgpsy405mkazel00r4la9x7v3wepjq8r5mk4'
/** A database without findings. Each test gets a copy. */
const ready = createFreshDatabase()
withoutTriggers(ready, () => fill(ready))
const image = ready.serialize()
let database: DatabaseSync

beforeEach(() => {
  database = new DatabaseSync(':memory:')
  database.deserialize(image)
})

/** Changes a database without its triggers, which are active again afterwards. */
function withoutTriggers(into: DatabaseSync, work: () => void): void {
  const triggers = into
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid")
    .all()
  for (const { name } of triggers) into.exec(`DROP TRIGGER ${name}`)
  work()
  for (const { sql } of triggers) into.exec(String(sql))
}

function fill(fresh: DatabaseSync): void {
  fresh.exec(`
    CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT);
    ${readProject()
      .migrations.map((name) => `INSERT INTO d1_migrations (name) VALUES ('${name}');`)
      .join('\n')}
    ${['ana', 'ben', 'una']
      .map(
        (
          id,
        ) => `INSERT INTO users (id, role, operator_roles, email, fullname, display_name, phone, country, password_hash, created_at, referral_code, email_verified_at)
          VALUES ('${id}', '${id === 'una' ? 'investor' : 'operator'}', '${id === 'una' ? '' : 'reviewer treasurer administrator'}', '${id}@evenkeel.test', 'x', 'x', 'x', 'x', 'x', 1, '${id}', 1);`,
      )
      .join('\n')}
    INSERT INTO second_factors (user_id, secret_sealed, created_at, enabled_at) VALUES ('ana', '1:x', 1, 1), ('ben', '1:x', 1, 1);
    INSERT INTO proposals (id, kind, created_at, proposed_by, payload) VALUES ('s', 'settings', 1, 'ana', '{"retention":{"personDays":9},"dailyCeilings":{"credits":900},"messagingNumber":"+15550100","supportAddress":"help@evenkeel.test"}');
    INSERT INTO passkeys (id, user_id, credential_id, public_key, sign_count, transports, name, backed_up, created_at) VALUES ('pa', 'ana', 'pa', 'x', 0, '', 'x', 0, 1), ('pb', 'ben', 'pb', 'x', 0, '', 'x', 0, 1);
    UPDATE proposals SET status = 'approved', decided_by = 'ben', decided_at = 2;
    INSERT INTO settings (key, value, proposal, updated_at) VALUES ('retention', '{"personDays":9}', 's', 3), ('dailyCeilings', '{"credits":900}', 's', 3),
      ('messagingNumber', '"+15550100"', 's', 3), ('supportAddress', '"help@evenkeel.test"', 's', 3);
    INSERT INTO self_checks (name, checkpoint, ok, at) VALUES ${[
      'schema',
      'ledger',
      'everything',
      'auditLog',
      'wrappingKeys',
      'backup',
    ]
      .map((name) => `('${name}', '', 1, ${NOW_MS - 60_000})`)
      .join(', ')};
    INSERT INTO market_snapshots (name, body, source, at) VALUES ('coins', '[]', 'CoinGecko', ${NOW_MS});`)
  for (const network of ['btc', 'eth', 'usdt-trc20', 'usdt-bsc', 'usdt-erc20', 'usdc-erc20'])
    wallet(fresh, network, 0)
  for (const [owner, colleague] of [
    ['ana', 'ben'],
    ['ben', 'ana'],
  ] as const)
    reviewerKey(fresh, owner, colleague, RECIPIENT.replace('datfr', owner.padEnd(5, 'q')))
}

function wallet(into: DatabaseSync, network: string, simulated: 0 | 1): void {
  const id = `w-${network}-${simulated}`
  const payload = JSON.stringify({ walletName: 'coin', network, address: id })
  into.exec(`
    INSERT INTO proposals (id, kind, created_at, proposed_by, payload) VALUES ('${id}', 'wallet', 1, 'ana', '${payload}');
    UPDATE proposals SET status = 'approved', decided_by = 'ben', decided_at = 2 WHERE id = '${id}';
    INSERT INTO wallets (id, coin, network, address, simulated, proposal, created_at) VALUES ('${id}', 'coin', '${network}', '${id}', ${simulated}, '${id}', 1)`)
}

function reviewerKey(into: DatabaseSync, owner: string, colleague: string, recipient: string): void {
  const id = `k-${recipient.slice(4, 9)}`
  into.exec(`
    INSERT INTO proposals (id, kind, created_at, proposed_by, payload) VALUES ('${id}', 'reviewer_key', 1, '${owner}', '{"key":"${id}","recipient":"${recipient}"}');
    INSERT INTO reviewer_keys (id, user_id, recipient, identity, method, proposal, created_at) VALUES ('${id}', '${owner}', '${recipient}', 'x', 'passphrase', '${id}', 1);
    UPDATE proposals SET status = 'approved', decided_by = '${colleague}', decided_at = 2 WHERE id = '${id}';
    UPDATE reviewer_keys SET approved_by = '${colleague}', approved_at = 2 WHERE id = '${id}'`)
}

type Project = Pick<
  Facts,
  | 'site'
  | 'samples'
  | 'config'
  | 'simulatedStrategies'
  | 'paperStrategies'
  | 'secrets'
  | 'secretValues'
  | 'migrations'
>

/** A clone without findings, with one change. */
function project(change: (facts: Project) => Partial<Project> = () => ({})): Project {
  const { site, migrations } = readProject()
  const facts: Project = {
    site: {
      ...site,
      mode: 'live',
      origin: 'https://evenkeel.io',
      supportEmail: 'help@evenkeel.io',
      company: { name: 'A', registration: 'B', address: 'C', licence: 'D' },
    },
    samples: [],
    migrations,
    simulatedStrategies: [],
    paperStrategies: [],
    secrets: ['VAULT_KEYS', 'MARKET_API_KEY'],
    secretValues: {},
    config: {
      databaseId: '6a1f0c1e-1111-4222-8333-abcdefabcdef',
      sendsEmail: true,
      accountId: 'a'.repeat(32),
      workersDev: false,
      previewUrls: false,
      customDomains: ['evenkeel.io'],
      isStaging: false,
      vars: {
        APP_ENV: 'production',
        RATE_LIMITS: 'on',
        PUBLIC_ORIGIN: 'https://evenkeel.io',
        MAIL_FROM: 'Evenkeel <no-reply@evenkeel.io>',
        MAILS_PER_DAY: '1000',
        MARKET_BASE_URL: 'https://api.coingecko.com/api/v3',
        CANDLES_PROVIDER: 'kraken',
        AUDIT_WITNESS_ADDRESS: 'witness@evenkeel.io',
        KYC_RECOVERY_RECIPIENT: SAMPLE_KEYS.operator.recipient,
      },
    },
  }
  return { ...facts, ...change(facts) }
}

async function left(facts: Project = project()) {
  const ask = async (queries: readonly string[]) => queries.map((query) => database.prepare(query).all())
  return findProblems({ ...facts, ...(await readDatabase(ask)), nowMs: NOW_MS })
}

const vars = (change: Record<string, string>) => (facts: Project) => ({
  config: { ...facts.config, vars: { ...facts.config.vars, ...change } },
})
const config = (change: Partial<Project['config']>) => (facts: Project) => ({
  config: { ...facts.config, ...change },
})
const company = (key: string) => (facts: Project) => ({
  site: { ...facts.site, company: { ...facts.site.company, [key]: null } },
})

describe('launch-check', () => {
  it('finds nothing once everything is fixed, and then a live site may be deployed', async () => {
    expect(await left()).toEqual([])
    expect(describeFindings([])).toBe('Nothing is left: the site may go live.')
    expect(canDeploy('live', [])).toBe(true)
  })

  it.each<[string, string, (facts: Project) => Partial<Project>]>([
    [
      'sample content',
      'src/content/reviews/x.yaml says',
      () => ({ samples: ['src/content/reviews/x.yaml'] }),
    ],
    ['company', 'The company’s name is missing.', company('name')],
    ['company', 'The company’s licence is missing.', company('licence')],
    ['company', 'The company’s address is missing.', company('address')],
    ['company', 'The company’s registration is missing.', company('registration')],
    [
      'company',
      'The support address is still',
      ({ site }) => ({ site: { ...site, supportEmail: 'a@b.example' } }),
    ],
    [
      'values of secrets',
      'MARKET_API_KEY is too short',
      () => ({ secretValues: { MARKET_API_KEY: 'CG-1' } }),
    ],
    [
      'e-mail sender',
      'Nothing delivers mail.',
      ({ config }) => ({ config: { ...config, sendsEmail: false } }),
    ],
    ['e-mail sender', 'MAIL_FROM is', vars({ MAIL_FROM: 'Evenkeel <no-reply@evenkeel.example>' })],
    ['mail quota', 'MAILS_PER_DAY is not set', vars({ MAILS_PER_DAY: '' })],
    ['audit witness', 'nobody outside gets the head', vars({ AUDIT_WITNESS_ADDRESS: '' })],
    ['audit witness', 'is witness@example.net', vars({ AUDIT_WITNESS_ADDRESS: 'witness@example.net' })],
    ['market', 'No market is named', vars({ MARKET_BASE_URL: '' })],
    ['market', 'MARKET_API_KEY is not set', () => ({ secrets: ['VAULT_KEYS'] })],
    ['strategies', 'The only bars are', vars({ CANDLES_PROVIDER: 'simulated' })],
    ['strategies', 'Slow Trend runs on', () => ({ simulatedStrategies: ['Slow Trend'] })],
    ['strategies', 'No exchange carries out', () => ({ paperStrategies: ['Slow Trend on bitcoin'] })],
    [
      'strategies',
      'at the prices of kraken',
      (facts) => ({
        ...vars({ VENUE: 'coinbase' })(facts),
        secrets: ['VAULT_KEYS', 'MARKET_API_KEY', 'VENUE_KEY', 'VENUE_SECRET'],
      }),
    ],
    ['strategies', 'VENUE_SECRET) is not set', vars({ VENUE: 'kraken' })],
    ['recovery key', 'No key can recover', vars({ KYC_RECOVERY_RECIPIENT: '' })],
    ['recovery key', 'no public key of age', vars({ KYC_RECOVERY_RECIPIENT: 'age1x' })],
    ['recovery key', 'the key of development', vars({ KYC_RECOVERY_RECIPIENT: SAMPLE_RECOVERY_RECIPIENT })],
  ])('names what is left of the clone, alone: %s (%s)', async (check, what, change) => {
    const found = await left(project(change))
    expect(found).toEqual([expect.objectContaining({ check, what: expect.stringContaining(what) })])
    expect(found[0]?.fix.length).toBeGreaterThan(10)
    expect(canDeploy('live', found)).toBe(false)
    expect(canDeploy('simulated', found)).toBe(true)
  })

  it.each<[string, string, (facts: Project) => Partial<Project>]>([
    ['settings of the deploy', 'APP_ENV is development', vars({ APP_ENV: 'development' })],
    ['settings of the deploy', 'RATE_LIMITS', vars({ RATE_LIMITS: 'off' })],
    [
      'settings of the deploy',
      'PUBLIC_ORIGIN is https://other.io',
      (facts) =>
        config({ ...vars({ PUBLIC_ORIGIN: 'https://other.io' })(facts).config, customDomains: ['other.io'] })(
          facts,
        ),
    ],
    [
      'settings of the deploy',
      'database_id is the example',
      config({ databaseId: '00000000-0000-0000-0000-000000000000' }),
    ],
    ['settings of the deploy', 'account_id is missing', config({ accountId: '' })],
    ['doors', 'workers_dev is not false', config({ workersDev: undefined })],
    ['doors', 'workers_dev is not false', config({ workersDev: true })],
    ['doors', 'preview_urls is not false', config({ previewUrls: undefined })],
    ['doors', 'No custom domain in routes', config({ customDomains: ['www.evenkeel.io'] })],
    ['secrets', 'VAULT_KEYS is not set', () => ({ secrets: ['MARKET_API_KEY'] })],
    ['secrets in wrangler.toml', 'VAULT_KEYS is in wrangler.toml', vars({ VAULT_KEYS: '1:x' })],
    ['secrets in wrangler.toml', 'ETHEREUM_SERVERS is in wrangler.toml', vars({ ETHEREUM_SERVERS: '' })],
    [
      'secrets in wrangler.toml',
      'CANDLES_BASE_URL is in wrangler.toml',
      (facts) => ({
        ...vars({ CANDLES_BASE_URL: '' })(facts),
        secrets: [...(facts.secrets ?? []), 'CANDLES_BASE_URL'],
      }),
    ],
  ])('names what blocks every deploy, alone: %s (%s)', async (check, what, change) => {
    const found = await left(project(change))
    expect(found).toEqual([
      expect.objectContaining({ check, what: expect.stringContaining(what), blocks: 'deploy' }),
    ])
    for (const mode of ['live', 'simulated'] as const) expect(canDeploy(mode, found)).toBe(false)
    expect(describeFindings(found)).toContain('No version may be deployed before this is fixed (1):')
    expect(describeFindings(found)).not.toContain('real money')
  })

  it('another installation of the same site has an origin of its own', async () => {
    const staging = project((facts) =>
      config({
        ...vars({ PUBLIC_ORIGIN: 'https://staging.evenkeel.io' })(facts).config,
        customDomains: ['staging.evenkeel.io'],
        isStaging: true,
      })(facts),
    )
    expect(await left(staging)).toEqual([])
  })

  const seededUser = `INSERT INTO users (id, role, email, fullname, display_name, phone, country, password_hash, created_at, referral_code)
    VALUES ('seed', 'investor', 'investor@example.com', 'x', 'x', 'x', 'x', 'x', 1, 'seed')`
  it.each<[string, string, string]>([
    ['migrations', 'is not applied', "DELETE FROM d1_migrations WHERE name LIKE '0001%'"],
    ['schema', 'not those that the migrations make', 'DROP TRIGGER transfers_no_delete'],
    ['seeded accounts', 'investor@example.com', seededUser],
    [
      'practice',
      'It approved 0 documents and credited 0 deposits',
      `INSERT INTO users (id, role, operator_roles, email, fullname, display_name, phone, country, password_hash, created_at, referral_code)
       VALUES ('practice', 'operator', 'reviewer treasurer', 'practice', 'x', 'x', '', '', '', 1, 'practice')`,
    ],
    [
      'receiving wallets',
      'no receiving wallet for btc',
      "UPDATE wallets SET retired_at = 5, retired_by = 'ana' WHERE network = 'btc'",
    ],
    ['settings', '(messagingNumber)', "DELETE FROM settings WHERE key = 'messagingNumber'"],
    ['settings', '(supportAddress)', "DELETE FROM settings WHERE key = 'supportAddress'"],
    [
      'administrators',
      '1 of the 2',
      "UPDATE users SET disabled_at = 5, disabled_by = 'ana' WHERE id = 'ben'",
    ],
    [
      'passkeys of operators',
      'ben@evenkeel.test has no passkey',
      "DELETE FROM passkeys WHERE user_id = 'ben'",
    ],
    [
      'reviewer keys',
      '1 of the 2',
      "UPDATE reviewer_keys SET retired_by = 'ana', retired_at = 5 WHERE user_id = 'ana'",
    ],
    ['cron', 'never run', "DELETE FROM self_checks WHERE name = 'schema'"],
    [
      'cron',
      'last ran 2 hours ago',
      `UPDATE self_checks SET at = ${NOW_MS - 7_200_000} WHERE name = 'schema'`,
    ],
    [
      'self-check',
      '"ledger" fails: Transfer x',
      "UPDATE self_checks SET ok = 0, finding = 'Transfer x lacks its cause' WHERE name = 'ledger'",
    ],
    ['self-check', '"everything" has never run', "DELETE FROM self_checks WHERE name = 'everything'"],
    ['self-check', '"auditLog" has never run', "DELETE FROM self_checks WHERE name = 'auditLog'"],
    [
      'mail on its way',
      '1 mails wait, the oldest for 3 hours',
      `INSERT INTO outbox (id, recipient, subject, created_at, next_attempt_at) VALUES ('m', 'a', 'b', ${NOW_MS - 10_800_000}, 5)`,
    ],
    [
      'mail quota',
      'had 501 mails, more than half of the carrier’s 1000',
      `INSERT INTO outbox (id, recipient, subject, created_at, delivered_at)
       WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 501)
       SELECT 'mail-' || i, 'a', 'b', ${NOW_MS}, ${NOW_MS} FROM n`,
    ],
    ['backup', 'There is no backup', "DELETE FROM self_checks WHERE name = 'backup'"],
    [
      'backup',
      'is 48 hours old',
      `UPDATE self_checks SET at = ${NOW_MS - 172_800_000} WHERE name = 'backup'`,
    ],
    ['market', 'the bundled sample', "UPDATE market_snapshots SET source = 'sample'"],
  ])('names what is left of the database, alone: %s (%s)', async (check, what, change) => {
    if (check === 'schema') database.exec(change)
    else withoutTriggers(database, () => database.exec(change))
    expect(await left()).toEqual([expect.objectContaining({ check, what: expect.stringContaining(what) })])
  })

  it('names a simulated wallet, a development key, a missing second factor, and undecided retention and ceilings', async () => {
    withoutTriggers(database, () => {
      wallet(database, 'btc', 1)
      reviewerKey(database, 'ana', 'ben', SAMPLE_KEYS.operator.recipient)
      database.exec(
        "DELETE FROM second_factors WHERE user_id = 'ben'; DELETE FROM passkeys WHERE user_id = 'ben'; DELETE FROM settings WHERE key IN ('retention', 'dailyCeilings')",
      )
    })
    const found = await left()
    expect(found.map(({ check, what }) => `${check}: ${what}`).sort()).toEqual([
      'administrators: 1 of the 2 administrators that it takes are active with a second factor on.',
      'passkeys of operators: ben@evenkeel.test has no passkey.',
      'reviewer keys: A reviewer key of development is in use.',
      'settings: How long documents and persons are kept is not set (retention).',
      'settings: What may be credited and paid out in a day is not set (dailyCeilings).',
      'simulated wallets: A simulated btc wallet is in use.',
    ])
  })

  it('names books that do not sum to zero, and custody that its entries do not explain', async () => {
    withoutTriggers(database, () => {
      database.exec("UPDATE custody_balances SET balance = 5 WHERE asset = 'bitcoin'")
      database.exec(
        "INSERT INTO accounts (id, owner, kind, balance) VALUES ('una:available', 'una', 'available', 7)",
      )
    })
    expect((await left()).map(({ what }) => what)).toEqual([
      'The books of una sum to 7 cents, not to zero.',
      'Custody of bitcoin is not what its entries add up to.',
    ])
  })

  it('names a private key of a chain, and never prints it', async () => {
    const { privateExtendedKey } = HDKey.fromMasterSeed(new Uint8Array(32).fill(7))
    withoutTriggers(database, () =>
      database
        .prepare(
          "INSERT INTO watch_challenges (id, chain, descriptor, message, issued_to, created_at, expires_at) VALUES ('k', 'bitcoin', ?, 'm', 'una', 1, 2)",
        )
        .run(`wpkh(${privateExtendedKey}/<0;1>/*)`),
    )
    const found = await left()
    expect(found.map(({ what }) => what)).toEqual([
      'There seems to be an extended private key in a challenge for a watch-only wallet.',
    ])
    expect(describeFindings(found)).not.toContain(privateExtendedKey)
  })

  it('lists every problem of an empty database and a new clone, each with its fix', async () => {
    database = new DatabaseSync(':memory:')
    const found = await left({ ...readProject(), secrets: [], secretValues: {} })
    const checks = new Set(found.map(({ check }) => check))
    for (const check of [
      'sample content',
      'company',
      'settings of the deploy',
      'secrets',
      'e-mail sender',
      'market',
      'recovery key',
      'migrations',
      'schema',
    ])
      expect(checks).toContain(check)
    const report = describeFindings(found)
    for (const { what, fix } of found) {
      expect(report).toContain(what)
      expect(report).toContain(fix)
    }
  })

  it('a live site may be deployed onto a restored database that only lacks what a running Worker provides', async () => {
    withoutTriggers(database, () =>
      database.exec(
        "DELETE FROM self_checks; UPDATE users SET disabled_at = 5, disabled_by = 'owner' WHERE role = 'operator'",
      ),
    )
    const found = await left()
    expect(new Set(found.map(({ check }) => check))).toEqual(
      new Set(['administrators', 'cron', 'self-check', 'backup']),
    )
    expect(canDeploy('live', found)).toBe(false)
    expect(canDeploy('live', found, { isRestored: true })).toBe(true)
    database.exec(
      "INSERT INTO self_checks (name, checkpoint, ok, finding, at) VALUES ('ledger', '', 0, 'Transfer x', 5)",
    )
    expect(canDeploy('live', await left(), { isRestored: true })).toBe(false)
  })

  it('a live site may be deployed if the deploy or going live fixes the rest', async () => {
    database.exec(
      "UPDATE wallets SET retired_at = 5, retired_by = 'ana'; DELETE FROM d1_migrations WHERE name LIKE '0013%'",
    )
    const found = await left()
    expect(found.length).toBe(7)
    expect(canDeploy('live', found)).toBe(true)
  })
})

it('an entry is a sample if it says so', () => {
  expect(isSample('sample: true\nplace: 1', 'a.yaml')).toBe(true)
  expect(isSample('---\ntitle: x\nsample: Not checked.\n---\ntext', 'a.mdx')).toBe(true)
  expect(isSample('sample: false', 'a.yaml')).toBe(false)
  expect(isSample('text: a sample of it', 'a.yaml')).toBe(false)
})
