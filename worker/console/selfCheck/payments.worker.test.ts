import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { OperatorHealth } from '../../../src/contract/console/health.ts'
import type { Wallet } from '../../../src/contract/money/wallets.ts'
import { mailTo } from '../../../test/support/mailbox.ts'
import { as } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { callObserved, newWatchWallet, WITH_SERVERS } from '../../../test/support/watchWallets.ts'
import { withTriggerDropped } from '../../../test/support/withTriggerDropped.ts'
import { creditPayments } from '../../chains/credit/credit.ts'
import { recordServers, type ServerState } from '../../chains/servers/servers.ts'
import { openDatabase, runBatch } from '../../lib/database.ts'
import { checkChainServers, checkPayments } from './payments.ts'
import { runSelfChecks } from './run.ts'

const db = openDatabase(env.DB)
let ana: Person
let address = ''
beforeAll(async () => {
  await newWatchWallet('bitcoin')
  ana = await newInvestor()
  const { body } = await callObserved<Wallet[]>('GET', '/admin-wallets', { token: ana.token })
  address = body.find(({ network }) => network === 'btc')?.address ?? ''
})
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run()
const findings = async () => (await checkPayments(db, null, Date.now(), env)).findings

async function credited(): Promise<string> {
  const id = crypto.randomUUID()
  const reference = `${id.replaceAll('-', '').repeat(2)}:0`
  await run(
    `INSERT INTO payments (id, network, reference, address, investor, quantity, units, state, seen_at, needed, checked_at)
     VALUES (?, 'btc', ?, ?, ?, '100000', 100000, 'confirming', 1, 3, 1)`,
    id,
    reference,
    address,
    ana.id,
  )
  await run(
    `UPDATE payments SET state = 'final', height = 7, block_hash = 'hash', proof = '{}', confirmations = 3, final_at = 1,
       rate = '60000', amount = 6000, rule = 'price' WHERE id = ?`,
    id,
  )
  await creditPayments(env, db, Date.now())
  return id
}

test('a block that could not be searched three times is found, and its fault is named', async () => {
  const block = (height: number, failures: number) =>
    run(
      "INSERT INTO unsearched_blocks VALUES ('ethereum', ?, 'h', ?, 'does not answer in time', 1, 1)",
      height,
      failures,
    )
  await block(7, 2)
  await block(8, 3)
  expect((await checkChainServers(db, null, Date.now())).findings).toEqual([
    'Block 8 of Ethereum could not be searched for payments: a server does not answer in time',
  ])
  await run('DELETE FROM unsearched_blocks')
})

test('a credited payment in order gives no finding', async () => {
  await credited()
  expect(await findings()).toEqual([])
})

test('a payment that is marked as credited without its deposit, and a changed amount, are found', async () => {
  const id = await credited()
  await withTriggerDropped(env.DB, 'payments_follow', async () => {
    await run('UPDATE payments SET amount = 6001 WHERE id = ?', id)
    expect(await findings()).toEqual([`Payment ${id} is credited, and its deposit was not credited with it`])
    await run('UPDATE payments SET amount = 6000 WHERE id = ?', id)
    await run("UPDATE payments SET state = 'gone' WHERE id = ?", id)
    expect(await findings()).toEqual([
      expect.stringMatching(/^Deposit .* to an own address is approved without a payment$/),
    ])
    await run("UPDATE payments SET state = 'credited' WHERE id = ?", id)
  })
  expect(await findings()).toEqual([])
})

