import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { listTickedRoles, requireRoleChange, roleBoxes, toRoleBoxes } from './RolesForm.tsx'

test('roles become boxes and boxes roles', () => {
  expect(listTickedRoles(toRoleBoxes(['auditor', 'reviewer']))).toEqual(['reviewer', 'auditor'])
})

test('no role, and the roles somebody has, are refused beside the first box', () => {
  const schema = z.object({ ...roleBoxes, reason: z.string() }).check(requireRoleChange(['reviewer']))
  const problems = (roles: Parameters<typeof toRoleBoxes>[0]) =>
    schema
      .safeParse({ ...toRoleBoxes(roles), reason: 'A test' })
      .error?.issues.map(({ path, message }) => [path.join('.'), message])
  expect(problems([])).toEqual([['reviewer', 'Please choose at least one role']])
  expect(problems(['reviewer'])).toEqual([
    ['reviewer', 'They already have these roles: please choose others'],
  ])
  expect(problems(['reviewer', 'treasurer'])).toBeUndefined()
})
