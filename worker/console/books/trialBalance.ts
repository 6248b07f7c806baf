import { sql } from 'drizzle-orm'
import { getTrialBalance as endpoint } from '../../../src/contract/console/overview.ts'
import { usdOf } from '../../../src/contract/money.ts'
import { ok } from '../../http/call.ts'
import { route } from '../../http/route.ts'
import { type Read, reading, readTogether } from '../../lib/database.ts'

/** Debits, credits and the balance of each kind of account, over all investors. */
export const showTrialBalance = route(endpoint, async (call) => {
  const [kinds] = await readTogether(call.db, readKinds())
  const accounts = kinds.map(({ kind, debits, credits }) => ({ kind, balance: usdOf(debits - credits) }))
  return ok({ ...trialBalance(kinds), accounts })
})

/** What the accounts of one kind hold, in cents. */
export interface KindSums {
  readonly kind: string
  readonly debits: number
  readonly credits: number
}

/** Sums by kind of account. Its cost grows with the number of accounts, not with their history. */
export function readKinds(accounts = sql`accounts`): Read<KindSums> {
  return reading(sql`
    SELECT kind, sum(max(balance, 0)) AS debits, sum(max(-balance, 0)) AS credits
    FROM ${accounts} GROUP BY kind ORDER BY kind`)
}

/** Both sides in USD. Every investor's books sum to zero, and so must all of them together. */
export function trialBalance(kinds: readonly KindSums[]) {
  let debits = 0
  let credits = 0
  for (const kind of kinds) {
    debits += kind.debits
    credits += kind.credits
  }
  return { debits: usdOf(debits), credits: usdOf(credits), balanced: debits === credits }
}
