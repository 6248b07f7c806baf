import { sql } from 'drizzle-orm'
import type { OperatorInvestor } from '../../../src/contract/console/investors.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { type BookRow, figuresOf, readBooks } from '../../ledger/balances.ts'
import { reading } from '../../lib/database.ts'
import { readFile } from './file.ts'
import { investorDetail } from './investor.ts'

/** One investor with their figures. */
export async function showInvestor(call: ActorCall): Promise<Answer<OperatorInvestor>> {
  const [balances, pending] = readBooks(call.db, call.params.id ?? '')
  const { facts, rows } = await readFile(
    call,
    reading<BookRow>(balances.getSQL()),
    reading<{ pending: number }>(sql`SELECT (${pending}) AS pending`),
  )
  const [books, deposits] = rows
  return ok(investorDetail({ facts, figures: figuresOf(books, deposits[0]?.pending ?? 0) }))
}
