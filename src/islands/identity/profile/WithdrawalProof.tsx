import { useSession } from '../../lib/useSession.ts'

/** How a change of the sign-in affects withdrawals. Operators have none. */
export function WithdrawalProof({ needs = 'a code' }: { needs?: string }) {
  return useSession()?.role === 'operator' ? null : (
    <span>{`For 72 hours, each withdrawal needs ${needs}.`}</span>
  )
}
