import * as z from 'zod/mini'
import { centsOf } from '../amountField.ts'
import { endpoint } from '../endpoint.ts'
import { bankWithdrawal } from '../money/bankWithdrawals.ts'
import { cryptoWithdrawal } from '../money/withdrawals.ts'
import { passkeyAnswerField } from '../passkeyAnswer.ts'
import { codeField } from '../text.ts'
import { orderFiled } from './allocate.ts'

// By hand: what takes a field off a schema would be in every form's script.
const { amount: _paid, ...walletFields } = cryptoWithdrawal.shape
const { amount: _sent, ...bankFields } = bankWithdrawal.shape
const toWallet = z.object(walletFields)
const toBank = z.object(bankFields)
type ToWallet = z.output<typeof toWallet>
type ToBank = z.output<typeof toBank>

/** Where the proceeds of a redemption go: the fields of a withdrawal without the amount, and the proof that came among them. */
export type Onward = Pick<ToWallet, 'code' | 'passkey'> &
  (
    | { readonly way: 'wallet'; readonly fields: Omit<ToWallet, 'code' | 'passkey'> }
    | { readonly way: 'bank'; readonly fields: Omit<ToBank, 'code' | 'passkey'> }
  )

/** Which of the two it is, its own fields say; what is wrong with them is said by field, as `thenWithdraw.address`. */
const onward = z.pipe(
  z.optional(z.nullable(z.looseObject({}, { error: 'Please say where to withdraw to' }))),
  z.transform((value, context): Onward | undefined => {
    if (value === undefined || value === null) return undefined
    const isBank = value.withdrawalMethod === 'bank' || 'bankName' in value || 'accountNumber' in value
    const parsed = (isBank ? toBank : toWallet).safeParse(value)
    if (parsed.success) {
      const { code, passkey, ...fields } = parsed.data
      return { way: isBank ? 'bank' : 'wallet', fields, code, passkey } as Onward
    }
    for (const { path, message } of parsed.error.issues)
      context.issues.push({ code: 'custom', message, path, input: value })
    return z.NEVER
  }),
)

const AMOUNT_WRONG = 'Please give an amount in USD above zero, with at most two decimals, or "all"'

/** In cents, or all that there is. */
const amount = z.pipe(
  z.union([z.string(), z.number()], { error: 'Please input the amount to redeem in USD, or "all"' }),
  z.transform((value, context) =>
    value === 'all' ? ('all' as const) : centsOf(value, context, AMOUNT_WRONG),
  ),
)

const redemption = z.object({
  amount,
  thenWithdraw: onward,
  code: codeField(),
  passkey: passkeyAnswerField(),
})

export const redeem = endpoint({
  method: 'POST',
  path: '/allocations/:id/redeem',
  scope: 'signed-in',
  summary:
    'Redeem an amount in USD, or "all". Priced at the next valuation, 00:00 UTC, and cancellable until then. `:id` is the position’s `_id`, or that of one of its orders. `thenWithdraw` takes the fields of POST /withdrawals or of POST /withdrawals/online-service without the amount, and files that withdrawal with the proceeds; it asks for the same proof, now',
  status: 201,
  body: redemption,
  answer: orderFiled,
  idempotent: true,
  requires: ['unfrozen'],
  limit: { name: 'allocations', per: 'account', max: 600, windowSeconds: 3600 },
  refusals: [
    'kyc_required',
    'simulated_market',
    'too_many_open',
    'insufficient_funds',
    'step_up_required',
    'invalid_code',
    'invalid_passkey',
  ],
})
