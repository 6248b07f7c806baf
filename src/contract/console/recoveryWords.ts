import type { FactorRecovery } from './factorRecoveries.ts'

/** The status of a request, and its next step. */
export function describeRecoveryStatus({
  status,
  proposal,
}: Pick<FactorRecovery, 'status' | 'proposal'>): string {
  switch (status) {
    case 'filed':
      return 'Waiting for a reviewer'
    case 'proposed':
      return `Proposed by ${proposal?.proposedBy ?? 'a reviewer'}, waiting for a second reviewer`
    case 'approved':
      return 'Approved: removed after 72 hours'
    case 'completed':
      return 'Removed'
    case 'stopped':
      return 'Stopped by the investor'
    case 'rejected':
      return 'Rejected'
  }
}

/** The second factors of an account: "Authenticator app and passkeys". */
export function describeFactors(methods: FactorRecovery['methods']): string {
  const hasApp = methods.includes('totp')
  if (methods.includes('passkey')) return hasApp ? 'Authenticator app and passkeys' : 'Passkeys'
  return hasApp ? 'Authenticator app' : 'None'
}
