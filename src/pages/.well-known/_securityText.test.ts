import { expect, test } from 'vitest'
import { renderSecurityText } from './security.txt.ts'

test('security.txt says whom to tell, and holds for a year from the day of the build', () => {
  const where = { origin: 'https://evenkeel.example', supportEmail: 'support@evenkeel.example' }
  expect(renderSecurityText(where, Date.UTC(2026, 10, 21, 15, 30)).split('\n')).toEqual([
    'Contact: mailto:support@evenkeel.example',
    'Contact: https://evenkeel.example/contact-us',
    'Expires: 2027-11-21T00:00:00Z',
    'Preferred-Languages: en',
    'Canonical: https://evenkeel.example/.well-known/security.txt',
    '',
  ])
})
