import { type Installation, runFailing, runScript } from './installation.ts'
import * as steps from './steps.ts'

/** What a rehearsal on a real account needs to know. */
export interface RehearsalOptions {
  /** Who are invited if nobody operates yet. The first keeps access after the restore. */
  readonly operators: readonly string[]
  /** Where the restored data lives. */
  readonly storage: steps.DataLocation
  /** Prints a line. */
  readonly tell: (line: string) => void
  readonly now: () => number
}

/**
 * Plays a version's life on a deployed installation: deploy, operators, launch check, backup, restore into new storage, a deploy for
 * the operators alone, and a rollback. Tells how long each step took. The old database and bucket stay, as after a real restore.
 *
 * @returns what differs after the restore. Throws if a command fails
 */
export async function rehearse(installation: Installation, options: RehearsalOptions): Promise<string[]> {
  const { operators, storage, tell, now } = options
  const timed = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const start = now()
    const result = await work()
    tell(`${name.padEnd(44)} ${Math.round((now() - start) / 1000)} s`)
    return result
  }

  await timed('Deploy', () => steps.deploy(installation))
  const listed = await timed('List operators', () =>
    runScript(installation, 'operator', ['list', '--remote']),
  )
  const isEmpty = listed.includes('Nobody operates yet')
  if (isEmpty) {
    const links = await timed('Invite operators', () => steps.inviteOperators(installation, operators))
    for (const link of links) tell(`  ${link}`)
  }
  tell(await timed('Launch check', () => steps.checkLaunch(installation)))
  const before = await timed('Back up', () => steps.takeBackup(installation, 'before'))
  await timed('Create new storage', () => steps.createStorage(installation, storage))
  const letIn = operators.filter((email) => listed.includes(`${email}  `)).slice(0, 1)
  await timed('Restore', () => steps.restoreBackup(installation, before, letIn))
  await timed('Deploy for the operators', () => steps.deploy(installation, ['--restored']))
  const refused = await timed('Refuse a rollback to the old database', () =>
    runFailing(installation, 'rollback'),
  )
  await timed('Deploy once more', () => steps.deploy(installation))
  await timed('Roll back', () => runScript(installation, 'rollback'))
  const after = await timed('Back up what was restored', () => steps.takeBackup(installation, 'after'))
  return [
    ...(after.ledgerHash === before.ledgerHash ? [] : ['The ledger is another after the restore.']),
    ...(after.files === before.files ? [] : [`${before.files} files became ${after.files}.`]),
    ...(refused.includes('another database') ? [] : ['A rollback to the old database was not refused.']),
  ]
}
