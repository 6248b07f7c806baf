import { expect, test } from 'vitest'
import type { Key } from '../src/contract/identity/keys.ts'
import { listKeyExamples } from '../src/pages/_site/api/keyGuide.ts'
import { DAY_MS } from '../src/time.ts'
import { callWith } from './support/app.ts'
import { call, ORIGIN } from './support/http.ts'
import { newInvestor } from './support/people.ts'

test('each request of the examples in /docs/keys is answered', async () => {
  const { token, password } = await newInvestor({ availableCents: 100_00 })
  const until = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)
  const json = { kind: 'program', name: 'Examples', until, password }
  const key = (await call<Key>('POST', '/users/keys', { token, json })).body.key ?? ''
  for (const { title, code } of listKeyExamples(ORIGIN)) {
    expect(code).toMatch(/Authorization["']?(?:: | = )["']Bearer |Authorization: Bearer \$KEY/)
    const paths = [...code.matchAll(/\/api\/v1(\/[^'"\s]+)|read\("(\/[^"]+)"\)/g)].map(
      ([, url, path]) => url ?? path ?? '',
    )
    expect([title, paths.length > 0]).toEqual([title, true])
    for (const path of paths) {
      const { status, body } = await callWith<unknown>({}, 'GET', path, { token: key })
      expect([title, path, status]).toEqual([title, path, 200])
      if (path === '/users/balances')
        expect(body).toMatchObject({ totalBalance: 100, available: 100, at: expect.any(String) })
    }
  }
})
