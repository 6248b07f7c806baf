import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { listReceipts as endpoint, Receipt } from '../../../src/contract/money/ownPayments.ts'
import { CHAIN_NETWORKS, type ProvedNetwork, QUEUE_REASONS } from '../../../src/contract/money/payments.ts'
import { DAY_MS } from '../../../src/time.ts'
import { type Answer, type CallOf, ok } from '../../http/call.ts'
import { openCursor, takePage, toIso, toIsoOrNull } from '../../http/paging.ts'
import { type Database, type RowOf, readTogether, runBatch, selectRows } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { buildLink, composeNews } from '../../lib/mail/compose.ts'
import { enqueueMails, type Mail } from '../../lib/mail/outbox.ts'
import { unknownReceipts } from '../../lib/tables/payments.ts'
import { users } from '../../lib/tables/people.ts'
import { hasStatements } from '../../lib/workBudget.ts'
import { getEthereumConfiguration } from '../servers/configuration.ts'
import { formatUnits } from './show.ts'

/** What arrived at the actor's own addresses and needs a person, newest first. */
export async function listReceipts(call: CallOf<typeof endpoint>): Promise<Answer<Receipt[]>> {
  const { limit, cursor } = call.query
  const after = openCursor(cursor)
  const [found] = await readTogether(call.db, readReceipts(call.actor.id, after?.seq ?? null, limit + 1))
  const { rows, headers } = takePage(call, found, limit, ({ seq }) => ({ at: 0, seq }))
  return ok(
    rows.map((row) => toReceipt(call.env, row)),
    headers,
  )
}

function readReceipts(investor: string, after: number | null, limit: number) {
  const { seq, id, chain, kind, contract, reference, address, quantity, seenAt, closedAt } = unknownReceipts
  return selectRows({ seq, id, chain, kind, contract, reference, address, quantity, seenAt, closedAt })
    .from(unknownReceipts)
    .where(and(eq(unknownReceipts.investor, investor), after === null ? sql`1` : sql`${seq} < ${after}`))
    .orderBy(desc(seq))
    .limit(limit)
}

type ReceiptRow = RowOf<typeof readReceipts>

function toReceipt(env: Env, row: ReceiptRow): Receipt {
  const network = findReceiptNetwork(env, row)
  return {
    _id: row.id,
    network,
    reference: row.reference,
    address: row.address,
    quantity: network === null ? null : formatUnits(row.quantity, CHAIN_NETWORKS[network].decimals),
    words: row.closedAt === null ? QUEUE_REASONS[row.kind].investor : HANDLED,
    seenAt: toIso(row.seenAt),
    closedAt: toIsoOrNull(row.closedAt),
  }
}

const HANDLED = 'Our team has looked at it. Please contact support if you have a question.'

/** The network of the coin that arrived. Null for a token that we do not take. */
export function findReceiptNetwork(
  env: Env,
  { chain, kind, contract }: Pick<ReceiptRow, 'chain' | 'kind' | 'contract'>,
): ProvedNetwork | null {
  if (kind === 'token') return null
  if (contract !== null) return getEthereumConfiguration(env)?.tokens[contract] ?? null
  return chain === 'bitcoin' ? 'btc' : 'eth'
}

/** Mails of one run. Each takes three statements. */
const MAILS_A_RUN = 20
const STATEMENTS = 3 * MAILS_A_RUN + 2

/** Tells investors about receipts that cannot be credited: one mail a day, because strangers can send worthless tokens. */
export async function mailReceipts(env: Env, db: Database, nowMs: number): Promise<void> {
  if (!hasStatements(db, STATEMENTS)) return
  const [rows] = await readTogether(db, readUnmailed(nowMs))
  const mails = rows.map((row) => buildReceiptMail(env, row))
  await runBatch(db, await enqueueMails(env, mails, nowMs))
}

/** Investors with an open receipt of the last day that came after their last mail of this kind. */
function readUnmailed(nowMs: number) {
  const { investor, kind, seenAt, closedAt } = unknownReceipts
  const { email, displayName } = users
  return selectRows({ investor, email, displayName, kind: sql<keyof typeof QUEUE_REASONS>`max(${kind})` })
    .from(unknownReceipts)
    .innerJoin(users, eq(users.id, investor))
    .where(
      and(
        isNull(closedAt),
        sql`${seenAt} > ${nowMs - DAY_MS} AND ${users.closedAt} IS NULL AND NOT EXISTS (
          SELECT 1 FROM rate_counters WHERE key = ${`${MAIL}:`} || ${investor} AND window_start > ${nowMs - DAY_MS})`,
      ),
    )
    .groupBy(investor)
    .limit(MAILS_A_RUN)
}

const MAIL = 'mail-receipt:account'

function buildReceiptMail(
  env: Env,
  { investor, email, displayName, kind }: RowOf<typeof readUnmailed>,
): Mail {
  const mail = composeNews(email, 'Something arrived that we cannot credit by ourselves', displayName, [
    `Something arrived at one of your deposit addresses. ${QUEUE_REASONS[kind].investor}`,
    'A person of our team looks at it too. Nothing is credited until then. You see it beside the deposit form.',
    { label: 'Open your deposits', href: buildLink(env, '/dashboard/deposit') },
  ])
  return { ...mail, atMost: { key: `${MAIL}:${investor}`, max: 1, windowMs: DAY_MS } }
}
