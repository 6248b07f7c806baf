import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import type { OperatorWallet, WalletsStatus } from '../../../src/contract/console/wallets.ts'
import { NETWORKS } from '../../../src/contract/money/coins.ts'
import type { Wallet } from '../../../src/contract/money/wallets.ts'
import { type Site, site } from '../../../src/site.ts'
import { DAY_MS } from '../../../src/time.ts'
import { fileDeposit } from '../../../test/support/filing.ts'
import type { AnyBody } from '../../../test/support/http.ts'
import { approveDeposit, approveProposal, as, propose } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Operator } from '../../../test/support/people.ts'
import {
  accountSigner,
  legacySigner,
  type Signer,
  segwitSigner,
  taprootSigner,
} from '../../../test/support/signers.ts'
import { newWallet, retireWallet, type WalletOptions } from '../../../test/support/wallets.ts'
import { newId } from '../../lib/crypto/tokens.ts'

const run = (sql: string, ...parameters: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...parameters)
    .run()

async function rowOf(by: Operator, id: string): Promise<OperatorWallet> {
  const { body } = await as<OperatorWallet[]>(by, 'GET', '/operator/wallets?limit=100')
  const row = body.find(({ _id }) => _id === id)
  if (row === undefined) throw new Error('The wallet is not in the list.')
  return row
}

/** A wallet whose key the test holds, and one message that was issued for it. */
async function issued(by: Operator, signer: Signer, options: WalletOptions = {}) {
  const wallet = await newWallet({ address: signer.address, ...options })
  const path = `/operator/wallets/${wallet.id}`
  const { status, body } = await as<{ message: string; expiresAt: string }>(by, 'POST', `${path}/challenge`)
  expect(status).toBe(201)
  return {
    wallet,
    ...body,
    prove: (fields: object) => as<OperatorWallet>(by, 'POST', `${path}/proof`, fields),
  }
}

