import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OperatorHealth } from '../../../src/contract/console/health.ts'
import type { OperatorPayout } from '../../../src/contract/console/payouts.ts'
import type { Proposal } from '../../../src/contract/console/proposals.ts'
import type { SearchResults } from '../../../src/contract/console/search.ts'
import type { WatchWallet } from '../../../src/contract/console/watchWallets.ts'
import type { WorkItem } from '../../../src/contract/console/workItems.ts'
import { signPsbt, type TestWallet, testWallet } from '../../../test/support/bitcoinWallet.ts'
import { type ChainServers, startChainServers } from '../../../test/support/chainServers.ts'
import { newCoin } from '../../../test/support/coins.ts'
import { signPayout, testKey } from '../../../test/support/ethereumChain.ts'
import { mailsTo } from '../../../test/support/mailbox.ts'
import {
  approveProposal,
  approveWithdrawal,
  as,
  propose,
  withdrawal,
} from '../../../test/support/operating.ts'
import { freshCode, newInvestor, newOperator, type Operator } from '../../../test/support/people.ts'
import { assignKeys, newWatchWallet, retireWatchWallet } from '../../../test/support/watchWallets.ts'

let servers: ChainServers
let approver: Operator
let payer: Operator
let second: Operator
let [holly, hugo]: Operator[] = []
beforeAll(async () => {
  servers = startChainServers()
  approver = await newOperator({ name: 'Ada Approver' })
  payer = await newOperator({ name: 'Pia Payer' })
  second = await newOperator({ name: 'Ben Approver' })
  holly = await newOperator({ name: 'Holly Holder', roles: ['treasurer'] })
  hugo = await newOperator({ name: 'Hugo Holder', roles: ['treasurer'] })
})
afterAll(() => servers.restore())

const PATH = '/operator/payouts'
const getId = (operator: Operator | undefined) => operator?.id ?? ''
let names = 0

/** A new active wallet of two of three keys, or of one, with a coin. */
async function newWallet(kind: 'wpkh' | 'wsh-sortedmulti' = 'wsh-sortedmulti') {
  const wallet = testWallet(kind, { name: `signers ${++names}`, network: 'mainnet' })
  const id = await newWatchWallet('bitcoin', { descriptor: wallet.descriptor.text, account: '' })
  await newCoin(id, wallet.address, (index) => wallet.coin(5_000_000n, index))
  return { id, ...wallet }
}

async function approved(by = approver, fields: Record<string, string> = {}): Promise<string> {
  const id = await withdrawal(
    await newInvestor({ availableCents: 100_000_00 }),
    '642',
    '/withdrawals',
    fields,
  )
  expect((await approveWithdrawal(by, id)).status).toBe(200)
  return id
}

const build = async (by: Operator, withdrawals: readonly string[], chain = 'bitcoin') =>
  as<OperatorPayout>(by, 'POST', PATH, { chain, withdrawals, fee: chain === 'bitcoin' ? 5 : 30 })

async function release(by: Operator | undefined, id: string, signed: string) {
  if (by === undefined) throw new Error('Nobody releases it.')
  const reply = await as<OperatorPayout>(by, 'POST', `${PATH}/${id}/release`, { signed })
  if (reply.body.reasons?.[0] !== 'bound_factor') return reply
  return as<OperatorPayout>(by, 'POST', `${PATH}/${id}/release`, { signed, code: await freshCode(by) })
}

/** The file that one device of the wallet signed. */
const sign = ({ devices }: TestWallet, { unsigned }: OperatorPayout, device: number) =>
  signPsbt(unsigned ?? '', devices.slice(device, device + 1))

const audited = async (subject: string, action: string) =>
  (
    await env.DB.prepare('SELECT detail FROM audit_log WHERE subject = ? AND action = ? ORDER BY seq')
      .bind(subject, action)
      .all<{ detail: string }>()
  ).results.map(({ detail }) => JSON.parse(detail) as unknown)

const getFingerprint = ({ devices }: TestWallet, device: number) =>
  devices[device]?.fingerprint.toString(16).padStart(8, '0')

const whoDoes = async (by: Operator | undefined, id: string) => {
  const { body } = await as<{ items: WorkItem[] }>(by ?? payer, 'GET', '/operator/work')
  return body.items.find(({ _id }) => _id === id)?.waitsFor
}

/** The number beside Payouts in the menu. */
const countReleases = async (by: Operator | undefined) =>
  (await as<{ release: number }>(by ?? payer, 'GET', '/operator/waiting')).body.release

