import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SAMPLE_TOTP_SECRET } from '../../worker/dev/seed/sampleKeys.ts'
import { openVault } from '../../worker/lib/crypto/vault.ts'
import { listWeakFactors, listWeakSecrets, readSecrets } from './secretValues.ts'

const random = () => randomBytes(32).toString('base64')
const token = 'CG-9fQ2mLx7Rk4VtB81'

it('finds nothing in random, different secrets', () => {
  expect(listWeakSecrets({ VAULT_KEYS: `2:${random()},1:${random()}`, MARKET_API_KEY: token })).toEqual([])
})

it.each<[string, Record<string, string>]>([
  ['Version 1 of VAULT_KEYS is not random.', { VAULT_KEYS: `1:${Buffer.alloc(32, 1).toString('base64')}` }],
  [
    'Version 1 of VAULT_KEYS is not random.',
    { VAULT_KEYS: `1:${Buffer.from('correct horse battery staple 123').toString('base64')}` },
  ],
  ['VAULT_KEYS has an entry that is not', { VAULT_KEYS: 'a password' }],
  ['MARKET_API_KEY is empty.', { MARKET_API_KEY: '' }],
  ['RESEND_API_KEY is an example.', { RESEND_API_KEY: 're_your_key_of_resend' }],
  ['RESEND_API_KEY is too short', { RESEND_API_KEY: 're_12345' }],
  ['MARKET_API_KEY is too short, or too plain', { MARKET_API_KEY: 'a'.repeat(40) }],
  ['MARKET_API_KEY and RESEND_API_KEY are the same value.', { MARKET_API_KEY: token, RESEND_API_KEY: token }],
])('names a secret that is none, and shows nothing of it: %s', (what, values) => {
  const found = listWeakSecrets(values)
  expect(found).toEqual([expect.stringContaining(what)])
  for (const value of Object.values(values)) if (value !== '') expect(found.join()).not.toContain(value)
})

it('names one wrapping key under two versions', () => {
  const key = random()
  expect(listWeakSecrets({ VAULT_KEYS: `2:${key},1:${key}` })).toEqual([
    'version 2 of VAULT_KEYS and version 1 of VAULT_KEYS are the same value.',
  ])
})

it('names second factors of development, shared ones, and ones that the keys do not open', async () => {
  const vaultKeys = `1:${random()}`
  const sealed = async (user_id: string, secret: string, keys = vaultKeys) => ({
    user_id,
    secret_sealed: await openVault(keys).sealSmall(secret, `totp:${user_id}`),
  })
  const shared = 'KRSXG5BAMFXGIIDPORUGK4RANFXA'
  const factors = [
    await sealed('ana', shared),
    await sealed('ben', SAMPLE_TOTP_SECRET),
    await sealed('cal', shared),
    await sealed('dan', 'MZXW6YTBOI', `1:${random()}`),
    await sealed('eve', 'GEZDGNBVGY3TQOJQ'),
  ]
  expect(await listWeakFactors(vaultKeys, factors)).toEqual([
    'The second factor of ben is the one of development.',
    'ana and cal share one second factor.',
    'These VAULT_KEYS do not open the second factor of dan.',
  ])
  expect(await listWeakFactors('malformed', factors)).toEqual([])
})

it('reads secrets as .dev.vars and `wrangler secret bulk` have them', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'platform-secrets-'))
  const at = (name: string, text: string) => {
    writeFileSync(join(scratch, name), text)
    return readSecrets(join(scratch, name))
  }
  const values = { VAULT_KEYS: '1:a=', MARKET_API_KEY: 'b c' }
  expect(at('vars', '# a comment\nVAULT_KEYS=1:a=\n\nexport MARKET_API_KEY = "b c"\n')).toEqual(values)
  expect(at('json', JSON.stringify(values))).toEqual(values)
  expect(readSecrets(join(scratch, 'none'))).toEqual({})
  rmSync(scratch, { recursive: true })
})
