import { ROLES_OF_PROPOSALS, type Role } from '../../../contract/console/roles.ts'

/**
 * What is proposed on the screen of proposals. Receiving wallets, settings and operators are proposed where they stand, a
 * reviewer’s key where it is made.
 */
export const PROPOSABLE = ['bonus', 'reversal', 'announcement'] as const
export type Proposable = (typeof PROPOSABLE)[number]

/** What of it these roles propose. */
export function proposableBy(roles: readonly Role[]): Proposable[] {
  return PROPOSABLE.filter((kind) => {
    const proposers: readonly Role[] = ROLES_OF_PROPOSALS[kind]
    return roles.some((role) => proposers.includes(role))
  })
}
