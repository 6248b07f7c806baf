import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../src/contract/console/audit.ts'
import type { OperatorPayout } from '../../src/contract/console/payouts.ts'
import type { Proposal } from '../../src/contract/console/proposals.ts'
import type { OperatorTreasury } from '../../src/contract/console/treasury.ts'
import { copyPng } from '../../src/pictures/samples.ts'
import { ageFactor } from '../../test/support/ageFactor.ts'
import { startChainServers } from '../../test/support/chainServers.ts'
import { signPayout, TEST_ADDRESSES, testAccount } from '../../test/support/ethereumChain.ts'
import { call, hooks, isOfEndpoint, type Reply, send } from '../../test/support/http.ts'
import { newTxid } from '../../test/support/ledger/txid.ts'
import {
  approveDeposit,
  approveIdentity,
  approveProposal,
  approveWithdrawal,
  as,
  deposit,
  propose,
  withdrawal,
} from '../../test/support/operating.ts'
import { newInvestor, newOperator, type Operator } from '../../test/support/people.ts'
import { newPicture } from '../../test/support/picture.ts'
import { newStrategy } from '../../test/support/pooled.ts'
import { filedRecovery } from '../../test/support/recovery.ts'
import {
  ageFile,
  fingerprintsOf,
  newKeyPair,
  newReviewer,
  recipientsFor,
  SEALED_IDENTITY,
  submitSealed,
} from '../../test/support/reviewers.ts'
import { newSanctionsHit } from '../../test/support/sanctions.ts'
import { segwitSigner } from '../../test/support/signers.ts'
import { newWallet } from '../../test/support/wallets.ts'
import { newKeys, newReceipt, newWatchWallet, retireWatchWallet } from '../../test/support/watchWallets.ts'
import { withNewHeader } from '../../test/support/withNewHeader.ts'
import { commitEffect } from '../http/call.ts'
import { FACTOR_EXCEPTIONS } from '../identity/factors/actFactor.ts'
import { newId } from '../lib/crypto/tokens.ts'
import { openDatabase } from '../lib/database.ts'
import { operatorRoutes } from './routes.ts'

const mutations = operatorRoutes
  .map(({ endpoint }) => endpoint)
  .filter(({ method, audit, isQuery }) => !isQuery && (method !== 'GET' || audit !== undefined))

type Done = Promise<{ readonly status: number }>

const proposed = async (by: Operator) =>
  (await propose(by, { kind: 'settings', settings: { referralBonus: 1 } })).body._id

const newToken = (by: Operator) =>
  as<{ _id: string }>(by, 'POST', '/operator/monitoring-tokens', { name: 'A program', days: '30' })

async function submitted(): Promise<string> {
  const ana = await newInvestor({ kyc: 'none' })
  await call('POST', '/kyc', { token: ana.token, form: { document: 'Passport', image: newPicture() } })
  return ((await call<{ _id: string }[]>('GET', '/kyc', { token: ana.token })).body[0]?._id ?? '') as string
}

const investor = async (step: string, by: Operator, json: object = {}): Done =>
  as(by, 'POST', `/operator/investors/${(await newInvestor()).id}/${step}`, json)

/** A look at a part of an investor's file. */
const look = async (part: string, by: Operator): Done =>
  as(by, 'GET', `/operator/investors/${(await newInvestor()).id}${part}`)

const operators = async (step: string, by: Operator, json: object): Done =>
  as(by, 'POST', `/operator/operators/${(await newOperator()).id}/${step}`, json)

const exportOf = (by: Operator, list: string): Done =>
  send('GET', `/operator/${list}?format=csv`, { token: by.token })

let invited = 0
const invite = (by: Operator) =>
  as<{ _id: string }>(by, 'POST', '/operator/operators/invite', {
    email: `invited-${++invited}@example.com`,
    name: 'Ina Vited',
    roles: ['auditor'],
  })

