import { site } from '../../../src/site.ts'
import { type Database, runBatch } from '../../lib/database.ts'
import { dateInWords } from '../../lib/days.ts'
import { refuse } from '../../lib/errors.ts'
import type { Ending } from '../credentials/tries.ts'

/** Tells who has shown the right password that the account is closed, since when and whom to ask. The try does not count. */
export async function refuseClosed(
  db: Database,
  attempt: Pick<Ending, 'passed'>,
  closedAt: number,
): Promise<never> {
  await runBatch(db, attempt.passed())
  return refuse('account_closed', {
    msg: `This account was closed on ${dateInWords(closedAt)} and cannot be opened again. If you have a question, write to ${site.supportEmail}.`,
  })
}
