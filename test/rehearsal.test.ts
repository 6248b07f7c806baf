import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readBucketConfig } from '../scripts/backup/bucket.ts'
import { hashDatabaseSchema, hashMigrations } from '../scripts/backup/manifest.ts'
import { openRemoteBucket } from '../scripts/backup/remoteBucket.ts'
import { creditFirstDeposit } from '../scripts/rehearse/deposit.ts'
import { runFailing, runScript, updateSettings } from '../scripts/rehearse/installation.ts'
import * as steps from '../scripts/rehearse/steps.ts'
import { root } from '../scripts/toolchain.mjs'
import { makeFixture } from './support/backup/fixture.ts'
import { writer } from './support/backup/writer.ts'
import { COMMIT, cloneProject, HOST, simplifyWorker } from './support/cloudflare/clone.ts'
import { runDeployed } from './support/cloudflare/runtime.ts'
import { ACCOUNT, type Cloudflare, OTHER_ACCOUNT, startCloudflare } from './support/cloudflare/server.ts'

/** Each command starts wrangler anew, and other tests run beside this one. */
const PATIENCE = 600_000
const ADMINISTRATORS = ['ada@example.org', 'bob@example.org']
const STORAGE = { database: 'evenkeel', bucket: 'evenkeel-files' }

let cloudflare: Cloudflare
let installation: ReturnType<typeof cloneProject>
/** VAULT_KEYS, as the operator keeps it offline. */
let keys = ''
/** The invitations of the first two administrators. */
let links: string[] = []

beforeAll(async () => {
  cloudflare = await startCloudflare()
  installation = cloneProject(cloudflare)
})
afterAll(async () => {
  installation.remove()
  await cloudflare.close()
})

const connect = (name = 'evenkeel') => cloudflare.databases.connect(name)
const secretsOf = (name: string) =>
  cloudflare.workers.listBindings(name).filter(({ type }) => type === 'secret_text')

/** Puts people, money and files of every kind into the deployed database and bucket. */
async function fillWithFixture(): Promise<void> {
  const path = join(installation.folder, 'fixture.sqlite')
  const files = await openRemoteBucket(
    readBucketConfig(installation.project),
    'write',
    cloudflare.environment,
  )
  await makeFixture(path, files)
  const migrations = connect().prepare('SELECT name FROM d1_migrations ORDER BY id').all()
  const table = connect().prepare("SELECT sql FROM sqlite_master WHERE name = 'd1_migrations'").get()
  cloudflare.databases.replace('evenkeel', path)
  connect().exec(String(table?.sql))
  for (const { name } of migrations)
    connect()
      .prepare('INSERT INTO d1_migrations (name) VALUES (?)')
      .run(name ?? null)
}

/** A person who registers and signs in. */
function signIn(id: string, database = 'evenkeel'): void {
  const db = writer(connect(database))
  db.person(id)
  const [created_at, expires_at] = [db.now(), db.now() + 60_000]
  const session = { id: `session-${id}`, user_id: id, secret_hash: 'x', last_seen_at: created_at }
  db.insert('sessions', { ...session, created_at, expires_at })
}

