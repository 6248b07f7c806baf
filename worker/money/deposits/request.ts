import { sql } from 'drizzle-orm'
import type { Filed } from '../../../src/contract/common.ts'
import type { Coin, Network } from '../../../src/contract/money/coins.ts'
import type { requestDeposit as endpoint } from '../../../src/contract/money/deposits.ts'
import { parseReference } from '../../../src/contract/money/references.ts'
import { type Answer, type CallOf, created } from '../../http/call.ts'
import { refuseFields } from '../../http/fields.ts'
import { withStoredFile } from '../../http/files.ts'
import { newId, newRef, randomToken } from '../../lib/crypto/tokens.ts'
import { reading, readTogether } from '../../lib/database.ts'
import { depositDetails, requests } from '../../lib/tables/requests.ts'
import { assertMayOpen, countOpen, minimumProblem, readMinimums } from '../requests/limits.ts'
import { isOffered } from '../wallets/wallets.ts'

/** The result for a missing transaction id. */
const NO_REFERENCE = { reference: null, problem: null }

type DepositCall = CallOf<typeof endpoint>

/**
 * Files a deposit: the amount that the investor reports as paid, the wallet and a receipt. It is credited only after an operator
 * saw it arrive. Refuses a wallet that is not active for the coin, an amount below the minimum, a transaction id of another
 * network, and a 21st open deposit.
 */
export async function requestDeposit(call: DepositCall): Promise<Answer<Filed>> {
  const { db, nowMs, actor, body, pictures } = call
  const [paidTo, minimums, open] = await readTogether(
    db,
    activeWallet(body),
    readMinimums(),
    countOpen(actor.id, 'deposits'),
  )
  const [wallet] = paidTo
  const tooSmall = minimumProblem(minimums, 'deposit', body.amount)
  const paid =
    body.txid === undefined || wallet === undefined ? NO_REFERENCE : parseReference(wallet.network, body.txid)
  if (tooSmall !== null || wallet === undefined || paid.problem !== null) {
    refuseFields({
      ...(tooSmall !== null && { amount: tooSmall }),
      ...(wallet === undefined && { paymentTo: 'Please pay to one of the wallets shown for this coin' }),
      ...(paid.problem !== null && { txid: paid.problem }),
    })
  }
  assertMayOpen(open)

  const receipt = pictures.image
  if (receipt === undefined) throw new Error('The pipeline demands the receipt.')
  const id = newId()
  const ref = newRef('DEP')
  const receiptKey = `receipts/${randomToken()}`
  const answer = created({ msg: `Deposit request ${ref} was sent and awaits approval.`, ref, _id: id })
  await withStoredFile(call, receiptKey, receipt.bytes, receipt.type, () =>
    call.commit({
      statements: [
        db.insert(requests).values({
          id,
          ref,
          investor: actor.id,
          kind: 'deposit',
          queue: 'deposits',
          amount: body.amount,
          asked: body.amount,
          createdAt: nowMs,
        }),
        db.insert(depositDetails).values({
          request: id,
          coin: body.type,
          network: wallet.network,
          paymentTo: wallet.address,
          txid: paid.reference,
          receiptKey,
          receiptType: receipt.type,
        }),
      ],
      audit: [
        {
          action: 'deposit.requested',
          subject: id,
          detail: { amountCents: body.amount, coin: body.type, network: wallet.network },
        },
      ],
      answer,
    }),
  )
  return answer
}

interface PaidTo {
  type: Coin
  paymentTo: string
  network?: Network | '' | undefined
}

// One address may serve several networks. Without a network, the oldest wallet counts.
function activeWallet({ type, paymentTo, network = '' }: PaidTo) {
  return reading<{ network: Network; address: string }>(sql`
    SELECT network, address FROM wallets
    WHERE ${isOffered()} AND coin = ${type} AND address = ${paymentTo}
      AND ${network} IN ('', network) ORDER BY seq LIMIT 1`)
}