const disable = (operator: Operator | undefined) =>
  as(approver, 'POST', `/operator/operators/${getId(operator)}/disable`, { reason: 'Left the company' })

describe('the holders of a wallet’s keys', () => {
  const proposeHolders = (by: Operator, wallet: string, holders: unknown) =>
    propose(by, { kind: 'key_holders', wallet, holders, reason: 'They have the devices' })
  const shown = async (id: string) =>
    (await as<WatchWallet[]>(approver, 'GET', '/operator/watch-wallets')).body.find(({ _id }) => _id === id)

  test('are named by two administrators', async () => {
    const wallet = await newWallet()
    const { id } = wallet
    expect((await shown(id))?.holders).toEqual([null, null, null])
    const holders = [getId(holly), getId(hugo), null]
    expect(await proposeHolders(holly as Operator, id, holders)).toMatchObject({ status: 403 })
    const reply = await proposeHolders(payer, id, holders)
    expect(reply).toMatchObject({
      status: 201,
      body: {
        kind: 'key_holders',
        keyHolders: {
          wallet: id,
          chain: 'bitcoin',
          keys: [
            { keyName: getFingerprint(wallet, 0), holder: { _id: getId(holly), name: 'Holly Holder' } },
            { keyName: getFingerprint(wallet, 1), holder: { _id: getId(hugo), name: 'Hugo Holder' } },
            { keyName: getFingerprint(wallet, 2), holder: null },
          ],
        },
      },
    })
    const proposal = reply.body._id
    const read = await as<Proposal>(approver, 'GET', `/operator/proposals/${proposal}`)
    expect(read.body.keyHolders).toEqual(reply.body.keyHolders)
    expect(await proposeHolders(approver, id, [null, null, getId(holly)])).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
    expect((await shown(id))?.holders).toEqual([null, null, null])
    expect(await approveProposal(payer, proposal)).toMatchObject({
      status: 403,
      body: { code: 'second_operator_required' },
    })
    expect(await approveProposal(holly as Operator, proposal)).toMatchObject({ status: 403 })
    expect(await approveProposal(approver, proposal)).toMatchObject({ status: 200 })
    expect((await shown(id))?.holders).toEqual([
      { _id: getId(holly), name: 'Holly Holder', canSign: true },
      { _id: getId(hugo), name: 'Hugo Holder', canSign: true },
      null,
    ])
    expect(await audited(id, 'watch_wallet.key_assigned')).toEqual(
      [getId(holly), getId(hugo), null].map((holder, device) => ({
        ...{ proposal, chain: 'bitcoin', key: getFingerprint(wallet, device), holder },
      })),
    )
    expect(await proposeHolders(payer, id, holders)).toMatchObject({
      status: 422,
      body: { fields: { holders: 'Nothing would change' } },
    })
  })

  test('are active treasurers, each of one key of a wallet in use', async () => {
    const { id } = await newWallet()
    const reviewer = await newOperator({ roles: ['reviewer'] })
    for (const [holders, words] of [
      [[getId(holly)], '3 keys'],
      [[reviewer.id, null, null], 'active'],
      [['nobody', null, null], 'active'],
      [[getId(holly), getId(holly), null], 'two keys'],
      ['all', 'name the holder'],
    ] as const)
      expect(await proposeHolders(payer, id, holders)).toMatchObject({
        status: 422,
        body: { fields: { holders: expect.stringContaining(words) } },
      })
    expect(await proposeHolders(payer, 'unknown', [null])).toMatchObject({ status: 422 })
    const leaving = await newOperator({ roles: ['treasurer'] })
    const { body } = await proposeHolders(payer, id, [leaving.id, null, null])
    expect((await disable(leaving)).status).toBe(200)
    expect(await approveProposal(approver, body._id)).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
    await retireWatchWallet('bitcoin')
    expect(await proposeHolders(payer, id, [getId(holly), null, null])).toMatchObject({
      status: 409,
      body: { code: 'already_decided' },
    })
  })

  test('who leave or lose their role are shown as such until somebody else is named', async () => {
    const wallet = await newWallet()
    const { id } = wallet
    const leaving = await newOperator({ name: 'Leo Leaving', roles: ['treasurer'] })
    await assignKeys(id, [leaving.id, getId(holly), getId(hugo)])
    expect((await disable(leaving)).status).toBe(200)
    expect((await shown(id))?.holders[0]).toEqual({ _id: leaving.id, name: 'Leo Leaving', canSign: false })
    expect((await as<OperatorHealth>(payer, 'GET', '/operator/health')).body.lostKeys).toContainEqual({
      ...{ wallet: id, chain: 'bitcoin', holder: 'Leo Leaving', keys: 1 },
    })
    const { body: payout } = await build(payer, [await approved()])
    expect(payout.keys[0]?.holder).toMatchObject({ name: 'Leo Leaving', canSign: false })
    expect(payout.missing.map(({ _id }) => _id).toSorted()).toEqual([getId(holly), getId(hugo)].toSorted())
    expect(await release(payer, payout._id, sign(wallet, payout, 0))).toMatchObject({
      status: 403,
      body: { code: 'key_of_another', msg: expect.stringContaining('They can no longer sign.') },
    })
    const { body } = await proposeHolders(payer, id, [payer.id, getId(holly), getId(hugo)])
    expect((await approveProposal(approver, body._id)).status).toBe(200)
    expect(await release(payer, payout._id, sign(wallet, payout, 0))).toMatchObject({
      status: 202,
      body: { keys: [{ holder: { _id: payer.id }, signed: { by: { _id: payer.id } } }, {}, {}] },
    })
  })
})

