import * as z from 'zod/mini'
import { ROLES, type Role } from '../../../contract/console/roles.ts'

/** A checkbox for each role, as a form has them. */
export const roleBoxes = {
  reviewer: z.boolean(),
  treasurer: z.boolean(),
  administrator: z.boolean(),
  auditor: z.boolean(),
} satisfies Record<Role, z.ZodMiniType<boolean>>

type RoleBoxes = Record<Role, boolean>

/** The boxes that are ticked for these roles. */
export function boxesOf(roles: readonly Role[]): RoleBoxes {
  return {
    reviewer: roles.includes('reviewer'),
    treasurer: roles.includes('treasurer'),
    administrator: roles.includes('administrator'),
    auditor: roles.includes('auditor'),
  }
}

/** The roles whose boxes are ticked, in the order of the list. */
export function rolesOf(boxes: RoleBoxes): Role[] {
  return ROLES.filter((role) => boxes[role])
}

/** Refuses no role and the present roles, together with the errors of other fields. */
export function choosesRoles(present: readonly Role[] = []) {
  return z.refine<RoleBoxes>((boxes) => isChange(rolesOf(boxes), present), {
    path: ['reviewer'],
    error: ({ input }) =>
      rolesOf(input as RoleBoxes).length === 0
        ? 'Please choose at least one role'
        : 'They have these roles already: please choose others',
    when: () => true,
  })
}

function isChange(chosen: readonly Role[], present: readonly Role[]): boolean {
  return chosen.length > 0 && chosen.join() !== ROLES.filter((role) => present.includes(role)).join()
}