describe('a receiving wallet', () => {
  test('shows who proposed, approved and retired it, and its payments', async () => {
    const [first, second] = [await newOperator({ name: 'First' }), await newOperator({ name: 'Second' })]
    const ana = await newInvestor()
    const { address } = segwitSigner('history')
    const made = await propose(first, {
      kind: 'wallet',
      walletName: 'bitcoin',
      network: 'btc',
      address,
      reason: 'The new vault',
    })
    const standing = await as<WalletsStatus>(second, 'GET', '/operator/wallets/standing')
    expect(standing.body.proposals).toContainEqual({
      _id: made.body._id,
      walletName: 'bitcoin',
      network: 'btc',
      address,
      createdAt: expect.stringMatching(/Z$/),
      proposedBy: { _id: first.id, name: 'First' },
    })
    await approveProposal(second, made.body._id)
    const [wallet] = (await as<OperatorWallet[]>(first, 'GET', '/operator/wallets?status=active&limit=1'))
      .body
    expect(wallet).toMatchObject({
      address,
      checksum: { isRight: true, words: 'bech32, main network' },
      reason: 'The new vault',
      steps: [
        { step: 'proposed', by: { name: 'First' } },
        { step: 'approved', by: { name: 'Second' } },
      ],
      paid: { waiting: 0, deposits: 0, credited: 0 },
      proof: null,
      challenge: null,
    })
    const id = wallet?._id ?? ''
    const filed = [
      await fileDeposit(ana, { paymentTo: address, amount: '100' }),
      await fileDeposit(ana, { paymentTo: address, amount: '50.50' }),
      await fileDeposit(ana, { paymentTo: address, amount: '7' }),
    ].map(({ body }) => body._id)
    expect((await rowOf(first, id)).paid).toEqual({ waiting: 3, deposits: 0, credited: 0 })
    await approveDeposit(first, filed[0] ?? '')
    await approveDeposit(first, filed[1] ?? '', { amount: '49.25' })
    await as(first, 'POST', `/operator/deposits/${filed[2]}/reject`, { reason: 'Nothing came' })
    expect((await rowOf(first, id)).paid).toEqual({ waiting: 0, deposits: 2, credited: 149.25 })
    const reversal = await propose(first, { kind: 'reversal', request: filed[0], reason: 'Not ours' })
    await approveProposal(second, reversal.body._id)
    expect((await rowOf(first, id)).paid).toEqual({ waiting: 0, deposits: 1, credited: 49.25 })

    await as(second, 'POST', `/operator/wallets/${id}/retire`)
    expect(await rowOf(first, id)).toMatchObject({
      active: false,
      retiredAt: expect.stringMatching(/Z$/),
      steps: [{}, {}, { step: 'retired', by: { _id: second.id, name: 'Second' } }],
      paid: { deposits: 1, credited: 49.25 },
    })
    for (const [query, isThere] of [
      ['status=active', false],
      ['status=retired', true],
      ['status=', true],
      ['coin=bitcoin', true],
      ['coin=ethereum', false],
      ['amountFrom=49.25&amountTo=49.25', true],
      ['amountFrom=49.26', false],
      ['to=2001-01-01', false],
    ] as const) {
      const { body } = await as<OperatorWallet[]>(first, 'GET', `/operator/wallets?${query}&limit=100`)
      expect([query, body.some(({ _id }) => _id === id)]).toEqual([query, isThere])
    }
    for (const query of ['status=gone', 'coin=gold', 'amountFrom=2&amountTo=1'])
      expect((await as(first, 'GET', `/operator/wallets?${query}`)).status).toBe(422)
  })

  test('is missing, or there twice, and the standing says so for each network', async () => {
    const operator = await newOperator()
    for (const { id } of (
      await env.DB.prepare('SELECT id FROM wallets WHERE retired_at IS NULL').all<{ id: string }>()
    ).results)
      await retireWallet({ id })
    const older = await newWallet({ network: 'eth' })
    const newer = await newWallet({ network: 'eth' })
    const { networks } = (await as<WalletsStatus>(operator, 'GET', '/operator/wallets/standing')).body
    expect(networks.map(({ network }) => network)).toEqual(NETWORKS)
    expect(networks.find(({ network }) => network === 'eth')).toEqual({
      network: 'eth',
      walletName: 'ethereum',
      offered: 2,
      address: newer.address,
      leftOver: 0,
    })
    expect(networks.find(({ network }) => network === 'btc')).toMatchObject({ offered: 0, address: null })
    await retireWallet(newer)
    const after = (await as<WalletsStatus>(operator, 'GET', '/operator/wallets/standing')).body
    expect(after.networks.find(({ network }) => network === 'eth')).toMatchObject({
      offered: 1,
      address: older.address,
    })
  })

  test('only a treasurer with access retires it, also by SQL', async () => {
    const { id } = await newWallet()
    const [ana, gone] = [await newInvestor(), await newOperator()]
    const auditor = await newOperator({ roles: ['auditor'] })
    await run('UPDATE users SET disabled_at = 1, disabled_by = id WHERE id = ?', gone.id).catch(
      () => undefined,
    )
    for (const by of [ana.id, auditor.id, null])
      await expect(
        run('UPDATE wallets SET retired_at = 1, retired_by = ? WHERE id = ?', by, id),
      ).rejects.toThrow('forbidden')
    expect((await as(auditor, 'POST', `/operator/wallets/${id}/retire`)).status).toBe(403)
  })
})

