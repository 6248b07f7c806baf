import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { fileDeposit } from '../../test/support/filing.ts'
import { call } from '../../test/support/http.ts'
import { newInvestor, type Person } from '../../test/support/people.ts'

function keysOf({ id }: Person): Promise<number | null> {
  return env.DB.prepare('SELECT count(*) AS n FROM idempotency WHERE user_id = ?').bind(id).first<number>('n')
}

test('a refused request leaves no row, however long its path or key', async () => {
  const ana = await newInvestor()
  const key = 'k'.repeat(255)
  const tries: readonly [path: string, json: object, status: number][] = [
    [`/deposits/${'a'.repeat(15_000)}/cancel`, {}, 404],
    [`/deposits/${'a'.repeat(199)}/cancel`, {}, 404],
    ['/withdrawals', { amount: 'much' }, 422],
    ['/withdrawals', { amount: '1', type: 'bitcoin', network: 'btc', address: 'a'.repeat(20_000) }, 422],
    ['/allocations', { strategy: 'none', amount: '1' }, 422],
  ]
  for (const [path, json, status] of tries) {
    const reply = await call('POST', path, { token: ana.token, json, idempotencyKey: key })
    expect([path.slice(0, 20), reply.status]).toEqual([path.slice(0, 20), status])
    expect(await keysOf(ana)).toBe(0)
  }
  const broken = await call('POST', '/withdrawals', {
    token: ana.token,
    raw: '{',
    headers: { 'Content-Type': 'application/json' },
    idempotencyKey: key,
  })
  expect([broken.status, await keysOf(ana)]).toEqual([400, 0])
  await env.DB.prepare("UPDATE users SET frozen_at = 1, frozen_reason = 'A test' WHERE id = ?")
    .bind(ana.id)
    .run()
  const frozen = await fileDeposit(ana, {}, { idempotencyKey: key })
  expect([frozen.body.code, await keysOf(ana)]).toEqual(['account_frozen', 0])
})

test('an account has twenty running requests at most, and what crashed is forgotten after a minute', async () => {
  const ana = await newInvestor()
  const ben = await newInvestor()
  const crash = (from: number, atMs: number) =>
    env.DB.batch(
      Array.from({ length: 20 }, (_, i) =>
        env.DB.prepare(
          "INSERT INTO idempotency (user_id, key, state, claim, at) VALUES (?, ?, 'running', 'x', ?)",
        ).bind(ana.id, `crashed-${from + i}`, atMs),
      ),
    )
  await crash(0, Date.now())
  await expect(crash(20, Date.now())).rejects.toThrow('too_many_requests')
  const refused = await fileDeposit(ana, {}, { idempotencyKey: 'one-more' })
  expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
  expect((await fileDeposit(ben, {}, { idempotencyKey: 'one-more' })).status).toBe(201)
  await env.DB.prepare('UPDATE idempotency SET at = ? WHERE user_id = ?')
    .bind(Date.now() - 61_000, ana.id)
    .run()
  expect((await fileDeposit(ana, {}, { idempotencyKey: 'one-more' })).status).toBe(201)
  // The answer alone is left.
  expect(await keysOf(ana)).toBe(1)
})
