import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { creditFirstDeposit, type RehearsedSite } from './deposit.ts'
import { type Installation, runFailing, runScript } from './installation.ts'
import * as steps from './steps.ts'

/** The options of a rehearsal on a real account. */
export interface RehearsalOptions {
  /** The people to invite if there is no operator yet. The first keeps access after the restore. */
  readonly operators: readonly string[]
  /** The site, for a first deposit if there is no operator yet. Undefined if VAULT_KEYS is not known. */
  readonly site: RehearsedSite | undefined
  /** Where the restored data lives. */
  readonly storage: steps.DataLocation
  /** Prints a line. */
  readonly tell: (line: string) => void
  readonly now: () => number
}

/**
 * Plays a version's life on a deployed installation: deploy, operators, a deposit, launch check, backup, restore into new storage, a deploy for
 * the operators alone, and a rollback. Tells how long each step took. The old database and bucket stay, as after a real restore.
 *
 * @returns what differs after the restore. Throws if a command fails
 */
export async function runRehearsal(installation: Installation, options: RehearsalOptions): Promise<string[]> {
  const { operators, site, storage, tell, now } = options
  const startMs = now()
  const measureStep = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const start = now()
    const result = await work()
    tell(`${name.padEnd(44)} ${Math.round((now() - start) / 1000)} s`)
    return result
  }

  await measureStep('Deploy', () => steps.deploy(installation))
  const listed = await measureStep('List operators', () =>
    runScript(installation, 'operator', ['list', '--remote']),
  )
  const isEmpty = listed.includes('Nobody operates yet')
  if (isEmpty) {
    const links = await measureStep('Invite operators', () => steps.inviteOperators(installation, operators))
    const invitations = operators.map((email, index) => ({ email, link: links[index] ?? '' }))
    if (site === undefined) for (const link of links) tell(`  ${link}`)
    else {
      await measureStep('Wait for the domain and its certificate', () => waitForSite(site))
      const members = await measureStep('Credit a first deposit', () => creditFirstDeposit(site, invitations))
      writeFileSync(join(installation.folder, 'members.json'), JSON.stringify(members, null, 2), {
        mode: 0o600,
      })
      tell(`From the deploy to a credited deposit: ${Math.round((now() - startMs) / 1000)} s`)
    }
  }
  tell(await measureStep('Launch check', () => steps.checkLaunch(installation)))
  const before = await measureStep('Back up', () => steps.takeBackup(installation, 'before'))
  await measureStep('Create new storage', () => steps.createStorage(installation, storage))
  const isOperator = (email: string) => (isEmpty ? site !== undefined : listed.includes(`${email}  `))
  const letIn = operators.filter(isOperator).slice(0, 1)
  await measureStep('Restore', () => steps.restoreBackup(installation, before, letIn))
  await measureStep('Deploy for the operators', () => steps.deploy(installation, ['--restored']))
  const refused = await measureStep('Refuse a rollback to the old database', () =>
    runFailing(installation, 'rollback'),
  )
  await measureStep('Deploy once more', () => steps.deploy(installation))
  await measureStep('Roll back', () => runScript(installation, 'rollback'))
  const after = await measureStep('Back up what was restored', () => steps.takeBackup(installation, 'after'))
  return [
    ...(after.ledgerHash === before.ledgerHash ? [] : ['The ledger is another after the restore.']),
    ...(after.files === before.files ? [] : [`${before.files} files became ${after.files}.`]),
    ...(refused.includes('another database') ? [] : ['A rollback to the old database was not refused.']),
  ]
}

/** Cloudflare needs some minutes for a new domain's certificate. Throws after 15. */
async function waitForSite({ origin, send }: RehearsedSite): Promise<void> {
  for (let attempt = 0; attempt < 180; attempt++) {
    const response = await send(`${origin}/api/v1/health`).catch(() => undefined)
    if (response?.ok) return
    await wait(5_000)
  }
  throw new Error(`${origin} does not answer. Does its domain belong to this account?`)
}
