import { env } from 'cloudflare:workers'
import { toReferenceKey } from '../../src/contract/money/references.ts'
import { computeFigures, type Figures, readBooks } from '../../worker/ledger/balances.ts'
import { parseUnits, takeIntoCustody } from '../../worker/ledger/custody.ts'
import { credit } from '../../worker/ledger/post.ts'
import { recordEvent } from '../../worker/ledger/requestEvents.ts'
import { newId, newRef } from '../../worker/lib/crypto/tokens.ts'
import { openDatabase, readTogether, runBatch } from '../../worker/lib/database.ts'
import { creditApprovals } from '../../worker/lib/tables/operators.ts'
import { depositDetails, requests } from '../../worker/lib/tables/requests.ts'
import { txid } from './ledger/txid.ts'
import { newOperator } from './people.ts'

/**
 * Credits an investor as the platform does: a USDT deposit, approved by two operators, its transfers and its custody entry, in
 * one batch. `operators` are new ones by default. Returns the request's id.
 */
export async function creditInvestor(
  investor: string,
  amountCents: number,
  operators?: readonly [first: string, second: string],
): Promise<string> {
  const [first, second] = operators ?? (await Promise.all([newOperator(), newOperator()])).map(({ id }) => id)
  if (first === undefined || second === undefined) throw new Error('A credit takes two operators')
  const db = openDatabase(env.DB)
  const id = newId()
  const nowMs = Date.now()
  const reference = txid(id)
  const quantity = (amountCents / 100).toFixed(2)
  const units = parseUnits('usdt', quantity)
  if (units === null) throw new Error(`${amountCents} cents are no quantity of USDT`)
  const cause = { id, investor, amountCents }
  await runBatch(db, [
    db.insert(requests).values({
      id,
      ref: newRef('DEP'),
      investor,
      kind: 'deposit',
      queue: 'deposits',
      amount: amountCents,
      asked: amountCents,
      createdAt: nowMs,
    }),
    db.insert(depositDetails).values({
      askedRate: '1000000000',
      request: id,
      coin: 'usdt',
      network: 'usdt-trc20',
      paymentTo: 'TTest',
      receiptKey: `test/${id}`,
      receiptType: 'image/png',
      quantity,
      rate: '1',
    }),
    db.insert(creditApprovals).values({
      request: id,
      operator: first,
      reference,
      referenceKey: toReferenceKey(reference),
      amount: amountCents,
      quantity,
      units: Number(units),
      at: nowMs,
    }),
    recordEvent(db, {
      request: id,
      investor,
      status: 'approved',
      actor: second,
      atMs: nowMs,
      amountCents,
      reference,
      secondOperator: first,
      arrived: { units, unitsAtRate: units },
    }),
    credit(db, cause, { actor: second, nowMs }),
    takeIntoCustody({ request: id, asset: 'usdt', units, nowMs }),
  ])
  return id
}

/** An investor's figures in cents, read from the books. */
export async function booksOf(investor: string): Promise<Figures> {
  const db = openDatabase(env.DB)
  const [books] = await readTogether(db, readBooks(investor))
  return computeFigures(books)
}