test('payments and own addresses are checked in pages, each in turn, and a finding keeps its page', async () => {
  const ids = [await credited(), await credited(), await credited()]
  const most = { proofs: 1, payments: 2, addresses: 1 }
  const reached: unknown[] = []
  let checkpoint: string | null = null
  const check = async () => {
    const checked = await checkPayments(db, checkpoint, Date.now(), env, most)
    checkpoint = checked.checkpoint
    reached.push(JSON.parse(checkpoint).payments)
    return checked.findings
  }
  const seqs = (
    await env.DB.prepare("SELECT seq FROM payments WHERE state = 'credited' ORDER BY seq").all<{
      seq: number
    }>()
  ).results.map(({ seq }) => seq)
  for (let run = 0; run <= seqs.length / 2; run++) expect(await check()).toEqual([])
  // Each second one ends a page. After the last page it begins anew.
  expect(reached).toEqual([...seqs.filter((_, index) => index % 2 === 1), 0])
  await withTriggerDropped(env.DB, 'payments_follow', async () => {
    await run('UPDATE payments SET amount = 6001 WHERE id = ?', ids[2])
    const found: string[] = []
    for (let runs = 0; runs < seqs.length + 2; runs++) found.push(...(await check()))
    expect(found.length).toBeGreaterThan(2)
    await run('UPDATE payments SET amount = 6000 WHERE id = ?', ids[2])
  })
  expect(await check()).toEqual([])
})

test('a payment that is gone after its credit is found, until it is back', async () => {
  const id = await credited()
  await run("UPDATE payments SET state = 'undone', undone_at = 1 WHERE id = ?", id)
  expect(await findings()).toEqual([`Payment ${id} of 6000 cents is no longer on its chain after its credit`])
  await run("UPDATE payments SET state = 'credited', undone_at = NULL WHERE id = ?", id)
  expect(await findings()).toEqual([])
})

test('a stored proof that does not prove its payment is found', async () => {
  const id = await credited()
  const { findings: found } = await checkPayments(db, null, Date.now(), { ...env, ...WITH_SERVERS })
  expect(found).toContain(`The stored proof of payment ${id} does not prove it`)
})

test('a server that fails for five minutes is an alarm, on the health screen, and a mail', async () => {
  const administrator = await newOperator()
  const nowMs = Date.now()
  await run(
    `INSERT INTO chain_servers (chain, server, height, hash, answered_at, failing_since, fault)
     VALUES ('bitcoin', 'one.example', 7, 'hash', ?, ?, 'is behind'), ('bitcoin', 'two.example', 9, 'hash', ?, NULL, NULL)`,
    nowMs,
    nowMs - 6 * 60_000,
    nowMs,
  )
  expect((await checkChainServers(db, null, nowMs - 2 * 60_000)).findings).toEqual([])
  expect((await checkChainServers(db, null, nowMs)).findings).toEqual([
    'The Bitcoin server one.example is behind',
  ])
  await runSelfChecks(env, db, nowMs)
  expect((await mailTo(administrator.email, /servers of the chains/)).text).toContain('one.example is behind')
  const { body } = await as<OperatorHealth>(administrator, 'GET', '/operator/health')
  expect(body.chains.servers).toMatchObject([
    { chain: 'bitcoin', server: 'one.example', fault: 'is behind' },
    { chain: 'bitcoin', server: 'two.example', fault: null },
  ])
  expect(body.checks).toContainEqual(
    expect.objectContaining({
      name: 'chainServers',
      ok: false,
      finding: 'The Bitcoin server one.example is behind',
    }),
  )
  await run('DELETE FROM chain_servers')
})

test('blocks of an unknown fork are a finding while their payments are credited', async () => {
  const nowMs = Date.now()
  const notice = 'sends blocks of a fork that this version does not know'
  const finding = `The Ethereum server one.example ${notice}: payments are credited, and the platform needs an update`
  const record = async (state: Pick<ServerState, 'head' | 'notice'>) => {
    const states = [{ server: 'https://one.example', fault: null, ...state }]
    await runBatch(db, recordServers('ethereum', states, nowMs))
    return (await checkChainServers(db, null, nowMs)).findings
  }
  const head = { height: 9, hash: 'hash' }
  expect(await record({ head, notice })).toEqual([finding])
  // It stays while the server does not answer.
  expect(await record({ head: null })).toEqual([finding])
  expect(await record({ head })).toEqual([])
})
