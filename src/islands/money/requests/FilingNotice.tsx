import { ButtonLink } from '../../../design/Button.tsx'
import { Notice } from '../../../design/Notice.tsx'
import type { Obstacle, Queue } from './limits.ts'

export interface FilingNoticeProps {
  obstacle: Obstacle
  queue: Queue
  /** Whether the server has just refused a request for this reason. */
  refused?: boolean
  /** Whether its link is the main action of the screen. */
  prominent?: boolean
}

/** Why a request would be refused, with a link to what can be done about it. */
export function FilingNotice({ obstacle, queue, refused = false, prominent = false }: FilingNoticeProps) {
  const { title, text, href, leads } = describeObstacle(obstacle, queue)
  return (
    <Notice
      tone={refused ? 'danger' : obstacle === 'empty' || obstacle === 'invested' ? 'info' : 'caution'}
      live={refused}
      title={title}
      actions={
        <ButtonLink
          href={href}
          size={prominent ? 'medium' : 'small'}
          variant={prominent ? 'primary' : 'secondary'}
        >
          {leads}
        </ButtonLink>
      }
    >
      {text}
    </Notice>
  )
}

function describeIdentityStep(queue: Queue): string {
  return queue === 'deposits'
    ? 'The address to pay to appears here once your identity is approved. This tab keeps the coin and the amount.'
    : 'Deposits and withdrawals both need an approved identity.'
}

function describeObstacle(
  obstacle: Obstacle,
  queue: Queue,
): Record<'title' | 'text' | 'href' | 'leads', string> {
  switch (obstacle) {
    case 'frozen':
      return {
        title: 'Your account is frozen',
        text: 'You can read everything and cancel pending requests. No money can move in or out.',
        href: '/contact-us',
        leads: 'Write to support',
      }
    case 'none':
      return {
        title: 'Please verify your identity first',
        text: describeIdentityStep(queue),
        href: '/dashboard/kyc',
        leads: 'Verify your identity',
      }
    case 'rejected':
      return {
        title: 'Please verify your identity again',
        text: `Your document was not accepted. ${describeIdentityStep(queue)}`,
        href: '/dashboard/kyc',
        leads: 'Verify your identity',
      }
    case 'pending':
      return {
        title: 'Your identity is being checked',
        text: describeIdentityStep(queue),
        href: '/dashboard/kyc',
        leads: 'See its status',
      }
    case 'address':
      return {
        title: 'Please prove your address first',
        text: 'Together with your earlier withdrawals, this one is above the amount from which we ask for a proof of address.',
        href: '/dashboard/kyc',
        leads: 'Prove your address',
      }
    case 'full':
      return {
        title: `You have as many open ${queue} as there can be`,
        text: 'Wait until one is decided, or cancel one.',
        href: '/dashboard/transaction-history',
        leads: 'Transaction History',
      }
    case 'empty':
      return {
        title: 'There is nothing to withdraw right now',
        text: 'Money that is held or invested is not available.',
        href: '/dashboard/deposit',
        leads: 'Deposit',
      }
    case 'invested':
      return {
        title: 'There is nothing to withdraw right now',
        text: 'Your money is in strategies. Redeem it first.',
        href: '/dashboard/strategies',
        leads: 'Redeem',
      }
  }
}
