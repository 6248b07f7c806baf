import type { Proposal } from '../../../contract/console/proposals.ts'
import { ROLES_OF_PROPOSALS, type Role } from '../../../contract/console/roles.ts'
import { neededOf } from '../cases/roleWords.ts'
import type { Operator } from '../cases/useOperator.ts'

/** Why an operator may not approve a proposal, or not reject it, each as a sentence; undefined where they may. */
export function closedTo(
  me: Operator['me'],
  { kind, proposedBy }: Pick<Proposal, 'kind' | 'proposedBy'>,
): { approve: string | undefined; reject: string | undefined } {
  const roles: readonly Role[] = ROLES_OF_PROPOSALS[kind]
  const lacking = me?.roles.some((role) => roles.includes(role)) ? undefined : neededOf(roles)
  const isOwn = me?._id === proposedBy._id
  return { approve: lacking ?? (isOwn ? OWN : undefined), reject: lacking }
}

const OWN = 'You proposed it: another operator has to approve it. You may take it back by rejecting it.'
