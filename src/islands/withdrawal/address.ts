import { useEffect, useState } from 'react'
import type { Network } from '../../contract/coins.ts'
import { cryptoWithdrawal } from '../../contract/withdrawals.ts'

/** The fields of a withdrawal by cryptocurrency, and that the address is one of the network once that can be told. */
export const cryptoWithdrawalForm = cryptoWithdrawal.check(({ value, issues }) => {
  const problem = checks?.addressProblem(value.network, value.address) ?? null
  if (problem !== null) issues.push({ code: 'custom', message: problem, path: ['address'], input: value })
})

/** What can be told of an address as it stands: nothing yet, what is wrong with it, or that a wallet would take it. */
export type AddressVerdict = { state: 'open' } | { state: 'wrong'; problem: string } | { state: 'right' }

const OPEN: AddressVerdict = { state: 'open' }

/** Looks at the address for this network; while the network is null, or nothing is typed, it is open. */
export function useAddressVerdict(network: Network | null, address: string): AddressVerdict {
  const [isReady, setReady] = useState(checks !== null)
  const isAsked = network !== null
  useEffect(() => {
    if (isAsked) void loadChecks().then(setReady)
  }, [isAsked])
  const text = address.trim()
  if (network === null || text === '' || !isReady || checks === null) return OPEN
  const problem = checks.addressProblem(network, text)
  return problem === null ? { state: 'right' } : { state: 'wrong', problem }
}

let checks: typeof import('../../contract/addresses.ts') | null = null

/**
 * Checksums take code that no other part of the page needs, so it comes once the network is known. Tells whether it did:
 * should it not, the server still checks.
 */
export async function loadChecks(): Promise<boolean> {
  checks ??= await import('../../contract/addresses.ts').catch(() => null)
  return checks !== null
}
