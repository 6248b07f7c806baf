import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { ORIGIN } from '../../../../test/support/http.ts'
import development from '../../index.ts'

async function seed(path: string): Promise<number> {
  const context = createExecutionContext()
  const request = new Request(`${ORIGIN}/api/v1/dev/${path}`, { method: 'POST' })
  const { status } = await development.fetch(request, env, context)
  await waitOnExecutionContext(context)
  return status
}

const count = async (from: string) =>
  (await env.DB.prepare(`SELECT count(*) AS rows FROM ${from}`).first<{ rows: number }>())?.rows

test('the busy day has what it promises, and is added once', async () => {
  expect(await seed('seed')).toBe(200)
  const before = { requests: (await count('requests')) ?? 0 }
  const making = seed('seed/busy')
  // Nobody signs in meanwhile.
  await vi.waitFor(async () => expect(await seed('seed')).toBe(503))
  expect(await making).toBe(200)
  const busy = "(SELECT id FROM users WHERE email LIKE '%@busy.example')"
  const counts = {
    people: await count(busy),
    passports: await count(`kyc_submissions WHERE user_id IN ${busy}`),
    'waiting passports': await count("kyc_submissions WHERE status = 'pending'"),
    deposits: await count(`requests WHERE queue = 'deposits' AND investor IN ${busy}`),
    'waiting deposits': await count(
      `requests WHERE queue = 'deposits' AND status = 'pending' AND investor IN ${busy}`,
    ),
    withdrawals: await count(`requests WHERE queue = 'withdrawals' AND investor IN ${busy}`),
    'waiting withdrawals': await count("requests WHERE queue = 'withdrawals' AND status = 'pending'"),
    'approved withdrawals': await count("requests WHERE queue = 'withdrawals' AND status = 'approved'"),
    messages: await count("contact_messages WHERE status = 'open'"),
    'lost factors': await count('factor_recoveries WHERE filed_at IS NOT NULL AND ended_at IS NULL'),
    closures: await count('users WHERE closed_at IS NOT NULL'),
    'accounts locked by their owner': await count('users WHERE locked_at IS NOT NULL'),
    'accounts frozen by an operator': await count('users WHERE frozen_at IS NOT NULL AND locked_at IS NULL'),
    proposals: await count("proposals WHERE status = 'pending'"),
    'first approvals of credits, with a quantity': await count(
      "credit_approvals c JOIN requests r ON r.id = c.request WHERE r.status = 'pending' AND c.quantity > 0",
    ),
    'unknown payments': await count('unknown_receipts WHERE closed_at IS NULL'),
    assigned: await count('case_assignments'),
    'notes of handovers': await count('handover_notes'),
    'notes about investors': await count(`investor_notes WHERE author <> 'system' AND investor IN ${busy}`),
  }
  expect(counts).toEqual({
    people: 28,
    passports: 25,
    'waiting passports': 12,
    deposits: 30,
    'waiting deposits': 18,
    withdrawals: 17,
    'waiting withdrawals': 13,
    'approved withdrawals': 3,
    messages: 11,
    'lost factors': 3,
    closures: 2,
    'accounts locked by their owner': 1,
    'accounts frozen by an operator': 1,
    proposals: 6,
    'first approvals of credits, with a quantity': 1,
    'unknown payments': 2,
    assigned: 3,
    'notes of handovers': 2,
    'notes about investors': 10,
  })
  expect(await count('requests')).toBe(before.requests + 47)
  expect(await seed('seed/busy')).toBe(409)
  expect(await count('requests')).toBe(before.requests + 47)
})
