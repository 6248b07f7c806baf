import { expect, test } from 'vitest'
import { ROLES_OF } from '../../../contract/roles.ts'
import { operatorLinks } from '../../../site.ts'
import { describeScopeRoles, joinRoles } from './roleWords.ts'

test('what is missing is said by the list that the server decides by', () => {
  expect(describeScopeRoles('operator:deposits.decide')).toBe('Needs the treasurer’s role.')
  expect(describeScopeRoles('operator:investors.write')).toBe(
    'Needs the reviewer’s or the administrator’s role.',
  )
  expect(joinRoles(['reviewer', 'auditor'])).toBe('reviewer and auditor')
})

test('the navigation shows the operators to whom the server lets read them', () => {
  const link = operatorLinks.find(({ href }) => href === '/operator/operators')
  expect(link && 'roles' in link && link.roles.split(' ')).toEqual(ROLES_OF['operator:operators.read'])
})
