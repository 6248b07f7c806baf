import { sql } from 'drizzle-orm'
import type { TransactionDetail } from '../../../src/contract/money/transactions.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { iso } from '../../http/paging.ts'
import { reading, readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { readEntries } from '../statements/entries.ts'
import { entryOf } from '../statements/entryOf.ts'
import { STEP_ORDER, type Step, stepsOf } from './events.ts'
import { readTransactions, transactionOf } from './rows.ts'

/** A request's id is a UUID; this is what a person reads out and a mail links to. */
const REFERENCE = /^[A-Z]{3}-/

/**
 * One of the actor's own requests, by its id or its reference, with its timeline from the first event on and what it did
 * to the books. Anybody else's is not found.
 */
export async function getTransaction(call: ActorCall): Promise<Answer<TransactionDetail>> {
  const name = call.params.id ?? ''
  const column = REFERENCE.test(name) ? sql`ref` : sql`id`
  const id = sql`(SELECT id FROM requests WHERE ${column} = ${name} AND investor = ${call.actor.id})`
  const [[row], events, [given], entries] = await readTogether(
    call.db,
    readTransactions(sql`WHERE r.id = ${id}`),
    reading<Pick<Step, 'status' | 'at' | 'note' | 'reference'>>(sql`
      SELECT e.status, e.at, e.note, e.reference FROM ${stepsOf(sql`SELECT ${id}`)} ORDER BY ${STEP_ORDER}`),
    reading<{ txid: string | null }>(sql`SELECT txid FROM deposit_details WHERE request = ${id}`),
    readEntries(sql`WHERE t.ref = ${id} ORDER BY t.seq`),
  )
  if (row === undefined) refuse('not_found')
  const timeline = events.map(({ at, status, note }) => ({
    at: iso(at),
    status,
    ...(note !== null && { note }),
  }))
  const settled = events.find(({ reference }) => reference !== null)
  const reference = settled?.reference ?? given?.txid
  return ok({
    ...transactionOf(row),
    timeline,
    ...(reference && { reference }),
    entries: entries.map((entry) => entryOf(entry)),
  })
}