/** One successful call of each route that changes something. Add new routes here. */
const SUCCESSES: Readonly<Record<string, (by: Operator) => Done>> = {
  'POST /operator/deposits/:id/approve': async (by) =>
    as(by, 'POST', `/operator/deposits/${await deposit(await newInvestor(), '10')}/approve`, {
      riskReason: 'Called back, all is in order',
      reference: newTxid(),
      quantity: '0.00015576',
    }),
  'POST /operator/deposits/:id/withdraw-approval': async (by) => {
    const id = await deposit(await newInvestor(), '9000')
    await approveDeposit(by, id)
    return as(by, 'POST', `/operator/deposits/${id}/withdraw-approval`)
  },
  'POST /operator/deposits/:id/reject': async (by) =>
    as(by, 'POST', `/operator/deposits/${await deposit(await newInvestor(), '10')}/reject`, { reason: 'No' }),
  'POST /operator/withdrawals/:id/approve': async (by) =>
    approveWithdrawal(by, await withdrawal(await newInvestor({ availableCents: 100_00 }), '10')),
  'POST /operator/withdrawals/:id/complete': async (by) => {
    const id = await withdrawal(await newInvestor({ availableCents: 100_00 }), '10')
    await approveWithdrawal(await newOperator(), id)
    return as(by, 'POST', `/operator/withdrawals/${id}/complete`, {
      riskReason: 'Called back, all is in order',
      reference: newTxid(),
      quantity: '0.00015576',
    })
  },
  'POST /operator/withdrawals/:id/reject': async (by) => {
    const id = await withdrawal(await newInvestor({ availableCents: 100_00 }), '10')
    return as(by, 'POST', `/operator/withdrawals/${id}/reject`, { reason: 'No' })
  },
  'POST /operator/payouts': (by) => withChains(async () => buildEther(by, await approvedEther())),
  'POST /operator/payouts/:id/release': (by) =>
    withChains(async () => {
      const { body } = await buildEther(by, await approvedEther())
      return released(by, body)
    }),
  'POST /operator/payouts/:id/replace': (by) =>
    withChains(async () => {
      const { body } = await buildEther(by, await approvedEther())
      await released(by, body)
      return as(by, 'POST', `/operator/payouts/${body._id}/replace`, { fee: 60 })
    }),
  'POST /operator/payouts/:id/cancel': (by) =>
    withChains(async () => {
      const { body } = await buildEther(by, await approvedEther())
      return as(by, 'POST', `/operator/payouts/${body._id}/cancel`)
    }),
  'GET /operator/deposits': (by) => exportOf(by, 'deposits'),
  'GET /operator/withdrawals': (by) => exportOf(by, 'withdrawals'),
  'GET /operator/kyc': (by) => exportOf(by, 'kyc'),
  'GET /operator/messages': (by) => exportOf(by, 'messages'),
  'GET /operator/proposals': (by) => exportOf(by, 'proposals'),
  'GET /operator/investors': (by) => exportOf(by, 'investors'),
  'GET /operator/factor-recoveries': (by) => exportOf(by, 'factor-recoveries'),
  'GET /operator/payments': (by) => exportOf(by, 'payments'),
  'GET /operator/audit-log': (by) => exportOf(by, 'audit-log'),
  'GET /operator/kyc/:id/document': async (by) =>
    send('GET', `/operator/kyc/${await submitted()}/document`, { token: by.token }),
  'PUT /operator/kyc/:id/document': async (by) => {
    const first = await newReviewer()
    const ana = await newInvestor({ kyc: 'none' })
    await submitSealed(ana, copyPng())
    const [row] = (await call<{ _id: string }[]>('GET', '/kyc', { token: ana.token })).body
    await newReviewer()
    const today = await recipientsFor(ana)
    const path = `/operator/kyc/${row?._id}/document`
    const stored = await (await send('GET', path, { token: first.token })).arrayBuffer()
    const again = await withNewHeader(new Uint8Array(stored), first.identity, today)
    return call('PUT', path, {
      token: by.token,
      form: { image: ageFile(again), recipients: fingerprintsOf(today) },
    })
  },
  'POST /operator/kyc/:id/approve': async (by) => approveIdentity(by, await submitted()),
  'POST /operator/kyc/:id/reject': async (by) =>
    as(by, 'POST', `/operator/kyc/${await submitted()}/reject`, { reason: 'Blurred' }),
  'POST /operator/sanctions/:id/clear': async (by) => {
    const id = await newSanctionsHit((await newInvestor()).id)
    return as(by, 'POST', `/operator/sanctions/${id}/clear`, {
      reason: 'Another person, of another country',
      entries: 1,
    })
  },
  'POST /operator/kyc/keys': async (by) =>
    as(by, 'POST', '/operator/kyc/keys', {
      recipient: (await newKeyPair()).recipient,
      identity: SEALED_IDENTITY,
      method: 'passphrase',
      password: by.password,
    }),
  'POST /operator/kyc/keys/:id/retire': async (by) => {
    const { recipient } = await newReviewer()
    await newReviewer()
    const keys = await as<{ _id: string; recipient: string }[]>(by, 'GET', '/operator/kyc/keys')
    const key = keys.body.find((each) => each.recipient === recipient)
    return as(by, 'POST', `/operator/kyc/keys/${key?._id}/retire`)
  },
  'POST /operator/investors/:id/freeze': (by) => investor('freeze', by, { reason: 'Odd' }),
  'POST /operator/investors/:id/unfreeze': (by) => investor('unfreeze', by, { reason: 'Cleared' }),
  'POST /operator/investors/:id/silent-freeze': (by) => investor('silent-freeze', by, { reason: 'A report' }),
  'POST /operator/investors/:id/silent-freeze/end': async (by) => {
    const { id } = await newInvestor()
    await as(by, 'POST', `/operator/investors/${id}/silent-freeze`, { reason: 'A report' })
    return as(by, 'POST', `/operator/investors/${id}/silent-freeze/end`)
  },
  'POST /operator/investors/:id/notification': (by) =>
    investor('notification', by, { title: 'News', content: '<p>Some</p>' }),
  'POST /operator/investors/:id/end-sessions': (by) => investor('end-sessions', by),
  'POST /operator/investors/:id/notes': (by) => investor('notes', by, { text: 'Called back' }),
  'GET /operator/investors/:id': (by) => look('', by),
  'GET /operator/investors/:id/entries': (by) => look('/entries', by),
  'GET /operator/investors/:id/requests': (by) => look('/requests', by),
  'GET /operator/investors/:id/documents': (by) => look('/documents', by),
  'GET /operator/investors/:id/sessions': (by) => look('/sessions', by),
  'GET /operator/investors/:id/activity': (by) => look('/activity', by),
  'GET /operator/investors/:id/notes': (by) => look('/notes', by),
  'GET /operator/investors/:id/notifications': (by) => look('/notifications', by),
  'POST /operator/operators/invite': invite,
  'POST /operator/monitoring-tokens': newToken,
  'POST /operator/monitoring-tokens/:id/revoke': async (by) =>
    as(by, 'POST', `/operator/monitoring-tokens/${(await newToken(by)).body._id}/revoke`),
  'POST /operator/operators/invitations/:id/withdraw': async (by) => {
    await approveProposal(await newOperator(), (await invite(by)).body._id)
    const { body } = await as<{ _id: string; status: string }[]>(by, 'GET', '/operator/operators/invitations')
    const open = body.find(({ status }) => status === 'open')
    return as(by, 'POST', `/operator/operators/invitations/${open?._id}/withdraw`)
  },
  'POST /operator/operators/:id/roles': (by) =>
    operators('roles', by, { roles: ['auditor'], reason: 'Moved' }),
  'POST /operator/operators/:id/disable': (by) => operators('disable', by, { reason: 'Left' }),
  'POST /operator/operators/:id/enable': async (by) => {
    const { id } = await newOperator()
    await as(by, 'POST', `/operator/operators/${id}/disable`, { reason: 'Left' })
    return as(by, 'POST', `/operator/operators/${id}/enable`, { reason: 'Back' })
  },
  'POST /operator/operators/:id/reset-factor': (by) => operators('reset-factor', by, { reason: 'Lost' }),
  'POST /operator/operators/:id/end-sessions': (by) => operators('end-sessions', by, {}),
  'POST /operator/factor-recoveries/:id/propose': async (by) =>
    as(by, 'POST', `/operator/factor-recoveries/${await filedRecovery()}/propose`, { reason: 'Seen' }),
  'POST /operator/factor-recoveries/:id/reject': async (by) =>
    as(by, 'POST', `/operator/factor-recoveries/${await filedRecovery()}/reject`, { reason: 'Not seen' }),
  'POST /operator/handover': (by) => as(by, 'POST', '/operator/handover', { text: 'All done.' }),
  'POST /operator/handover/:id/read': async (by) => {
    const { body } = await as<{ _id: string }>(await newOperator(), 'POST', '/operator/handover', {
      text: 'One left.',
    })
    return as(by, 'POST', `/operator/handover/${body._id}/read`)
  },
  'POST /operator/cases/:id/assign': async (by) =>
    as(by, 'POST', `/operator/cases/${await deposit(await newInvestor(), '10')}/assign`, {
      to: by.id,
    }),
  'POST /operator/cases/:id/ask': async (by) =>
    as(by, 'POST', `/operator/cases/${await deposit(await newInvestor(), '10')}/ask`, {
      text: 'Which bank did you pay from?',
    }),
  'POST /operator/strategies/:id/suspend': async (by) =>
    as(by, 'POST', `/operator/strategies/${await newStrategy()}/suspend`, { reason: 'A look at it' }),
  'POST /operator/wallets/:id/retire': async (by) =>
    as(by, 'POST', `/operator/wallets/${(await newWallet()).id}/retire`),
  'POST /operator/wallets/:id/challenge': async (by) =>
    as(
      by,
      'POST',
      `/operator/wallets/${(await newWallet({ address: segwitSigner(newId()).address })).id}/challenge`,
    ),
  'POST /operator/watch-wallets/challenge': (by) =>
    as(by, 'POST', '/operator/watch-wallets/challenge', {
      chain: 'bitcoin',
      descriptor: newKeys().descriptor,
    }),
  'POST /operator/venue/stop': (by) =>
    as(by, 'POST', '/operator/venue/stop', { scope: 'all', reason: 'A look at it' }),
  'POST /operator/treasury/entries': (by) => proposeDrawing(by),
  'POST /operator/reports/carf': (by) =>
    send('POST', '/operator/reports/carf', { token: by.token, json: CARF }),
  'GET /operator/treasury/entries': (by) => exportOf(by, 'treasury/entries'),
  'POST /operator/treasury/differences/:id/clear': async (by) => {
    const { body } = await proposeDrawing(await newOperator())
    await approveProposal(await newOperator(), body._id)
    const { differences } = (await as<OperatorTreasury>(by, 'GET', '/operator/treasury')).body
    // Drawn before, the place is below zero already.
    const open = differences.find(({ cleared }) => cleared === null)
    return as(by, 'POST', `/operator/treasury/differences/${open?._id}/clear`, { reason: 'Known' })
  },
  'POST /operator/treasury/pause': async (by) => {
    const reply = await as(by, 'POST', '/operator/treasury/pause', { reason: 'A look at it' })
    await resumePayouts()
    return reply
  },
  'POST /operator/watch-wallets/:id/retire': async (by) =>
    as(by, 'POST', `/operator/watch-wallets/${await newWatchWallet('ethereum')}/retire`, {
      reason: 'A test',
    }),
  'POST /operator/payments/:id/close': (by) =>
    withChains(async () =>
      as(by, 'POST', `/operator/payments/${await newReceipt()}/close`, { note: 'Returned' }),
    ),
  'POST /operator/wallets/:id/proof': async (by) => {
    const { address, sign } = segwitSigner(newId())
    const path = `/operator/wallets/${(await newWallet({ address })).id}`
    const { message } = (await as<{ message: string }>(by, 'POST', `${path}/challenge`)).body
    return as(by, 'POST', `${path}/proof`, { message, signature: sign(message) })
  },
  'POST /operator/proposals': (by) => propose(by, { kind: 'settings', settings: { referralBonus: 1 } }),
  'POST /operator/proposals/:id/approve': async (by) =>
    approveProposal(by, await proposed(await newOperator())),
  'POST /operator/proposals/:id/reject': async (by) =>
    as(by, 'POST', `/operator/proposals/${await proposed(by)}/reject`, { reason: 'No' }),
  'POST /operator/messages/:id/reply': async (by) => {
    const latest = await writtenMessage(by)
    return as(by, 'POST', `/operator/messages/${latest}/reply`, { text: 'Good day', latest })
  },
  'POST /operator/messages/:id/close': async (by) =>
    as(by, 'POST', `/operator/messages/${await writtenMessage(by)}/close`),
  'POST /operator/messages/:id/reopen': async (by) => {
    const id = await writtenMessage(by)
    await as(by, 'POST', `/operator/messages/${id}/close`)
    return as(by, 'POST', `/operator/messages/${id}/reopen`)
  },
  'POST /operator/blocks/retry': (by) => as(by, 'POST', '/operator/blocks/retry'),
  'POST /operator/outbox/retry': (by) => as(by, 'POST', '/operator/outbox/retry'),
  'PATCH /operator/settings': (by) =>
    as(by, 'PATCH', '/operator/settings', { reasons: { freeze: ['Blurred'] } }),
}

