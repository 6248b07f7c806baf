import { findAddressProblem } from '../../../contract/money/addresses.ts'
import type { Network } from '../../../contract/money/coins.ts'
import { cryptoWithdrawal } from '../../../contract/money/withdrawals.ts'

/** Also checks that the address is valid on the network. */
export const cryptoWithdrawalForm = cryptoWithdrawal.check(({ value, issues }) => {
  const problem = findAddressProblem(value.network, value.address)
  if (problem !== null) issues.push({ code: 'custom', message: problem, path: ['address'], input: value })
})

export type AddressVerdict = { state: 'open' } | { state: 'wrong'; problem: string } | { state: 'right' }

/** `open` while the network or the address is missing. */
export function checkAddress(network: Network | null, address: string): AddressVerdict {
  const text = address.trim()
  if (network === null || text === '') return { state: 'open' }
  const problem = findAddressProblem(network, text)
  return problem === null ? { state: 'right' } : { state: 'wrong', problem }
}
