import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ROLES, ROLES_OF, type Role } from '../../../contract/roles.ts'
import { operatorLinks } from '../../../site.ts'
import { describeScopeRoles, joinRoles } from './roleWords.ts'

test('what is missing is said by the list that the server decides by', () => {
  expect(describeScopeRoles('operator:deposits.decide')).toBe('Needs the role of treasurer.')
  expect(describeScopeRoles('operator:investors.write')).toBe('Needs the role of reviewer or administrator.')
  expect(joinRoles(['reviewer', 'auditor'])).toBe('reviewer and auditor')
})

test('the menu has four groups, and shows each link to the roles that the server lets read its page', () => {
  expect([...new Set(operatorLinks.map(({ group }) => group))]).toEqual([
    'Work',
    'People',
    'Money',
    'Platform',
  ])
  const mayRead = (role: Role) =>
    operatorLinks
      .filter((link) => !('scope' in link) || ROLES_OF[link.scope].includes(role))
      .map(({ label }) => label)
  expect(mayRead('support')).toEqual(['My work', 'Messages', 'Investors', 'Settings'])
  expect(mayRead('compliance')).toEqual(
    operatorLinks.map(({ label }) => label).filter((label) => label !== 'Operators'),
  )
  const navigation = readFileSync('src/layouts/SideNavigation.astro', 'utf8')
  for (const role of ROLES) expect(navigation).toContain(`[data-for~='${role}']`)
})