describe('from an empty account to a running platform', { timeout: PATIENCE }, () => {
  test('the database and the bucket are created where the operator says', async () => {
    await steps.createStorage(installation, { ...STORAGE, location: 'weur' })
    expect(cloudflare.databases.find('evenkeel')).toMatchObject({ location: 'weur' })
    expect(cloudflare.buckets.find('evenkeel-files')).toMatchObject({ location: 'weur' })
  })

  test('the first deploy applies all migrations and opens only the platform’s own address', async () => {
    keys = await steps.storeVaultKeys(installation, 1)
    const printed = await steps.deploy(installation)
    expect(printed).toContain('Applied 0001_people.sql')
    expect(await hashDatabaseSchema(connect())).toBe(await hashMigrations())
    expect(cloudflare.workers.listDoors('evenkeel')).toEqual([HOST])
    expect(secretsOf('evenkeel')).toMatchObject([{ name: 'VAULT_KEYS', text: keys }])
    expect(cloudflare.workers.deployedVersion('evenkeel')?.annotations).toEqual({
      'workers/tag': expect.stringMatching(/^[0-9a-f]{40}$/),
      'workers/message': COMMIT,
    })
    // Wrangler writes this to its second stream, which the scripts used to drop.
    expect(printed).toContain('your D1 database will be unavailable')
  })

  test('the first two administrators are invited', async () => {
    links = await steps.inviteOperators(installation, ADMINISTRATORS)
    expect(links.map((link) => new URL(link).host)).toEqual([HOST, HOST])
    const invited = connect().prepare('SELECT email FROM operator_invitations')
    expect(invited.all()).toEqual([{ email: 'ada@example.org' }, { email: 'bob@example.org' }])
  })

  test('the first deposit is credited by the Worker as it was deployed', async () => {
    const worker = await runDeployed(cloudflare, 'evenkeel', STORAGE)
    const site = { origin: `https://${HOST}`, send: worker.send, query: worker.query, vaultKeys: keys }
    const invitations = ADMINISTRATORS.map((email, index) => ({ email, link: links[index] ?? '' }))
    await creditFirstDeposit(site, invitations)
    const taken = installation.commands.map(({ command, seconds }) => `${command} ${Math.round(seconds)} s`)
    console.log(`From an empty account to a credited deposit: ${taken.join(', ')}`)
    const elsewhere = await worker.send(`https://evenkeel.somebody.workers.dev/api/v1/health`)
    expect(elsewhere.status).toBe(421)
    await worker.end()
    const { available } = connect()
      .prepare("SELECT sum(balance) AS available FROM accounts WHERE kind = 'available'")
      .get() as { available: number }
    expect(available).toBe(600_000)
    simplifyWorker(installation)
  })

  test('the launch check reads the deployed database and the secrets’ values', async () => {
    const file = join(installation.folder, 'secrets.env')
    writeFileSync(file, `VAULT_KEYS=${keys}\nRESEND_API_KEY=changeme\n`)
    const printed = await steps.checkLaunch(installation, ['--secrets', file])
    expect(printed).toContain('administrator')
    expect(printed).toContain('RESEND_API_KEY is an example')
    expect(printed).not.toMatch(/schema/i)
    const query = [
      'd1',
      'execute',
      'DB',
      '--remote',
      '--command',
      'SELECT count(*) AS checks FROM self_checks',
    ]
    expect(await runScript(installation, 'cloudflare', query)).toContain('checks')
  })

  test('the keys are rotated, and a rollback over the rotation is refused', async () => {
    keys = await steps.storeVaultKeys(installation, 2, keys)
    expect(secretsOf('evenkeel')).toMatchObject([{ text: keys }])
    // As the Worker writes within a minute.
    const looked = { newest: 2, versions: [2, 1], sinceMs: Date.now() }
    connect()
      .prepare("INSERT INTO self_checks (name, checkpoint, ok, at) VALUES ('wrappingKeys', ?, 1, ?)")
      .run(JSON.stringify(looked), looked.sinceMs)
    expect(await steps.watchRotation(installation)).toContain('Version 2 seals')
    expect(await runFailing(installation, 'rollback')).toContain('would bring the old one back')
    expect(secretsOf('evenkeel')).toMatchObject([{ text: keys }])
  })

  test('a backup is restored into new storage in the European Union, while nobody is let in', async () => {
    await fillWithFixture()
    const [ledger] = connect().prepare('SELECT count(*) AS count FROM transfers').all()
    // The machine that makes backups may only read. So another one records the backup.
    const reader = {
      ...installation,
      environment: { ...installation.environment, ...cloudflare.readerEnvironment },
    }
    // Somebody signs in when the first export has read the people already, and not yet the sessions.
    cloudflare.databases.duringExports((table) => {
      if (table === 'sessions' && cloudflare.databases.countExports('evenkeel') === 1) signIn('late')
    })
    const backup = await steps.takeBackup(reader, 'nightly')
    await runScript(installation, 'backup', ['--record', backup.sha256, '--remote'])
    expect(connect().prepare("SELECT checkpoint FROM self_checks WHERE name = 'backup'").get()).toEqual({
      checkpoint: backup.sha256,
    })

    // An export blocks the database. The nightly backup repeated its torn export. The hourly list of erased people exports nothing.
    expect(cloudflare.databases.countExports('evenkeel')).toBe(2)

    const restored = { database: 'evenkeel-restored', bucket: 'evenkeel-files-restored' }
    await steps.createStorage(installation, { ...restored, jurisdiction: 'eu' })
    const printed = await steps.restoreBackup(installation, backup, ['op1@example.com'])
    expect(printed).toMatch(/LET IN +op1@example.com/)
    expect(connect(restored.database).prepare('SELECT count(*) AS count FROM transfers').all()).toEqual([
      ledger,
    ])
    expect(
      connect(restored.database).prepare("SELECT count(*) AS count FROM users WHERE id = 'late'").all(),
    ).toEqual([{ count: 1 }])
    expect(await hashDatabaseSchema(connect(restored.database))).toBe(await hashMigrations())
    expect(cloudflare.buckets.find(restored.bucket, 'eu')?.files.size).toBe(backup.files)

    await steps.deploy(installation, ['--restored'])
    const storage = cloudflare.workers.listBindings('evenkeel')
    expect(storage).toContainEqual(
      expect.objectContaining({ bucket_name: restored.bucket, jurisdiction: 'eu' }),
    )
    expect(await runFailing(installation, 'rollback')).toContain('another database')
  })
})

