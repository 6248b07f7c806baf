import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Rewrite } from './lane/load.ts'
import { beginWith, dropCall, dropIf, type Planting, plant, replaceArgument, replaceValue } from './plant.ts'

/** A realistic mistake, planted to see whether the simulator finds it. */
interface Defect extends Planting {
  readonly name: string
  /** What an investor would lose, or an operator. */
  readonly harm: string
  /** Seeds of `--chains` that are played instead of whole platforms, until one breaks a rule. */
  readonly chains?: string
}

const WITHDRAWALS = 'worker/money/withdrawals'
const APPROVE = 'worker/console/deposits/approve.ts'
const PAY = 'worker/console/withdrawals/decide.ts'
const TRADING = 'worker/investing/trading'
const CHAINS = 'worker/chains'

/** Mistakes that somebody could make while changing the code, and that only rules find. `npm run mutate` plants one after the other. */
export const DEFECTS: readonly Defect[] = [
  {
    name: 'forgotten-idempotency',
    harm: 'A double click makes two requests.',
    ...replaceValue('worker/identify.ts', 'identify', 'key', 'null'),
  },
  {
    name: 'cancel-keeps-the-hold',
    harm: 'The money of a cancelled withdrawal stays held for ever.',
    ...dropCall('worker/money/requests/cancel.ts', 'cancelWithdrawal', 'release'),
  },
  {
    name: 'withdrawal-without-hold',
    harm: 'An amount can be withdrawn twice.',
    ...dropCall(`${WITHDRAWALS}/request.ts`, 'insertWithdrawal', 'hold'),
  },
  {
    name: 'no-proof-asked',
    harm: 'A stolen password is enough to withdraw to a new address.',
    ...beginWith(`${WITHDRAWALS}/decide.ts`, 'listProofReasons', 'return []'),
  },
  {
    name: 'delay-of-new-destinations-forgotten',
    harm: 'A thief with the mailbox gets the money before the owner can stop it.',
    ...beginWith(`${WITHDRAWALS}/decide.ts`, 'computeDelayEnd', 'return null'),
  },
  {
    name: 'mailed-code-lifts-the-delay',
    harm: 'A thief with the mailbox is paid at once.',
    ...replaceValue(`${WITHDRAWALS}/proof.ts`, 'confirm', 'liftsDelay', "by === 'email'"),
  },
  {
    name: 'code-in-the-subject',
    harm: 'The code of a withdrawal stands in the subject, which is stored.',
    ...replaceArgument(`${WITHDRAWALS}/mails.ts`, 'buildCodeMail', 'composeMail', 1, 'code'),
  },
  {
    name: 'plan-forgets-its-date',
    harm: 'A plan invests again in each minute of its date.',
    ...dropCall('worker/investing/plans/run.ts', 'runDate', 'recordRun'),
  },
  {
    name: 'plan-announced-without-a-mail',
    harm: 'A plan moves money without telling its owner a day before.',
    ...dropCall('worker/investing/plans/run.ts', 'announceDate', 'enqueueMail'),
  },
  {
    name: 'stop-forgets-that-it-fired',
    harm: 'A stop sells again whenever its price is reached.',
    ...dropCall('worker/investing/stops/run.ts', 'fireStop', 'recordFired'),
  },
  {
    name: 'credit-without-money',
    harm: 'A deposit is shown as credited, and the money is not there.',
    ...dropCall(APPROVE, 'creditNow', 'credit'),
  },
  {
    name: 'credit-without-custody',
    harm: 'The platform does not know that it owns the coins.',
    ...dropCall(APPROVE, 'creditNow', 'takeIntoCustody'),
  },
  {
    name: 'deposit-mail-forgotten',
    harm: 'An investor does not learn that the money arrived.',
    ...dropCall(APPROVE, 'creditNow', 'depositCredited'),
  },
  {
    name: 'payout-mail-forgotten',
    harm: 'An investor does not learn that money left the account.',
    ...dropCall(PAY, 'completeWithdrawal', 'buildWithdrawalPaidMail'),
  },
  {
    name: 'payout-leaves-custody',
    harm: 'Paid coins still count as held for investors.',
    ...dropCall(PAY, 'completeWithdrawal', 'leaveCustody'),
  },
  {
    name: 'usdt-in-eight-decimals',
    harm: 'Custody counts a hundred times the USDT that arrived.',
    ...replaceValue('worker/ledger/custody.ts', 'ASSET_DECIMALS', 'usdt', '8'),
  },
  {
    name: 'held-counts-as-available',
    harm: 'The overview offers money that a withdrawal already holds.',
    ...replaceValue(
      'worker/ledger/balances.ts',
      'computeFigures',
      'available',
      "sumKind('available') + sumKind('held')",
    ),
  },
  {
    name: 'total-without-withdrawals',
    harm: 'The total still counts what was paid out.',
    ...replaceValue(
      'worker/ledger/balances.ts',
      'computeFigures',
      'totalBalance',
      'profits + deposits + bonus',
    ),
  },
  {
    name: 'leaving-costs-nothing',
    harm: 'Who leaves a strategy makes the others pay for the sale.',
    ...replaceValue(`${TRADING}/unitPrices.ts`, 'computeUnitPrices', 'redeem', 'unit'),
  },
  {
    name: 'joining-costs-nothing',
    harm: 'Who joins a strategy makes the others pay for the purchase.',
    ...replaceValue(`${TRADING}/unitPrices.ts`, 'computeUnitPrices', 'issue', 'unit'),
  },
  {
    name: 'unit-price-after-trading',
    harm: "Units are priced after the day's trades and their costs.",
    ...replaceArgument(`${TRADING}/valuation.ts`, 'valueAtOpen', 'computeMovedPrice', 2, 'after.equity'),
  },
  {
    name: 'commitment-without-cash',
    harm: "The public commitment does not cover the pool's cash.",
    ...replaceArgument(
      `${TRADING}/valuation.ts`,
      'sealValuation',
      'computeCommitment',
      1,
      '{ ...committed, cash: 0 }',
    ),
  },
  {
    name: 'slippage-as-a-gift',
    harm: 'Purchases of a pool are cheaper than the market.',
    ...replaceValue(
      `${TRADING}/broker.ts`,
      'simulatePaperFill',
      'price',
      "seenPrice * (side === 'buy' ? 1 - terms.slippage : 1 + terms.slippage)",
    ),
  },
  {
    name: 'broker-fee-forgotten',
    harm: 'The pool does not pay the broker, and later lacks the money.',
    ...replaceValue(`${TRADING}/broker.ts`, 'simulatePaperFill', 'fee', '0'),
  },
  {
    name: 'payments-rounded-down',
    harm: 'Each purchase of a pool misses a millionth of a dollar.',
    ...replaceValue(`${TRADING}/broker.ts`, 'simulatePaperFill', 'value', 'valueQuantity(quantity, price)'),
  },
  {
    name: 'mail-sent-twice',
    harm: 'A mail is delivered again after every lost answer.',
    ...replaceArgument('worker/lib/mail/outbox.ts', 'deliverOutbox', 'send', 1, 'newId()'),
  },
  {
    name: 'seals-not-chained',
    harm: 'A block of the audit log can be replaced.',
    ...replaceArgument('worker/platform/audit/seal.ts', 'sealAuditLog', 'sealHash', 0, 'GENESIS'),
  },
  {
    name: 'credentials-logged',
    harm: 'Passwords stand in the log.',
    ...beginWith('worker/identity/signIn/login.ts', 'login', 'console.info(JSON.stringify(call.body))'),
  },
  {
    name: 'signing-out-ends-nothing',
    harm: 'A copied session works after its owner signed out.',
    ...dropCall('worker/identity/signIn/login.ts', 'logout', 'endSession'),
  },
  {
    name: 'one-confirmation-less',
    harm: 'A payment is credited one block too early, and may still be spent elsewhere.',
    chains: '1-24',
    ...replaceValue('src/contract/money/payments.ts', 'CONFIRMATIONS_NEEDED', 'bitcoin', '2'),
  },
  {
    name: 'dust-is-credited',
    harm: 'Thousands of tiny payments cost more than they are worth.',
    chains: '1-24',
    ...dropIf(`${CHAINS}/credit/finalise.ts`, 'decideQueueReason', 'cents'),
  },
  {
    name: 'reversal-not-prepared',
    harm: 'Nobody is asked to reverse a credit whose payment is gone.',
    chains: '1-24',
    ...dropCall(`${CHAINS}/follow/undone.ts`, 'proposeReversals', 'runBatch'),
  },
  {
    name: 'payout-completed-in-its-first-block',
    harm: 'A withdrawal counts as paid although a reorganisation can still take its payment.',
    chains: '1-24',
    ...replaceValue(`${CHAINS}/payouts/followBitcoin.ts`, 'NEEDED', 'NEEDED', '1'),
  },
  {
    name: 'network-fee-not-booked',
    harm: 'The books say that the wallets hold more than they do.',
    chains: '1-24',
    ...dropCall(`${CHAINS}/payouts/complete.ts`, 'completePayout', 'recordNetworkFee'),
  },
]

/** Plants a defect by its name. Throws for an unknown name, and unless it applies to exactly one place. */
export function plantDefect(name: string): Rewrite {
  const defect = DEFECTS.find((known) => known.name === name)
  if (defect === undefined) throw new Error(`There is no defect named ${name}`)
  const path = join(import.meta.dirname, '../..', defect.file)
  const text = plant(defect, readFileSync(path, 'utf8'))
  return (loaded) => (loaded === path ? text : null)
}
