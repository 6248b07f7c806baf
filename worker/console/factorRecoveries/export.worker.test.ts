import { expect, test } from 'vitest'
import { send } from '../../../test/support/http.ts'
import { as } from '../../../test/support/operating.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'
import { filedRecovery } from '../../../test/support/recovery.ts'
import { newTotpSecret } from '../../lib/crypto/totp.ts'

test('reports of lost factors are found by the name, and exported in words', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ name: 'Ana Lostphone', totpSecret: newTotpSecret() })
  const [id, other] = [await filedRecovery(ana), await filedRecovery()]
  const { body } = await as<{ _id: string }[]>(operator, 'GET', '/operator/factor-recoveries?query=lostph')
  expect(body.map(({ _id }) => _id)).toEqual([id])
  const download = async (query: string) =>
    (await send('GET', `/operator/factor-recoveries?format=csv&${query}`, { token: operator.token })).text()
  const file = await download(`ids=${id}`)
  expect(file).toContain('"Waiting for a reviewer"')
  expect(file).toContain('"Authenticator app"')
  expect(file).toContain('"Ana Lostphone"')
  expect([file.includes(id), file.includes(other)]).toEqual([true, false])
  expect(await download('status=open')).toContain(other)
  await as(operator, 'POST', `/operator/factor-recoveries/${id}/reject`, { reason: 'Another person' })
  expect(await download(`ids=${id}`)).toMatch(
    new RegExp(`"Decided by","Decided \\(UTC\\)"[^]*"Rejected by ${operator.name} ([^"]+)","\\1"`),
  )
})
