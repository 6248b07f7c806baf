import { findPrivateKey } from '../../src/chain/bitcoin/privateKeys.ts'
import { getSettingFacts, SETTING_KEYS } from '../../src/contract/console/settingList.ts'
import { getSettingRow } from '../../src/contract/console/settingValues.ts'
import { NETWORKS } from '../../src/contract/money/coins.ts'
import type { Site } from '../../src/site.ts'
import { hashOfSchema } from '../../worker/console/selfCheck/schema.ts'
import { SAMPLE_KEYS, SAMPLE_RECOVERY_RECIPIENT } from '../../worker/dev/seed/sampleKeys.ts'
import { isAgeRecipient } from '../../worker/lib/files/age.ts'
import { hashMigrations } from '../backup/manifest.ts'
import type { DatabaseFacts, Facts } from './facts.ts'
import { listWeakFactors, listWeakSecrets } from './secretValues.ts'

/** A problem to fix before real money may move. */
export interface Finding {
  readonly check: string
  readonly what: string
  readonly fix: string
  /** A finding blocks every deploy, or real money only. */
  readonly blocks: 'deploy' | 'live'
  /** Fixed by a person, by the deploy, by going live, or by a running Worker, which is missing after a restore. */
  readonly fixedBy: 'hand' | 'deploy' | 'live' | 'running'
}

interface Check {
  readonly name: string
  readonly fix: string
  readonly blocks?: 'deploy'
  readonly fixedBy?: Finding['fixedBy']
  /** Returns the findings as sentences. */
  readonly list: (facts: Facts) => readonly (string | false)[] | Promise<readonly (string | false)[]>
}

const HOUR_MS = 3_600_000
/** The cron checks the schema every ten minutes. */
const CRON_MS = HOUR_MS / 2
/** One backup per day, plus two hours to notice a failure. */
const BACKUP_MS = 26 * HOUR_MS

export async function findProblems(facts: Facts): Promise<Finding[]> {
  const left: Finding[] = []
  for (const { name, fix, blocks = 'live', fixedBy = 'hand', list } of CHECKS)
    for (const what of await list(facts))
      if (what !== false) left.push({ check: name, what, fix, blocks, fixedBy })
  return left
}