describe('once money is real', () => {
  const live = async (act: () => Promise<void>) => {
    const { mode } = site
    const changing = site as { mode: Site['mode'] }
    changing.mode = 'live'
    try {
      await act()
    } finally {
      changing.mode = mode
    }
  }

  test('in live mode nobody is sent to a simulated wallet, or credited for naming one', async () => {
    const ana = await newInvestor()
    const operator = await newOperator()
    const simulated = await newWallet({ network: 'btc', simulated: true })
    const real = await newWallet({ network: 'btc', simulated: false })
    const offered = async () => {
      const { body } = await as<Wallet[]>(ana, 'GET', '/admin-wallets?limit=100')
      return [simulated, real].map(({ id }) => body.some(({ _id }) => _id === id))
    }
    expect(await offered()).toEqual([true, true])
    await live(async () => {
      expect(await offered()).toEqual([false, true])
      const refused = await fileDeposit(ana, { paymentTo: simulated.address })
      expect([refused.status, Object.keys((refused.body as AnyBody).fields ?? {})]).toEqual([
        422,
        ['paymentTo'],
      ])
      expect((await fileDeposit(ana, { paymentTo: real.address })).status).toBe(201)
      const { networks } = (await as<WalletsStatus>(operator, 'GET', '/operator/wallets/standing')).body
      const bitcoin = networks.find(({ network }) => network === 'btc')
      expect(bitcoin?.address).toBe(real.address)
      expect(bitcoin?.leftOver).toBeGreaterThan(0)
    })
  })

  test('a wallet is real when it is decided then, and stays simulated when it was decided before', async () => {
    const [first, second] = [await newOperator(), await newOperator()]
    const decided = async () => {
      const { address } = segwitSigner(newId())
      const made = await propose(first, { kind: 'wallet', walletName: 'bitcoin', network: 'btc', address })
      await approveProposal(second, made.body._id)
      const [row] = (await as<OperatorWallet[]>(first, 'GET', '/operator/wallets?limit=1')).body
      return row
    }
    const before = await decided()
    // In live mode operators' acts take a passkey.
    await env.DB.prepare("UPDATE sessions SET factor_at = ?, factor_by = 'passkey' WHERE user_id IN (?, ?)")
      .bind(Date.now(), first.id, second.id)
      .run()
    await live(async () => {
      expect((await decided())?.simulated).toBe(false)
      expect((await rowOf(first, before?._id ?? '')).simulated).toBe(true)
    })
  })
})

