import { ButtonLink } from '../../design/ButtonLink.tsx'
import { Notice } from '../../design/Notice.tsx'

/** The check is over, and well. */
export function Approved() {
  return (
    <Notice
      tone="success"
      title="Congratulations"
      actions={
        <ButtonLink href="/dashboard/deposit" size="small">
          Deposit
        </ButtonLink>
      }
    >
      Your identity is verified. Deposits and withdrawals are open to you.
    </Notice>
  )
}