/** The findings as text: what blocks a deploy, then what blocks real money; in each part a check once, with its fix. */
export function describeFindings(left: readonly Finding[]): string {
  if (left.length === 0) return 'Nothing is left: the site may go live.'
  const parts = [
    describePart(
      left.filter(({ blocks }) => blocks === 'deploy'),
      'No version may be deployed before this is fixed',
    ),
    describePart(
      left.filter(({ blocks }) => blocks === 'live'),
      'A simulated site may be deployed. Before real money may move, this is left',
    ),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function describePart(left: readonly Finding[], title: string): string {
  if (left.length === 0) return ''
  const checks = [...new Set(left.map(({ check }) => check))]
  return [
    `${title} (${left.length}):`,
    ...checks.flatMap((check) => {
      const found = left.filter((finding) => finding.check === check)
      return ['', check, ...found.map(({ what }) => `  ✗ ${what}`), `  → ${found[0]?.fix}`]
    }),
  ].join('\n')
}

/**
 * Whether a site may be deployed: never with findings that block a deploy, and a live one only without findings that must be fixed
 * first. After a restore, findings that a running Worker fixes are allowed.
 */
export function canDeploy(
  mode: Site['mode'],
  left: readonly Finding[],
  { isRestored = false } = {},
): boolean {
  return left.every(
    ({ blocks, fixedBy }) =>
      blocks === 'live' &&
      (mode === 'simulated' || (fixedBy !== 'hand' && (fixedBy !== 'running' || isRestored))),
  )
}

const CHECKS: readonly Check[] = [
  {
    name: 'sample content',
    fix: 'Put your own in its place, or delete the entry: CONTRIBUTING.md, "Change what the site says".',
    list: ({ samples }) => samples.map((path) => `${path} says that it is a sample.`),
  },
  {
    name: 'company',
    fix: 'Fill it in: src/content/site.json.',
    list: ({ site }) => [
      ...Object.entries(site.company).map(([key, value]) => !value && `The company’s ${key} is missing.`),
      isExample(site.origin) && `The site’s origin is still ${site.origin}.`,
      isExample(site.supportEmail) && `The support address is still ${site.supportEmail}.`,
    ],
  },
  {
    name: 'settings of the deploy',
    fix: 'Change it in wrangler.toml: docs/deploying.md, "Fill in".',
    blocks: 'deploy',
    list: ({ site, config: { vars, ...config } }) => [
      vars.APP_ENV !== 'production' && `APP_ENV is ${vars.APP_ENV}, not production.`,
      vars.RATE_LIMITS !== 'on' && 'RATE_LIMITS is not on.',
      vars.PUBLIC_ORIGIN !== site.origin &&
        !config.isStaging &&
        `PUBLIC_ORIGIN is ${vars.PUBLIC_ORIGIN}, the site’s origin ${site.origin}.`,
      isExample(vars.PUBLIC_ORIGIN ?? '') && `PUBLIC_ORIGIN is still ${vars.PUBLIC_ORIGIN}.`,
      !config.accountId &&
        'account_id is missing: with access to several accounts, no command knows which one is meant.',
      /^[0-]*$/.test(config.databaseId) && 'database_id is the example.',
    ],
  },
  {
    name: 'doors',
    fix: 'Change it in wrangler.toml. Another address of the Worker is outside the access rules, the firewall and the limits of your domain.',
    blocks: 'deploy',
    list: ({ config: { vars, workersDev, previewUrls, customDomains } }) => [
      workersDev !== false && 'workers_dev is not false: each deploy opens the address at workers.dev.',
      previewUrls !== false && 'preview_urls is not false: each version gets an address of its own.',
      !customDomains.includes(parseHost(vars.PUBLIC_ORIGIN ?? '')) &&
        `No custom domain in routes is the host of PUBLIC_ORIGIN (${vars.PUBLIC_ORIGIN}).`,
    ],
  },
  {
    name: 'secrets in wrangler.toml',
    fix: 'Remove it from [vars]: docs/deploying.md, "Secrets". A deploy replaces the secret by the variable, even by an empty one.',
    blocks: 'deploy',
    list: ({ config: { vars }, secrets }) =>
      [...new Set([...SECRET_NAMES, ...(secrets ?? [])])].map(
        (name) =>
          name in vars && `${name} is in wrangler.toml, so everybody with the source code can read it.`,
      ),
  },
  {
    name: 'secrets',
    fix: 'Set it: `npm run cloudflare -- secret put NAME`. docs/wrapping-keys.md says how to make VAULT_KEYS.',
    blocks: 'deploy',
    list: ({ secrets }) => [
      secrets !== null && !secrets.includes('VAULT_KEYS') && 'The secret VAULT_KEYS is not set.',
    ],
  },
  {
    name: 'values of secrets',
    fix: 'Make another one (docs/deploying.md, "Secrets") and set it with `npm run cloudflare -- secret put NAME`. A second factor: two administrators take it off, its owner turns on a new one.',
    list: async ({ secretValues, database }) => [
      ...listWeakSecrets(secretValues),
      ...(secretValues.VAULT_KEYS === undefined || database === null
        ? []
        : await listWeakFactors(secretValues.VAULT_KEYS, database.factors)),
    ],
  },
  {
    name: 'e-mail sender',
    fix: 'Uncomment [[send_email]] in wrangler.toml or set the secret RESEND_API_KEY, and give MAIL_FROM an address of yours: docs/deploying.md, "Mail".',
    list: ({ config: { vars, sendsEmail }, secrets }) => [
      secrets !== null && !sendsEmail && !secrets.includes('RESEND_API_KEY') && 'Nothing delivers mail.',
      (!vars.MAIL_FROM || isExample(vars.MAIL_FROM)) && `MAIL_FROM is ${vars.MAIL_FROM || 'empty'}.`,
    ],
  },
  {
    name: 'mail quota',
    fix: 'Ask the mail carrier how many mails your plan sends in a day, and write it as MAILS_PER_DAY in wrangler.toml. Mails above it wait until the next day, codes and warnings too.',
    list: ({ config: { vars }, database }) => {
      const quota = Number(vars.MAILS_PER_DAY ?? 0)
      const busiest = Number(database?.mailsInADay[0]?.mails ?? 0)
      return [
        !(quota > 0) && 'MAILS_PER_DAY is not set: nobody compared the mails with what the carrier sends.',
        quota > 0 &&
          busiest * 2 > quota &&
          `The busiest day of the last week had ${busiest} mails, more than half of the carrier’s ${quota}.`,
      ]
    },
  },
  {
    name: 'audit witness',
    fix: 'Give AUDIT_WITNESS_ADDRESS in wrangler.toml: docs/deploying.md, "A witness of the audit log".',
    list: ({ config: { vars } }) => [
      (!vars.AUDIT_WITNESS_ADDRESS || isExample(vars.AUDIT_WITNESS_ADDRESS)) &&
        `AUDIT_WITNESS_ADDRESS is ${vars.AUDIT_WITNESS_ADDRESS || 'empty'}: nobody outside gets the head of the audit log.`,
    ],
  },
  {
    name: 'market',
    fix: 'Give MARKET_BASE_URL in wrangler.toml and the secret MARKET_API_KEY: README.md, "Deploy".',
    list: ({ config: { vars }, secrets, database }) => [
      !vars.MARKET_BASE_URL && 'No market is named: prices are the bundled sample.',
      secrets !== null && !secrets.includes('MARKET_API_KEY') && 'The secret MARKET_API_KEY is not set.',
      ...(database?.prices ?? []).map(
        ({ name, source }) => source === 'sample' && `The prices in use (${name}) are the bundled sample.`,
      ),
    ],
  },
  {
    name: 'strategies',
    fix: 'Name an exchange as CANDLES_PROVIDER in wrangler.toml, and the same as VENUE with a key that may trade: docs/deploying.md, "Trading at an exchange". What a strategy lacks before it may trade with money stands on the console’s page Exchange.',
    list: ({ config: { vars }, simulatedStrategies, paperStrategies, secrets }) => [
      ['', 'simulated'].includes(vars.CANDLES_PROVIDER ?? '') &&
        'The only bars are those of the simulated market.',
      ...simulatedStrategies.map((name) => `The strategy ${name} runs on the simulated market.`),
      !vars.VENUE &&
        paperStrategies.length > 0 &&
        `No exchange carries out orders (VENUE is empty): on paper trade ${paperStrategies.join(', ')}.`,
      Boolean(vars.VENUE) &&
        vars.VENUE !== vars.CANDLES_PROVIDER &&
        `Orders would go to ${vars.VENUE} at the prices of ${vars.CANDLES_PROVIDER || 'no exchange'}.`,
      Boolean(vars.VENUE) &&
        secrets !== null &&
        !['VENUE_KEY', 'VENUE_SECRET'].every((name) => secrets.includes(name)) &&
        'The exchange’s key (VENUE_KEY, VENUE_SECRET) is not set.',
    ],
  },
  {
    name: 'recovery key',
    fix: 'Make one and give its public half as KYC_RECOVERY_RECIPIENT in wrangler.toml: docs/kyc-documents.md.',
    list: ({ config: { vars } }) => [
      !vars.KYC_RECOVERY_RECIPIENT && 'No key can recover identity documents.',
      !!vars.KYC_RECOVERY_RECIPIENT &&
        !isAgeRecipient(vars.KYC_RECOVERY_RECIPIENT) &&
        'KYC_RECOVERY_RECIPIENT is no public key of age.',
      vars.KYC_RECOVERY_RECIPIENT === SAMPLE_RECOVERY_RECIPIENT &&
        'KYC_RECOVERY_RECIPIENT is the key of development, whose private half everybody can read.',
    ],
  },
  {
    name: 'migrations',
    fix: 'Run `npm run migrate`; `npm run deploy` does so too.',
    fixedBy: 'deploy',
    list: ({ migrations, schema }) =>
      migrations.filter((name) => !schema.applied.includes(name)).map((name) => `${name} is not applied.`),
  },
  {
    name: 'schema',
    fix: 'Find out who changed it and how (docs/runbook.md, "Tampering"); a new migration puts it right.',
    fixedBy: 'deploy',
    list: async ({ schema: { objects, rules } }) => [
      (rules === null || (await hashOfSchema(objects, rules)) !== (await hashMigrations())) &&
        'The database’s tables and triggers are not those that the migrations make.',
    ],
  },
  createDatabaseCheck(
    'seeded accounts',
    'Begin with an empty database: nothing of a seeded one is fit for real money.',
    ({ seeded }) => seeded.map(({ email }) => `The development account ${email} is there.`),
  ),
  createDatabaseCheck(
    'practice',
    'Begin with an empty database: identities and credits of samples are not fit for real money.',
    ({ practice }) =>
      practice.map(
        ({ documents, credits }) =>
          `The practice reviewer is there. It approved ${documents} documents and credited ${credits} deposits.`,
      ),
  ),
  createDatabaseCheck(
    'simulated wallets',
    'Retire it at /operator/wallets. It stays simulated for good: once the site is live nobody is sent to it, and its address can be proposed anew.',
    ({ wallets }) =>
      wallets
        .filter(({ simulated }) => simulated === 1)
        .map(({ network }) => `A simulated ${network} wallet is in use.`),
  ),
  {
    ...createDatabaseCheck(
      'receiving wallets',
      'Propose one at /operator/wallets and let a second operator approve it. A wallet that is approved before the site is live counts as simulated, so this is done right after.',
      ({ wallets }) =>
        NETWORKS.filter(
          (name) => !wallets.some(({ network, simulated }) => network === name && simulated === 0),
        ).map((network) => `There is no receiving wallet for ${network}.`),
    ),
    fixedBy: 'live',
  },
  createDatabaseCheck(
    'settings',
    'Set it: `PATCH /api/v1/operator/settings`. It takes two administrators.',
    ({ settings }) =>
      [...NEEDED_SETTINGS].map(
        ([key, what]) => !settings.some((setting) => setting.key === key) && `${what} is not set (${key}).`,
      ),
  ),
  markFixedByRunning(
    createDatabaseCheck(
      'administrators',
      'Invite two, each of whom turns a second factor on: `npm run operator -- invite you@example.org --remote` (docs/deploying.md, "The first operators").',
      ({ administrators }) => {
        const ready = administrators.filter(({ factors }) => Number(factors) > 0)
        return [
          ready.length < 2 &&
            `${ready.length} of the 2 administrators that it takes are active with a second factor on.`,
        ]
      },
    ),
  ),
  createDatabaseCheck(
    'passkeys of operators',
    'Each operator adds a passkey under Profile, while the site is still simulated: in live mode no code confirms an act that moves money.',
    ({ withoutPasskey }) => withoutPasskey.map(({ email }) => `${email} has no passkey.`),
  ),
  createDatabaseCheck(
    'reviewer keys',
    'Two reviewers each make a key under Document keys and approve each other’s: docs/kyc-documents.md.',
    ({ reviewerKeys }) => {
      const samples: readonly unknown[] = Object.values(SAMPLE_KEYS).map(({ recipient }) => recipient)
      const people = new Set(reviewerKeys.map(({ user_id }) => user_id))
      return [
        people.size < 2 && `${people.size} of the 2 reviewers that it takes have a key in use.`,
        reviewerKeys.some(({ recipient }) => samples.includes(recipient)) &&
          'A reviewer key of development is in use.',
      ]
    },
  ),
  markFixedByRunning(
    createDatabaseCheck(
      'cron',
      'The Worker must be deployed with its cron trigger ([triggers] in wrangler.toml). Locally the server must run.',
      ({ selfChecks }, nowMs) => {
        const seen = selfChecks.find(({ name }) => name === 'schema')
        if (seen === undefined) return ['The cron has never run.']
        const ageMs = nowMs - Number(seen.at)
        return [ageMs > CRON_MS && `The cron last ran ${formatAge(ageMs)} ago.`]
      },
    ),
  ),
  createDatabaseCheck(
    'self-check',
    'Read the finding and follow docs/runbook.md, "Tampering". It is checked anew each ten minutes, everything and the audit log once a day.',
    ({ selfChecks, unbalanced, custody }) => [
      ...selfChecks.map(({ name, ok, finding }) => ok !== 1 && `The self-check "${name}" fails: ${finding}`),
      ...unbalanced.map(({ owner, cents }) => `The books of ${owner} sum to ${cents} cents, not to zero.`),
      ...custody.map(({ asset }) => `Custody of ${asset} is not what its entries add up to.`),
    ],
  ),
  createDatabaseCheck(
    'private keys',
    'Treat the key as stolen: move its coins to a new wallet at once. Then retire the watch-only wallet. The platform needs public keys alone.',
    ({ keyTexts }) =>
      keyTexts.map(({ place, text }) => {
        const kind = findPrivateKey(String(text ?? ''))
        return kind !== null && `There seems to be ${kind} in ${place}.`
      }),
  ),
  markFixedByRunning(
    createDatabaseCheck(
      'self-check',
      'Let the Worker run for some minutes: it begins by itself.',
      ({ selfChecks }) =>
        ['ledger', 'everything', 'auditLog'].map(
          (name) =>
            !selfChecks.some((check) => check.name === name) && `The self-check "${name}" has never run.`,
        ),
    ),
  ),
  createDatabaseCheck(
    'mail on its way',
    'See why it is not delivered: the sender’s own log, and `npm run cloudflare -- tail` for what the cron says.',
    ({ waitingMails }, nowMs) =>
      waitingMails.map(
        ({ mails, oldest }) =>
          Number(mails) > 0 &&
          nowMs - Number(oldest) > HOUR_MS &&
          `${mails} mails wait, the oldest for ${formatAge(nowMs - Number(oldest))}.`,
      ),
  ),
  markFixedByRunning(
    createDatabaseCheck(
      'backup',
      'Run `npm run backup -- <directory> --remote` each day, by a machine: docs/deploying.md, "Backups".',
      ({ selfChecks }, nowMs) => {
        const newest = selfChecks.find(({ name }) => name === 'backup')
        if (newest === undefined) return ['There is no backup.']
        const ageMs = nowMs - Number(newest.at)
        return [ageMs > BACKUP_MS && `The newest backup is ${formatAge(ageMs)} old.`]
      },
    ),
  ),
]

/** Settings that live mode needs and that have no default, by their stored names. */
const NEEDED_SETTINGS: ReadonlyMap<string, string> = new Map(
  SETTING_KEYS.flatMap((key) => {
    const { neededLive } = getSettingFacts(key)
    return neededLive === undefined ? [] : [[getSettingRow(key), neededLive] as const]
  }),
)

/** A check of the database. Skipped if the schema is too old, which the migrations check reports. */
function createDatabaseCheck(
  name: string,
  fix: string,
  list: (database: DatabaseFacts, nowMs: number) => readonly (string | false)[],
): Check {
  return { name, fix, list: ({ database, nowMs }) => (database === null ? [] : list(database, nowMs)) }
}

/** A check that fails after each restore until a Worker has run. */
function markFixedByRunning(check: Check): Check {
  return { ...check, fixedBy: 'running' }
}

/** Names that are secrets, because their values open something: those that wrangler.toml lists beside VAULT_KEYS. */
const SECRET_NAMES = [
  'VAULT_KEYS',
  'MARKET_API_KEY',
  'RESEND_API_KEY',
  'VENUE_KEY',
  'VENUE_SECRET',
  'VENUE_BASE_URL',
  'BITCOIN_SERVERS',
  'ETHEREUM_SERVERS',
]

function parseHost(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : ''
}

/** Reserved domains (RFC 2606). */
function isExample(text: string): boolean {
  return /(?:^|[.@/])example(?:\.(?:com|org|net))?(?:$|[>/:])|\.(?:test|invalid|localhost)(?:$|[>/:])/i.test(
    text,
  )
}

function formatAge(ms: number): string {
  const hours = ms / HOUR_MS
  return hours < 2 ? `${Math.round(ms / 60_000)} minutes` : `${Math.round(hours)} hours`
}