describe('a proof of control', () => {
  test.each([
    ['bip322', 'btc', segwitSigner],
    ['bip322', 'btc', taprootSigner],
    ['bip137', 'btc', legacySigner],
    ['eip191', 'usdt-bsc', accountSigner],
    ['tip191', 'usdt-trc20', (word: string) => accountSigner(word, 'tron')],
  ] as const)('is taken by %s on %s, and stays with the wallet', async (method, network, signerOf) => {
    const operator = await newOperator({ name: 'Tess' })
    const signer = signerOf(newId())
    const { wallet, message, expiresAt, prove } = await issued(operator, signer, { network })
    expect(message).toContain(` at ${signer.address}. `)
    expect(message).toMatch(new RegExp(`^${new URL(env.PUBLIC_ORIGIN).host} receives [\\x20-\\x7e]+$`))
    expect((await rowOf(operator, wallet.id)).challenge).toEqual({ message, expiresAt })
    const signature = signer.sign(message)
    const proved = await prove({ message, signature })
    expect([proved.status, proved.body.proof]).toEqual([
      200,
      {
        at: expect.stringMatching(/Z$/),
        by: { _id: operator.id, name: 'Tess' },
        method,
        message,
        signature,
      },
    ])
    expect(await rowOf(operator, wallet.id)).toEqual(proved.body)
    expect(proved.body.challenge).toBeNull()
    expect(await prove({ message, signature })).toMatchObject({
      status: 409,
      body: { code: 'already_decided' },
    })
  })

  test('a proof signs the unchanged message for this wallet in time', async () => {
    const operator = await newOperator()
    const [signer, other] = [segwitSigner(newId()), segwitSigner(newId())]
    const { wallet, message, prove } = await issued(operator, signer)
    const foreign = await issued(operator, other)
    const refused = async (fields: object) => {
      const { status, body } = await prove(fields)
      return [status, ...Object.keys(body.fields ?? {})]
    }
    const own = 'I hold this key.'
    for (const [fields, field] of [
      [{ message: own, signature: signer.sign(own) }, 'message'],
      [{ message: foreign.message, signature: other.sign(foreign.message) }, 'message'],
      [{ message: foreign.message, signature: signer.sign(foreign.message) }, 'message'],
      [{ message: message.replace('2', '3'), signature: signer.sign(message) }, 'message'],
      [{ message, signature: other.sign(message) }, 'signature'],
      [{ message, signature: signer.sign(own) }, 'signature'],
      [{ message, signature: signer.sign(message).slice(0, -8) }, 'signature'],
      [{ message, signature: 'garbage' }, 'signature'],
      [{ message, signature: 'A'.repeat(1001) }, 'signature'],
      [{ message, signature: '\u0000' }, 'signature'],
      [{ message, signature: 5 }, 'signature'],
      [{ message: '🙂'.repeat(200), signature: signer.sign(message) }, 'message'],
      [{ signature: signer.sign(message) }, 'message'],
    ] as const)
      expect([fields, await refused(fields)]).toEqual([fields, [422, field]])
    expect((await prove({})).status).toBe(422)
    expect((await prove({ message, signature: 'A'.repeat(2_000_000) })).status).toBe(413)

    await run('DROP TRIGGER wallet_challenges_no_update')
    await run('UPDATE wallet_challenges SET created_at = 0, expires_at = 1 WHERE wallet = ?', wallet.id)
    expect((await rowOf(operator, wallet.id)).challenge).toBeNull()
    expect(await refused({ message, signature: signer.sign(message) })).toEqual([422, 'message'])
  })

  test('is not possible for a retired wallet or an address without a key', async () => {
    const operator = await newOperator()
    const signer = segwitSigner(newId())
    const { wallet, message, prove } = await issued(operator, signer)
    await retireWallet(wallet)
    expect((await rowOf(operator, wallet.id)).challenge).toBeNull()
    expect((await prove({ message, signature: signer.sign(message) })).status).toBe(409)
    expect((await as(operator, 'POST', `/operator/wallets/${wallet.id}/challenge`)).status).toBe(409)
    const sample = await newWallet({ network: 'eth' })
    expect((await as(operator, 'POST', `/operator/wallets/${sample.id}/challenge`)).status).toBe(409)
  })

  test('is attached by a treasurer, and read by everybody else', async () => {
    const treasurer = await newOperator()
    const signer = segwitSigner(newId())
    const { wallet, message } = await issued(treasurer, signer)
    const auditor = await newOperator({ roles: ['auditor'] })
    const path = `/operator/wallets/${wallet.id}`
    expect((await as(auditor, 'POST', `${path}/challenge`)).status).toBe(403)
    const signature = signer.sign(message)
    expect((await as(auditor, 'POST', `${path}/proof`, { message, signature })).status).toBe(403)
    expect((await rowOf(auditor, wallet.id)).challenge?.message).toBe(message)
  })

  test('a proof stays in the database for good, and only for its own wallet', async () => {
    const operator = await newOperator()
    const signer = segwitSigner(newId())
    const { wallet, message, prove } = await issued(operator, signer)
    const other = await newWallet()
    const challenge = await env.DB.prepare('SELECT id FROM wallet_challenges WHERE wallet = ?')
      .bind(wallet.id)
      .first<string>('id')
    const insert = `INSERT INTO wallet_proofs (wallet, challenge, method, signature, proved_by, proved_at)
      VALUES (?, ?, 'bip322', 'none', ?, ?)`
    const now = Date.now()
    await expect(run(insert, other.id, challenge, operator.id, now)).rejects.toThrow(
      'no open challenge for the wallet',
    )
    await expect(run(insert, wallet.id, challenge, operator.id, now + 8 * DAY_MS)).rejects.toThrow(
      'no open challenge',
    )
    await expect(run(insert, wallet.id, challenge, (await newInvestor()).id, now)).rejects.toThrow(
      'forbidden',
    )
    expect((await prove({ message, signature: signer.sign(message) })).status).toBe(200)
    await expect(run(insert, wallet.id, challenge, operator.id, now)).rejects.toThrow('already_decided')
    await expect(run("UPDATE wallet_proofs SET signature = 'other'")).rejects.toThrow('immutable')
    await expect(run('DELETE FROM wallet_proofs')).rejects.toThrow('never deleted')
    await expect(run('DELETE FROM wallet_challenges')).rejects.toThrow('never deleted')
  })
})