/** The documents that are no change of their own. */
const FILES: Readonly<Record<string, (by: Operator) => Done>> = {
  'GET /operator/treasury/entries/:id/document': async (by) =>
    send('GET', `/operator/treasury/entries/${(await proposeDrawing(by)).body._id}/document`, {
      token: by.token,
    }),
  'GET /operator/deposits/:id/receipt': async (by) =>
    send('GET', `/operator/deposits/${await deposit(await newInvestor(), '10')}/receipt`, {
      token: by.token,
    }),
}

/** Whether a reading call shows a list or a part of an investor's file, and no document or export. */
const isLook = (path = '') => /^\/operator\/investors\/[^/?]+(?:\/[a-z]+)?$/.test(path)

/** Runs something with a watch-only wallet on Ethereum and servers that answer. */
async function withChains<T>(work: () => Promise<T>): Promise<T> {
  const servers = startChainServers()
  try {
    await newWatchWallet('ethereum', { descriptor: '', account: testAccount(++accounts) })
    return await work()
  } finally {
    servers.restore()
    await retireWatchWallet('ethereum')
  }
}

let accounts = 0

async function approvedEther(): Promise<string> {
  const id = await withdrawal(await newInvestor({ availableCents: 100_00 }), '31.5', '/withdrawals', {
    type: 'ethereum',
    network: 'eth',
    address: TEST_ADDRESSES[1],
  })
  await approveWithdrawal(await newOperator(), id)
  return id
}

