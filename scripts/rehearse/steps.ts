import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import { writeSetting } from '../settingsFile.mjs'
import { type Installation, runFailing, runScript } from './installation.ts'

/** Where data lives. Cloudflare never moves it afterwards. */
export interface DataLocation {
  readonly database: string
  readonly bucket: string
  readonly location?: string
  readonly jurisdiction?: string
}

/** Creates an empty database and bucket under these names, and names them in wrangler.toml. */
export async function createStorage(
  installation: Installation,
  { database, bucket, location, jurisdiction }: DataLocation,
): Promise<void> {
  const { project, environment } = installation
  writeSetting(project, 'd1_databases', 'database_name', database, environment.CLOUDFLARE_ENV)
  writeSetting(project, 'r2_buckets', 'bucket_name', bucket, environment.CLOUDFLARE_ENV)
  const where = jurisdiction ? ['--jurisdiction', jurisdiction] : ['--location', location ?? 'weur']
  await runScript(installation, 'cloudflare', ['create', ...where])
}

/** Sets VAULT_KEYS to new random keys of these versions, the newest first, and returns the value. */
export async function storeVaultKeys(
  installation: Installation,
  versions: number,
  known = '',
): Promise<string> {
  const value = [`${versions}:${randomBytes(32).toString('base64')}`, ...(known ? [known] : [])].join(',')
  await runScript(installation, 'cloudflare', ['secret', 'put', 'VAULT_KEYS'], value)
  return value
}

/** Deploys. `--built` takes the site as it was built last: a rehearsal is about Cloudflare, not about the site. */
export function deploy(installation: Installation, options: readonly string[] = []): Promise<string> {
  return runScript(installation, 'deploy', ['--built', ...options])
}

/** Invites the first two administrators, and returns their links. */
export async function inviteOperators(
  installation: Installation,
  emails: readonly string[],
): Promise<string[]> {
  const links: string[] = []
  for (const email of emails) {
    const printed = await runScript(installation, 'operator', ['invite', email, '--remote'])
    const link = /https?:\/\/\S+token=\S+/.exec(printed)?.[0]
    if (link === undefined) throw new Error(`No invitation was printed:\n${printed}`)
    links.push(link)
  }
  return links
}

/** The remaining findings of the launch check. A new installation always has some, so the check fails. */
export function checkLaunch(installation: Installation, options: readonly string[] = []): Promise<string> {
  return runFailing(installation, 'launch-check', ['--remote', ...options])
}

export interface TakenBackup {
  readonly folder: string
  readonly identityFile: string
  readonly sha256: string
  readonly erasedFile: string
  readonly ledgerHash: string
  /** How many files it has. */
  readonly files: number
}

/** Makes a key of age, then backs up the platform, encrypted to it, and lists the erased persons as each hour does. */
export async function takeBackup(installation: Installation, name: string): Promise<TakenBackup> {
  const identity = await generateIdentity()
  const identityFile = join(installation.folder, `${name}.key`)
  writeFileSync(identityFile, `${identity}\n`, { mode: 0o600 })
  const recipient = await identityToRecipient(identity)
  const folder = join(installation.folder, name)
  const printed = await runScript(installation, 'backup', [folder, '--remote', '--recipient', recipient])
  return {
    folder,
    identityFile,
    sha256: hashIn(printed, 'manifest'),
    ledgerHash: hashIn(printed, 'ledger'),
    files: Number(/(\d+) files, encrypted/.exec(printed)?.[1]),
    erasedFile: await listErased(installation),
  }
}

/** Writes the list of erased persons, and returns its file. */
async function listErased(installation: Installation): Promise<string> {
  const file = join(installation.folder, 'erased.json')
  await runScript(installation, 'backup', ['--erased', file, '--remote'])
  JSON.parse(readFileSync(file, 'utf8'))
  return file
}

/** Restores a backup into the empty storage that wrangler.toml names. Returns the output of the command. Throws if the books differ. */
export async function restoreBackup(
  installation: Installation,
  backup: TakenBackup,
  letIn: readonly string[] = [],
): Promise<string> {
  const printed = await runScript(installation, 'restore', [
    backup.folder,
    '--remote',
    '--identity',
    backup.identityFile,
    '--sha256',
    backup.sha256,
    '--erased-after',
    backup.erasedFile,
    ...letIn.flatMap((email) => ['--let-in', email]),
  ])
  const restored = hashIn(printed, 'ledger')
  if (restored !== backup.ledgerHash)
    throw new Error(`The ledger is ${restored} after the restore, and was ${backup.ledgerHash}.`)
  return printed
}

function hashIn(printed: string, name: string): string {
  const hash = new RegExp(`^ *${name} +([0-9a-f]{64})$`, 'm').exec(printed)?.[1]
  if (hash === undefined) throw new Error(`No hash of the ${name} was printed:\n${printed}`)
  return hash
}

/** Shows how far the rotation of VAULT_KEYS is. */
export function watchRotation(installation: Installation): Promise<string> {
  return runScript(installation, 'rotate-keys', ['--remote', '--once'])
}
