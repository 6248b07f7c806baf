import { addressProblem } from '../../../contract/money/addresses.ts'
import type { Network } from '../../../contract/money/coins.ts'
import { cryptoWithdrawal } from '../../../contract/money/withdrawals.ts'

/** The fields of a withdrawal by cryptocurrency whose address is one of the network. */
export const cryptoWithdrawalForm = cryptoWithdrawal.check(({ value, issues }) => {
  const problem = addressProblem(value.network, value.address)
  if (problem !== null) issues.push({ code: 'custom', message: problem, path: ['address'], input: value })
})

/** What can be told of an address as it stands: nothing, what is wrong with it, or that a wallet would take it. */
export type AddressVerdict = { state: 'open' } | { state: 'wrong'; problem: string } | { state: 'right' }

/** Looks at the address for this network; while the network is null, or nothing is typed, it is open. */
export function addressVerdict(network: Network | null, address: string): AddressVerdict {
  const text = address.trim()
  if (network === null || text === '') return { state: 'open' }
  const problem = addressProblem(network, text)
  return problem === null ? { state: 'right' } : { state: 'wrong', problem }
}