const buildEther = (by: Operator, id: string) =>
  as<OperatorPayout>(by, 'POST', '/operator/payouts', { chain: 'ethereum', withdrawals: [id], fee: 30 })

const released = (by: Operator, { _id, unsigned }: OperatorPayout) =>
  as(by, 'POST', `/operator/payouts/${_id}/release`, {
    signed: signPayout(unsigned as `0x${string}`, { steps: '/1/0', account: accounts }),
  })

async function writtenMessage(by: Operator): Promise<string | undefined> {
  await call('POST', '/contact-us', { json: { name: 'Ana', email: 'ana@example.com', message: 'Hello' } })
  return (await as<{ _id: string }[]>(by, 'GET', '/operator/messages?status=open')).body[0]?._id
}

const countActs = async (operator: Operator) => (await actsOf(operator)).length

async function actsOf(operator: Operator): Promise<string[]> {
  const { results } = await env.DB.prepare('SELECT action FROM audit_log WHERE actor = ? ORDER BY seq')
    .bind(operator.id)
    .all<{ action: string }>()
  return results.map(({ action }) => action)
}

describe('what an operator changes', { timeout: 60_000 }, () => {
  test('is tried here, route by route, and each names its acts', () => {
    const names = mutations.map(({ method, path }) => `${method} ${path}`)
    expect(Object.keys(SUCCESSES).sort()).toEqual(names.sort())
    expect(mutations.filter(({ audit = [] }) => audit.length === 0)).toEqual([])
  })

  const unchanging = Object.keys(FACTOR_EXCEPTIONS)

  test('the list of exceptions from the fresh factor names existing routes, each with its reason', () => {
    const names = mutations.map(({ method, path }) => `${method} ${path}`)
    expect(unchanging.filter((name) => !names.includes(name))).toEqual([])
    expect(Object.values(FACTOR_EXCEPTIONS).filter((reason) => reason.length < 30)).toEqual([])
  })

  const kept = operatorRoutes
    .map(({ endpoint }) => endpoint)
    .filter((endpoint) => mutations.includes(endpoint) || endpoint.answerType !== undefined)
    .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)

  test.each(kept)(
    'with an old second factor changes nothing, and hands out no file: %s',
    async (name, endpoint) => {
      const operator = await newOperator()
      const replies: { readonly path: string; readonly before: number }[] = []
      hooks.beforeSend = async (method, path, { token }) => {
        if (token !== operator.token || !isOfEndpoint(endpoint, method, path)) return
        await ageFactor(operator, 61)
        replies.push({ path, before: await countActs(operator) })
      }
      try {
        const reply = await (SUCCESSES[name] ?? FILES[name])?.(operator)
        const isAllowed =
          unchanging.includes(name) || (endpoint.method === 'GET' && isLook(replies.at(-1)?.path))
        if (isAllowed) {
          expect(reply?.status).toBe(200)
          return
        }
        const body = reply instanceof Response ? await reply.json() : (reply as Reply<unknown>).body
        expect([reply?.status, body]).toMatchObject([
          403,
          { code: 'step_up_required', reasons: ['fresh_factor'], methods: ['totp'] },
        ])
        expect(await countActs(operator)).toBe(replies.at(-1)?.before)
      } finally {
        hooks.beforeSend = null
      }
    },
  )

  test('a junk code makes no factor fresh, for any call', async () => {
    for (const [name, endpoint] of kept) {
      if (endpoint.method === 'GET') continue
      const operator = await newOperator()
      await ageFactor(operator, 61)
      const before = await countActs(operator)
      const path = endpoint.path.replace(':id', operator.id)
      const { status } = await as(operator, endpoint.method, path, { code: '000000' })
      expect([name, status]).toEqual([name, expect.toSatisfy((code: number) => code >= 400 && code < 500)])
      expect(await countActs(operator)).toBe(before)
    }
  })

  test.each(mutations.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    'is in the audit log under its own name: %s',
    async (name, { audit = [] }) => {
      const operator = await newOperator()
      const reply = await SUCCESSES[name]?.(operator)
      expect([reply?.status, (reply as Reply<unknown> | undefined)?.body]).toEqual([
        expect.toSatisfy((status: number) => status >= 200 && status < 300),
        expect.anything(),
      ])
      expect(
        (await actsOf(operator)).findLast((action) => (audit as readonly string[]).includes(action)),
      ).toBeDefined()
      const path = `/operator/audit-log?actor=${operator.id}&limit=50`
      const { body: lines } = await as<AuditEntry[]>(await newOperator(), 'GET', path)
      for (const { action, label, about } of lines)
        expect([label === action, about?.label ?? 'nothing']).toEqual([
          false,
          expect.not.stringMatching(/undefined|null|NaN|^$/),
        ])
    },
  )

  test('a route that declares no change cannot commit anything', async () => {
    const questions = operatorRoutes.filter(({ endpoint }) => endpoint.isQuery)
    expect(questions.map(({ endpoint }) => endpoint.path)).toEqual([
      '/operator/search',
      '/operator/notifications/preview',
      '/operator/settings/preview',
    ])
    const db = openDatabase(env.DB)
    for (const { endpoint } of questions) {
      const here = { db, nowMs: 0, claim: null, endpoint } as unknown as Parameters<typeof commitEffect>[0]
      const change = { statements: [db.run("UPDATE users SET kyc_status = 'approved'")] }
      await expect(commitEffect(here, 'operator', change)).rejects.toThrow('changes nothing')
    }
  })

  test('no operator’s change happens without its audit line', async () => {
    const endpoint = mutations[0]
    if (endpoint === undefined) throw new Error('There is no such route.')
    const db = openDatabase(env.DB)
    const here = { db, nowMs: 0, claim: null, endpoint } as unknown as Parameters<typeof commitEffect>[0]
    const change = { statements: [db.run("UPDATE users SET kyc_status = 'approved'")] }
    for (const effect of [change, { ...change, audit: [{ action: 'session.ended' as const, subject: '-' }] }])
      await expect(commitEffect(here, 'operator', effect)).rejects.toThrow('without its line')
  })
})

const CARF = { year: 2026, company: 'Sample', country: 'DE', city: 'Berlin', taxNumber: '1' }

let drawn = 0

/** Proposes to take the company's own money from a place that has none, so that each approval opens a difference. */
async function proposeDrawing(by: Operator): Promise<Reply<Proposal>> {
  const places = ['usd:bank', 'bitcoin:other', 'ethereum:other', 'usdt-trc20:other', 'usdc:other']
  const form = {
    ...{ action: 'drawing', from: places[drawn++ % places.length] ?? '', fromQuantity: '900' },
    ...{ reason: 'To the owner', image: newPicture() },
  }
  return call<Proposal>('POST', '/operator/treasury/entries', { token: by.token, form })
}

/** Ends the pause of payouts, as two administrators. */
async function resumePayouts(): Promise<void> {
  const body = { kind: 'payout_resumption', reason: 'The look is over' }
  const made = await propose(await newOperator({ roles: ['administrator'] }), body)
  await approveProposal(await newOperator({ roles: ['administrator'] }), made.body._id)
}