describe('a payout of a wallet whose keys people hold', () => {
  test('names the missing ones, mails them alone, and takes a signature from its holder alone', async () => {
    const wallet = await newWallet()
    await assignKeys(wallet.id, [getId(holly), getId(hugo), payer.id])
    const { body: built } = await build(payer, [await approved()])
    const { _id: id } = built
    expect(built.keys).toMatchObject([
      { key: 0, keyName: getFingerprint(wallet, 0), holder: { _id: getId(holly) }, signed: null },
      { key: 1, keyName: getFingerprint(wallet, 1), holder: { _id: getId(hugo) }, signed: null },
      { key: 2, keyName: getFingerprint(wallet, 2), holder: { _id: payer.id }, signed: null },
    ])
    expect(built.missing).toHaveLength(3)
    const SUBJECT = 'A payout waits for your signature'
    const subjectsTo = async (to: Operator | undefined) =>
      (await mailsTo(to?.email ?? '')).filter(({ subject }) => subject === SUBJECT)
    expect((await subjectsTo(holly))[0]?.text).toContain('It takes 2 signatures.')
    expect(await subjectsTo(hugo)).toHaveLength((await subjectsTo(holly)).length)
    expect(await subjectsTo(approver)).toEqual([])
    expect([await whoDoes(holly, id), await whoDoes(approver, id)]).toEqual(['you', 'others'])

    const byHolly = sign(wallet, built, 0)
    expect(await release(hugo, id, byHolly)).toMatchObject({
      status: 403,
      body: {
        code: 'key_of_another',
        msg: 'This signature was made with the key of Holly Holder. They hand it in from their own session.',
      },
    })
    // Nor together with their own.
    const both = signPsbt(built.unsigned ?? '', wallet.devices.slice(0, 2))
    expect(await release(hugo, id, both)).toMatchObject({ status: 403, body: { code: 'key_of_another' } })
    expect(await audited(id, 'payout.signed_with_key_of_another')).toEqual(
      [1, 2].map(() => ({ wallet: wallet.id, key: getFingerprint(wallet, 0), holder: getId(holly) })),
    )
    const first = await release(holly, id, byHolly)
    expect(first).toMatchObject({
      status: 202,
      body: {
        signatures: { have: 1, need: 2 },
        keys: [{ signed: { at: expect.any(String), by: { _id: getId(holly) } } }, { signed: null }, {}],
      },
    })
    expect(first.body.missing.map(({ _id }) => _id)).not.toContain(getId(holly))
    expect([await whoDoes(holly, id), await whoDoes(hugo, id)]).toEqual(['others', 'you'])
    expect((await countReleases(hugo)) - (await countReleases(holly))).toBe(1)
    expect(await audited(id, 'payout.signed')).toMatchObject([
      { wallet: wallet.id, keys: getFingerprint(wallet, 0) },
    ])
    // With hers handed in, the file of both adds only his own.
    const last = await release(hugo, id, both)
    expect(last).toMatchObject({
      status: 200,
      body: { state: 'released', keys: [{}, { signed: { by: { _id: getId(hugo) } } }, { signed: null }] },
    })
    const { body: read } = await as<OperatorPayout>(payer, 'GET', `${PATH}/${id}`)
    expect(read.keys).toEqual(last.body.keys)
    expect(await audited(id, 'payout.released')).toMatchObject([{ keys: getFingerprint(wallet, 1) }])

    const { body: replaced } = await as<OperatorPayout>(payer, 'POST', `${PATH}/${id}/replace`, { fee: 20 })
    expect(replaced.keys.map(({ signed }) => signed)).toEqual([null, null, null])
    expect((await subjectsTo(hugo)).length).toBe((await subjectsTo(holly)).length)
    expect((await release(hugo, id, sign(wallet, replaced, 1))).status).toBe(202)
  })

  test('takes the signature of a key that nobody holds from any treasurer', async () => {
    const wallet = await newWallet()
    await assignKeys(wallet.id, [getId(holly), null, null])
    const { body: built } = await build(payer, [await approved()])
    expect(built.missing.map(({ _id }) => _id)).toContain(getId(hugo))
    expect((await release(hugo, built._id, sign(wallet, built, 1))).status).toBe(202)
    expect(await whoDoes(payer, built._id)).toBe('you')
    expect((await release(payer, built._id, sign(wallet, built, 2))).status).toBe(200)
    await expect(
      env.DB.prepare('UPDATE payout_key_signatures SET signed_by = ? WHERE payout = ?')
        .bind(payer.id, built._id)
        .run(),
    ).rejects.toThrow('payout_key_signatures: immutable')
  })

  test('is signed first by those who approved its withdrawals', async () => {
    const wallet = await newWallet()
    await assignKeys(wallet.id, [approver.id, getId(holly), second.id])
    const { body: built } = await build(payer, [await approved(), await approved(second)])
    expect(await release(holly, built._id, sign(wallet, built, 1))).toMatchObject({
      status: 403,
      body: { code: 'second_operator_required', msg: expect.stringContaining('They sign before you.') },
    })
    expect((await release(approver, built._id, sign(wallet, built, 0))).status).toBe(202)
    expect(await release(second, built._id, sign(wallet, built, 2))).toMatchObject({ status: 403 })
    expect((await release(holly, built._id, sign(wallet, built, 1))).status).toBe(200)
  })

  test('of one key is signed by its holder, who approved none of its withdrawals', async () => {
    const wallet = await newWallet('wpkh')
    await assignKeys(wallet.id, [getId(holly)])
    const own = await build(payer, [await approved(holly)])
    expect(own).toMatchObject({
      status: 409,
      body: { code: 'conflict', msg: expect.stringContaining('none of them could release it') },
    })
    const { body: built } = await build(payer, [await approved()])
    const [mail] = (await mailsTo(holly?.email ?? '')).filter(({ text }) => text.includes('your signature.'))
    expect(mail?.subject).toBe('A payout waits for your signature')
    expect(await release(payer, built._id, sign(wallet, built, 0))).toMatchObject({ status: 403 })
    expect((await release(holly, built._id, sign(wallet, built, 0))).status).toBe(200)
  })

  test('on Ethereum is signed by the holder of the account’s key', async () => {
    const wallet = await newWatchWallet('ethereum', {
      descriptor: '',
      account: testKey().publicExtendedKey,
    })
    await assignKeys(wallet, [getId(hugo)])
    const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const fields = { type: 'ethereum', network: 'eth', address }
    const { body: built } = await build(payer, [await approved(approver, fields)], 'ethereum')
    expect(built.missing).toEqual([{ _id: getId(hugo), name: 'Hugo Holder' }])
    const signed = signPayout(built.unsigned as `0x${string}`, { steps: '/1/0' })
    expect(await release(payer, built._id, signed)).toMatchObject({ body: { code: 'key_of_another' } })
    expect((await release(hugo, built._id, signed)).status).toBe(200)
  })
})

test('a watch-only wallet is found by its chain, a fingerprint, an address and a part of its descriptor', async () => {
  const wallet = await newWallet()
  const find = async (query: string, by = payer) =>
    (await as<SearchResults>(by, 'POST', '/operator/search', { query })).body.wallets.map(({ _id }) => _id)
  const found = (await as<SearchResults>(payer, 'POST', '/operator/search', { query: 'Bitcoin' })).body
    .wallets
  expect(found[0]).toEqual({
    ...{ _id: wallet.id, chain: 'bitcoin', active: true },
    keyNames: [0, 1, 2].map((device) => getFingerprint(wallet, device)),
  })
  const shown = (await as<WatchWallet[]>(payer, 'GET', '/operator/watch-wallets')).body[0]
  for (const query of [
    getFingerprint(wallet, 1) ?? '',
    shown?.proof.signers[2]?.address ?? '',
    wallet.address(0),
    wallet.descriptor.text.slice(30, 80),
  ])
    expect([query, await find(query)]).toEqual([query, [wallet.id]])
  expect(await find('d34db33')).toEqual([])
  const support = await newOperator({ roles: ['support'] })
  expect(await find(wallet.address(0), support)).toEqual([])
})
