import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { ROLES } from '../../src/contract/roles.ts'
import { call } from './http.ts'
import { booksOf } from './money.ts'
import { newInvestor, newOperator } from './people.ts'

test('an investor is created in the requested state', async () => {
  const ana = await newInvestor({ availableCents: 12_345_67 })
  expect(await booksOf(ana.id)).toMatchObject({ available: 12_345_67, deposits: 12_345_67, held: 0 })
  const row = await env.DB.prepare('SELECT kyc_status, email_verified_at FROM users WHERE id = ?')
    .bind(ana.id)
    .first()
  expect(row).toMatchObject({ kyc_status: 'approved' })
})

test('an operator has every role and a second factor', async () => {
  const operator = await newOperator()
  const row = await env.DB.prepare(
    'SELECT operator_roles, enabled_at FROM users JOIN second_factors ON user_id = id WHERE id = ?',
  )
    .bind(operator.id)
    .first()
  expect(row).toMatchObject({ operator_roles: ROLES.join(' ') })
})

test('the Worker answers through its public door', async () => {
  expect(await call('GET', '/health')).toMatchObject({ status: 200, body: { status: 'ok' } })
})
