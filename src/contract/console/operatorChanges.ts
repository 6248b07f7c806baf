import * as z from 'zod/mini'
import { factorFields } from '../identity/factorProof.ts'
import { emailField, optionalText, requiredText } from '../text.ts'
import { REASON } from './bodies.ts'
import { ROLES } from './roles.ts'

/** What two administrators decide about an operator. */
export const OPERATOR_ACTIONS = ['invite', 'roles', 'enable', 'reset_factor'] as const
export type OperatorAction = (typeof OPERATOR_ACTIONS)[number]

const ROLES_PROBLEM = 'Please choose at least one role of reviewer, treasurer, administrator, auditor'

/** At least one role; each once, in the order of the list. */
const rolesField = z.pipe(
  z
    .array(z.enum(ROLES, { error: ROLES_PROBLEM }), { error: ROLES_PROBLEM })
    .check(z.minLength(1, ROLES_PROBLEM), z.maxLength(20, ROLES_PROBLEM)),
  z.transform((chosen) => ROLES.filter((role) => chosen.includes(role))),
)

const whom = { operator: requiredText('Please name the operator', 100) }
const why = { reason: requiredText(REASON, 500) }

export const invitationFields = {
  email: emailField(),
  name: requiredText('Please give the name', 100),
  roles: rolesField,
  reason: optionalText(500),
}
export const rolesFields = { roles: rolesField, ...why }

const KIND = { kind: z.literal('operator'), ...factorFields }

/** The same as a proposal. */
export const operatorProposal = z.discriminatedUnion(
  'action',
  [
    z.object({ ...KIND, action: z.literal('invite'), ...invitationFields }),
    z.object({ ...KIND, action: z.literal('roles'), ...whom, ...rolesFields }),
    z.object({ ...KIND, action: z.literal('enable'), ...whom, ...why }),
    z.object({ ...KIND, action: z.literal('reset_factor'), ...whom, ...why }),
  ],
  { error: 'action is one of invite, roles, enable, reset_factor' },
)
export type OperatorProposal = z.output<typeof operatorProposal>