describe('a failure', { timeout: PATIENCE }, () => {
  const migration = () => join(installation.project, 'migrations/0900_rehearsed.sql')
  const bookmarkIn = (printed: string) => /at bookmark (\S+)\./.exec(printed)?.[1] ?? ''

  test('a migration that fails halfway is explained, and Time Travel undoes it', async () => {
    writeFileSync(migration(), 'CREATE TABLE halves (a INTEGER) STRICT;\nCREATE TABLE wholes (a INTEGER,);\n')
    const failed = await runFailing(installation, 'migrate')
    expect(failed).toContain('syntax error')
    expect(failed).toContain('npm run cloudflare -- d1 time-travel restore DB --bookmark')
    const again = await runFailing(installation, 'migrate')
    expect(again).toContain('0900_rehearsed.sql was applied in part: halves exists already')

    const bookmark = bookmarkIn(failed)
    await runScript(
      installation,
      'cloudflare',
      ['d1', 'time-travel', 'restore', 'DB', '--bookmark', bookmark],
      'y',
    )
    writeFileSync(migration(), 'CREATE TABLE halves (a INTEGER) STRICT;\n')
    expect(await runScript(installation, 'migrate')).toContain('Applied 0900_rehearsed.sql.')
    const newest = connect('evenkeel-restored')
      .prepare('SELECT name FROM d1_migrations ORDER BY id DESC LIMIT 1')
      .get()
    expect(newest).toEqual({ name: '0900_rehearsed.sql' })
  })

  test('a database that a newer version migrated is left alone', async () => {
    rmSync(migration())
    expect(await runFailing(installation, 'migrate')).toContain('another version: 0900_rehearsed.sql')
    connect('evenkeel-restored').exec(
      "DROP TABLE halves; DELETE FROM d1_migrations WHERE name = '0900_rehearsed.sql'",
    )
  })

  test('a deploy is refused that would replace a secret by a variable', async () => {
    await runScript(installation, 'cloudflare', ['secret', 'put', 'MAIL_FROM'], 'from-a-secret')
    const failed = await runFailing(installation, 'deploy', ['--built'])
    expect(failed).toContain('MAIL_FROM')
    expect(secretsOf('evenkeel')).toContainEqual(expect.objectContaining({ text: 'from-a-secret' }))
    await runScript(installation, 'cloudflare', ['secret', 'delete', 'MAIL_FROM'], 'y')
  })

  test('an address of workers.dev that somebody turned on is off after the next deploy, which a rollback undoes', async () => {
    const before = cloudflare.workers.deployedVersion('evenkeel')
    cloudflare.workers.openSubdomain('evenkeel')
    expect(cloudflare.workers.listDoors('evenkeel')).toHaveLength(2)
    await steps.deploy(installation)
    expect(cloudflare.workers.listDoors('evenkeel')).toEqual([HOST])
    expect(cloudflare.workers.deployedVersion('evenkeel')?.id).not.toBe(before?.id)
    expect(await runScript(installation, 'rollback', ['--list'])).toContain(`can return  ${before?.id}`)
    await runScript(installation, 'rollback')
    expect(cloudflare.workers.deployedVersion('evenkeel')?.id).toBe(before?.id)
    expect(secretsOf('evenkeel')).toMatchObject([{ text: keys }])
  })

  test('a backup is refused while people sign in during each export', async () => {
    let people = 0
    cloudflare.databases.duringExports((table) => {
      if (table === 'sessions') signIn(`person-${++people}`, 'evenkeel-restored')
    })
    const failed = await runFailing(installation, 'backup', ['nowhere', '--remote', '--unencrypted'])
    cloudflare.databases.duringExports(() => undefined)
    expect(people).toBe(2)
    expect(failed).toContain('The export has rows of sessions without their users.')
    expect(failed).toContain('Repeat the backup in a quiet hour.')
    expect(existsSync(join(installation.project, 'nowhere'))).toBe(false)
  })

  test('a bucket of the European Union needs its jurisdiction, and none is created in its place', async () => {
    updateSettings(installation, /^jurisdiction = "eu"$/m, '')
    expect(await runFailing(installation, 'deploy', ['--built'])).toContain('FILES')
    expect(cloudflare.buckets.find('evenkeel-files-restored')).toBeUndefined()
    expect(await runFailing(installation, 'backup', ['nowhere', '--remote', '--unencrypted'])).toContain(
      'jurisdiction = "eu"',
    )
  })

  test('with two accounts, a command names the setting that chooses one', async () => {
    const two = await startCloudflare({ accounts: [ACCOUNT, OTHER_ACCOUNT] })
    const clone = cloneProject({ ...two, environment: two.loggedIn })
    try {
      updateSettings(clone, /^account_id = .*\n/m, '')
      expect(await runFailing(clone, 'migrate')).toContain(
        'Name the right one in wrangler.toml: account_id = "…"',
      )
      expect(two.requests.filter((request) => request.includes('/d1/'))).toEqual([])
    } finally {
      clone.remove()
      await two.close()
    }
  })
})

