import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test } from 'vitest'
import type { Proposal } from '../../../src/contract/console/proposals.ts'
import type { WatchSigner, WatchWallet } from '../../../src/contract/console/watchWallets.ts'
import { approveProposal, as, propose } from '../../../test/support/operating.ts'
import { newOperator, type Operator } from '../../../test/support/people.ts'
import { newKeys, retireWatchWallet, type WatchKeys } from '../../../test/support/watchWallets.ts'

interface Challenge {
  readonly descriptor: string
  readonly message: string
  readonly signers: readonly WatchSigner[]
  readonly addresses: readonly string[]
  readonly warnings: readonly string[]
}

const challenge = (by: Operator, chain: string, descriptor: string) =>
  as<Challenge>(by, 'POST', '/operator/watch-wallets/challenge', { chain, descriptor })

async function proposed(
  by: Operator,
  chain: string,
  descriptor: string,
  sign: readonly ((message: string) => string)[],
) {
  const { body } = await challenge(by, chain, descriptor)
  const signatures = sign.map((each) => each(body.message))
  const { message } = body
  const fields = {
    kind: 'watch_wallet',
    chain,
    descriptor: body.descriptor,
    message,
    signatures,
    reason: 'Cold storage',
  }
  return { challenge: body, fields, reply: await propose(by, fields) }
}

afterEach(async () => {
  for (const chain of ['bitcoin', 'ethereum'] as const) await retireWatchWallet(chain)
})

describe('a watch-only wallet', () => {
  test('is added by two administrators once each key has signed, and retired by two as well', async () => {
    const [one, other] = [await newOperator(), await newOperator()]
    const keys = newKeys()
    const bare = keys.descriptor.replace(/\[[^\]]*\]/, '').replace(/#.*/, '')
    const { challenge: asked, reply } = await proposed(one, 'bitcoin', bare, [keys.bitcoin.sign])
    expect(asked.signers).toMatchObject([
      { key: 0, address: keys.bitcoin.address, methods: ['bip322', 'bip137'] },
    ])
    expect(asked.addresses[0]).toBe(keys.bitcoin.address)
    expect(asked.warnings).toEqual([expect.stringContaining('origin of the key is missing')])
    expect(asked.message).toContain(keys.bitcoin.address)
    expect(reply).toMatchObject({
      status: 201,
      body: { kind: 'watch_wallet', watchWallet: { chain: 'bitcoin', warnings: asked.warnings } },
    })
    expect(await approveProposal(one, reply.body._id)).toMatchObject({
      status: 403,
      body: { code: 'second_operator_required' },
    })
    expect(await approveProposal(other, reply.body._id)).toMatchObject({
      status: 200,
      body: { status: 'approved' },
    })
    const { body } = await as<WatchWallet[]>(one, 'GET', '/operator/watch-wallets')
    expect(body[0]).toMatchObject({
      chain: 'bitcoin',
      descriptor: asked.descriptor,
      warnings: asked.warnings,
      active: true,
      nextIndex: 0,
      unpaid: 0,
      gap: 1000,
      networks: ['btc'],
      proof: { message: asked.message, signers: [{ address: keys.bitcoin.address }] },
    })
    const path = `/operator/watch-wallets/${body[0]?._id}/retire`
    const reason = 'New devices'
    const treasurer = await newOperator({ roles: ['treasurer'] })
    expect(await as(treasurer, 'POST', path, { reason })).toMatchObject({ status: 403 })
    const asks = await as<Proposal>(one, 'POST', path, { reason })
    expect(asks).toMatchObject({
      status: 202,
      body: { kind: 'watch_wallet_retirement', reason, retired: { chain: 'bitcoin', wallet: body[0]?._id } },
    })
    const active = async () => (await as<WatchWallet[]>(one, 'GET', '/operator/watch-wallets')).body[0]
    expect(await active()).toMatchObject({ active: true })
    expect(await as(other, 'POST', path, { reason })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
    expect(await approveProposal(one, asks.body._id)).toMatchObject({
      status: 403,
      body: { code: 'second_operator_required' },
    })
    expect(await approveProposal(treasurer, asks.body._id)).toMatchObject({ status: 403 })
    expect(await approveProposal(other, asks.body._id)).toMatchObject({ status: 200 })
    expect(await active()).toMatchObject({
      active: false,
      steps: [{}, {}, { step: 'retired', by: { _id: other.id } }],
    })
    expect(await as(one, 'POST', path, { reason })).toMatchObject({
      status: 409,
      body: { code: 'already_decided' },
    })
  })

  test('is retired by nobody alone, not even in the database', async () => {
    const [one, other] = [await newOperator(), await newOperator()]
    const keys = newKeys()
    const { reply } = await proposed(one, 'bitcoin', keys.descriptor, [keys.bitcoin.sign])
    await approveProposal(other, reply.body._id)
    await expect(
      env.DB.prepare('UPDATE watch_wallets SET retired_at = 1 WHERE retired_at IS NULL').run(),
    ).rejects.toThrow('second_operator_required')
  })

  test('of two keys takes a signature of each, by the address of its own first key', async () => {
    const by = await newOperator()
    const [one, other] = [newKeys(), newKeys()]
    const descriptor = `wsh(sortedmulti(2,${one.expression},${other.expression}))`
    const both = await proposed(by, 'bitcoin', descriptor, [one.bitcoin.sign, other.bitcoin.sign])
    expect(both.challenge.signers.map(({ address }) => address)).toEqual([
      one.bitcoin.address,
      other.bitcoin.address,
    ])
    expect(both.reply.status).toBe(201)
    const alone = await proposed(by, 'bitcoin', descriptor, [one.bitcoin.sign])
    expect(alone.reply).toMatchObject({
      status: 422,
      body: { fields: { signatures: expect.stringContaining('2 keys') } },
    })
    const twice = await proposed(by, 'bitcoin', descriptor, [one.bitcoin.sign, one.bitcoin.sign])
    expect(twice.reply).toMatchObject({
      status: 422,
      body: { fields: { signatures: expect.stringContaining('key 2') } },
    })
  })

  test('of Ethereum is an account’s public key, whose first address signs', async () => {
    const by = await newOperator()
    const keys = newKeys()
    const { challenge: asked, reply } = await proposed(by, 'ethereum', keys.account, [keys.ethereum.sign])
    expect(asked.signers).toMatchObject([{ address: keys.ethereum.address, methods: ['eip191'] }])
    expect(reply.status).toBe(201)
  })

  test('is refused with a message that was not issued for it, or with another key’s signature', async () => {
    const by = await newOperator()
    const [mine, others] = [newKeys(), newKeys()]
    const { reply, fields } = await proposed(by, 'bitcoin', mine.descriptor, [others.bitcoin.sign])
    expect(reply).toMatchObject({ status: 422, body: { fields: { signatures: expect.any(String) } } })
    const { body } = await challenge(by, 'bitcoin', others.descriptor)
    const signatures = [mine.bitcoin.sign(body.message)]
    expect(await propose(by, { ...fields, message: body.message, signatures })).toMatchObject({
      status: 422,
      body: { fields: { message: expect.stringContaining('not issued') } },
    })
  })

  test('is refused while the chain has an active one', async () => {
    const [one, other] = [await newOperator(), await newOperator()]
    const [first, second] = [newKeys(), newKeys()]
    const added = await proposed(one, 'bitcoin', first.descriptor, [first.bitcoin.sign])
    await approveProposal(other, added.reply.body._id)
    const again = await proposed(one, 'bitcoin', second.descriptor, [second.bitcoin.sign])
    expect(again.reply).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await challenge(one, 'bitcoin', first.descriptor)).toMatchObject({ status: 409 })
  })

  test('needs an administrator for its message', async () => {
    const treasurer = await newOperator({ roles: ['treasurer'] })
    expect(await challenge(treasurer, 'bitcoin', newKeys().descriptor)).toMatchObject({ status: 403 })
  })
})

