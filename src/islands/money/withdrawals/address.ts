import { findAddressProblem } from '../../../contract/money/addresses.ts'
import type { Network } from '../../../contract/money/coins.ts'
import { findLinkProblem } from '../../../contract/money/paymentLinks.ts'
import { cryptoWithdrawal } from '../../../contract/money/withdrawals.ts'

/** The error for a typed address, which may still be a payment link, or null. */
function findTypedProblem(network: Network, address: string): string | null {
  return findLinkProblem(network, address) ?? findAddressProblem(network, address)
}

/** Also checks that the address is valid on the network. */
export const cryptoWithdrawalForm = cryptoWithdrawal.check(({ value, issues }) => {
  const problem = findTypedProblem(value.network, value.address)
  if (problem !== null) issues.push({ code: 'custom', message: problem, path: ['address'], input: value })
})

export type AddressVerdict = { state: 'open' } | { state: 'wrong'; problem: string } | { state: 'right' }

/** `open` while the network or the address is missing. */
export function checkAddress(network: Network | null, address: string): AddressVerdict {
  const text = address.trim()
  if (network === null || text === '') return { state: 'open' }
  const problem = findTypedProblem(network, text)
  return problem === null ? { state: 'right' } : { state: 'wrong', problem }
}
