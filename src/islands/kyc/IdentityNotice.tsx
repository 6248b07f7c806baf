import { ButtonLink } from '../../design/ButtonLink.tsx'
import { Notice } from '../../design/Notice.tsx'
import type { Standing } from './standing.ts'

interface IdentityNoticeProps {
  /** Null when it could not be loaded: the server will say what is missing. */
  standing: Standing | null
  /** The server has just refused for this reason. */
  refused?: boolean
}

/** Before a form that needs an approved identity: says what is still missing, and leads there. Nothing once it is approved. */
export function IdentityNotice({ standing, refused = false }: IdentityNoticeProps) {
  const state = standing?.state ?? 'missing'
  if (!refused && (standing === null || state === 'approved')) return null
  const isPending = state === 'pending'
  return (
    <Notice
      tone={refused ? 'danger' : 'caution'}
      live={refused}
      title={isPending ? 'Your identity is being checked' : 'Please verify your identity first'}
      actions={
        <ButtonLink href="/dashboard/kyc" size="small">
          {isPending ? 'See how far it is' : 'Verify your identity'}
        </ButtonLink>
      }
    >
      Depositing and withdrawing both need an approved identity, so that nobody can pay in and then find the
      way out closed.
    </Notice>
  )
}