describe('a secret', () => {
  const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
  const secrets = (keys: WatchKeys): [string, string][] => [
    ['an extended private key', keys.secret],
    ['one in a descriptor', `wpkh(${keys.secret}/<0;1>/*)`],
    ['a private key for import', 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn'],
    ['64 digits', 'e9873d79c6d87dc0fb6a5778633389f4453213303da61f20bd67fc233aa33262'],
    ['the words of a backup', WORDS],
  ]

  test('is refused in every field, and neither stored nor repeated', async () => {
    const by = await newOperator()
    const keys = newKeys()
    for (const [what, secret] of secrets(keys)) {
      for (const chain of ['bitcoin', 'ethereum']) {
        const reply = await challenge(by, chain, secret)
        expect([what, reply.status]).toEqual([what, 422])
        expect(reply.body.fields?.descriptor).toMatch(/secret|private key/)
        expect(JSON.stringify(reply.body)).not.toContain(secret)
      }
    }
    const { fields } = await proposed(by, 'bitcoin', keys.descriptor, [keys.bitcoin.sign])
    for (const [field, value] of [
      ['reason', `Keep ${keys.secret}`],
      ['message', keys.secret],
      ['signatures', [keys.secret]],
    ] as const)
      expect([field, (await propose(by, { ...fields, [field]: value })).status]).toEqual([field, 422])
    const { results } = await env.DB.prepare(
      "SELECT payload || coalesce(reason, '') AS text FROM proposals UNION ALL SELECT descriptor FROM watch_challenges UNION ALL SELECT detail FROM audit_log",
    ).all<{ text: string }>()
    for (const { text } of results) expect(text).not.toMatch(/[xt]prv/)
  })
})