test('each command of the page was rehearsed, and together they take less than the 30 minutes that it plans', () => {
  const page = readFileSync(join(root, 'docs/deploying.md'), 'utf8')
  const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
  const commands = [...blocks.join('\n').matchAll(/npm run ([^\n]+)/g)].map(([, command = '']) =>
    describeCommand(command),
  )
  const rehearsed = installation.commands.map(({ command }) => describeCommand(command))
  const seconds = installation.commands.reduce((sum, command) => sum + command.seconds, 0)
  expect(seconds).toBeLessThan(30 * 60)
  // The login opens a browser. test/brand.test.ts runs `npm run brand`, which asks Cloudflare nothing. `npm run rehearse` takes the
  // steps of this test.
  const elsewhere = ['cloudflare login', 'brand', 'rehearse --secrets']
  const missing = commands.filter(
    (command) => !elsewhere.includes(command) && !rehearsed.some((other) => other.startsWith(command)),
  )
  expect(commands.length).toBeGreaterThan(12)
  expect(missing).toEqual([])
})

/** The script, its words and those of its options that change what it does. */
function describeCommand(command: string): string {
  const [script = '', ...words] = command
    .replace(/ +#.*$/, '')
    .split(' ')
    .filter((word) => word !== '--')
  const given = words.findIndex((word) => !/^[a-z0-9-]+$/.test(word) || word.startsWith('--'))
  const options = words.filter((word) => /^--(?:erased|restored|list|secrets)$/.test(word))
  return [script, ...words.slice(0, given === -1 ? words.length : given), ...options].join(' ')
}
