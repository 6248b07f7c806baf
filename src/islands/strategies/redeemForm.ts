import * as z from 'zod/mini'
import { parseUsd } from '../../contract/money.ts'
import { codeField } from '../../contract/text.ts'
import { cryptoWithdrawalForm } from '../withdrawal/address.ts'

const typed = () => z.optional(z.string())

/** What the form for a redemption asks: an amount or all, and, where it is to be withdrawn, where to. */
export const redeemForm = z
  .object({
    all: z.optional(z.boolean()),
    amount: typed(),
    withdraws: z.optional(z.boolean()),
    type: typed(),
    network: typed(),
    address: typed(),
    code: codeField(),
    passkey: typed(),
  })
  .check(({ value, issues }) => {
    const refuse = (name: string, message: string) =>
      issues.push({ code: 'custom', message, path: [name], input: value })
    if (!value.all && parseUsd(value.amount ?? '') === null)
      refuse('amount', 'Please input the amount to redeem in USD, or choose all')
    if (!value.withdraws) return
    // Of a withdrawal all but the amount, which is what the units bring.
    const { type, network, address } = value
    const destination = cryptoWithdrawalForm.safeParse({ type, network, address: address ?? '', amount: '1' })
    for (const { path, message } of destination.error?.issues ?? []) refuse(String(path[0]), message)
  })

/** What is sent of it. */
export function redemptionOf(values: z.input<typeof redeemForm>) {
  const { all, amount, withdraws, type, network, address, code, passkey } = values
  return {
    amount: all ? 'all' : (amount ?? ''),
    ...(withdraws && { thenWithdraw: { type, network, address: (address ?? '').trim() } }),
    ...(withdraws && code && { code }),
    ...(withdraws && passkey && { passkey }),
  }
}
