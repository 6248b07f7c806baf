import { useEffect, useState } from 'react'
import type { Network } from '../../contract/coins.ts'
import { cryptoWithdrawal } from '../../contract/withdrawals.ts'

/** The fields of a withdrawal by cryptocurrency, and that the address is one of the network once that can be told. */
export const cryptoWithdrawalForm = cryptoWithdrawal.check(({ value, issues }) => {
  const problem = checks?.addressProblem(value.network, value.address) ?? null
  if (problem !== null) issues.push({ code: 'custom', message: problem, path: ['address'], input: value })
})

/** What is wrong with the address as it stands, undefined while nothing is. Null for the network asks nothing. */
export function useAddressProblem(network: Network | null, address: string): string | undefined {
  const [isReady, setReady] = useState(checks !== null)
  const text = address.trim()
  const isAsked = network !== null && text !== ''
  useEffect(() => {
    if (isAsked) void loadChecks().then(setReady)
  }, [isAsked])
  if (!isAsked || !isReady) return undefined
  return checks?.addressProblem(network, text) ?? undefined
}

let checks: typeof import('../../contract/addresses.ts') | null = null

/**
 * Checksums take code that no other part of the page needs, so it comes once an address is there. Tells whether it did:
 * should it not, the server still checks.
 */
export async function loadChecks(): Promise<boolean> {
  checks ??= await import('../../contract/addresses.ts').catch(() => null)
  return checks !== null
}
