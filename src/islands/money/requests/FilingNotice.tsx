import { ButtonLink } from '../../../design/Button.tsx'
import { Notice } from '../../../design/Notice.tsx'
import type { Obstacle, Queue } from './limits.ts'

export interface FilingNoticeProps {
  obstacle: Obstacle
  queue: Queue
  /** Whether the server has just refused a request for this reason. */
  refused?: boolean
}

/** Why a request would be refused, with a link to what can be done about it. */
export function FilingNotice({ obstacle, queue, refused = false }: FilingNoticeProps) {
  const { title, text, href, leads } = words(obstacle, queue)
  return (
    <Notice
      tone={refused ? 'danger' : obstacle === 'empty' ? 'info' : 'caution'}
      live={refused}
      title={title}
      actions={
        <ButtonLink href={href} size="small">
          {leads}
        </ButtonLink>
      }
    >
      {text}
    </Notice>
  )
}

const WHY_IDENTITY =
  'Depositing and withdrawing both need an approved identity, so that nobody can pay in and then find the way out closed.'

function words(obstacle: Obstacle, queue: Queue): Record<'title' | 'text' | 'href' | 'leads', string> {
  switch (obstacle) {
    case 'frozen':
      return {
        title: 'Your account is frozen',
        text: 'You can read everything and cancel what is pending, but no money can be moved in or out. Support can tell you why.',
        href: '/contact-us',
        leads: 'Write to support',
      }
    case 'none':
      return {
        title: 'Please verify your identity first',
        text: WHY_IDENTITY,
        href: '/dashboard/kyc',
        leads: 'Verify your identity',
      }
    case 'rejected':
      return {
        title: 'Please verify your identity again',
        text: `Your document was not accepted. ${WHY_IDENTITY}`,
        href: '/dashboard/kyc',
        leads: 'See why, and verify your identity',
      }
    case 'pending':
      return {
        title: 'Your identity is being checked',
        text: WHY_IDENTITY,
        href: '/dashboard/kyc',
        leads: 'See how far it is',
      }
    case 'full':
      return {
        title: `You have as many open ${queue} as there can be`,
        text: 'Please wait until one is decided, or cancel one in your transaction history.',
        href: '/dashboard/transaction-history',
        leads: 'Transaction History',
      }
    case 'empty':
      return {
        title: 'There is nothing to withdraw right now',
        text: 'What is credited to you appears here. What is held for open withdrawals or invested is not available meanwhile.',
        href: '/dashboard/deposit',
        leads: 'Deposit',
      }
  }
}
