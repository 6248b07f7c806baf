import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { Proposal } from '../../../src/contract/console/proposals.ts'
import { SETTINGS } from '../../../src/contract/console/settingList.ts'
import type { Settings } from '../../../src/contract/console/settingValues.ts'
import { fileDeposit } from '../../../test/support/filing.ts'
import { call } from '../../../test/support/http.ts'
import { approveDeposit, approveProposal, as, deposit, propose } from '../../../test/support/operating.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'

// The tests of this file build on each other, because settings are global.
const settings = async () => (await as<Settings>(await newOperator(), 'GET', '/operator/settings')).body

test('settings that nobody changed have their defaults', async () => {
  expect(await settings()).toEqual({
    messagingNumber: null,
    supportAddress: null,
    reasons: {
      depositRejection: SETTINGS['reasons.depositRejection'].default,
      withdrawalRejection: SETTINGS['reasons.withdrawalRejection'].default,
      identityRejection: SETTINGS['reasons.identityRejection'].default,
      addressRejection: SETTINGS['reasons.addressRejection'].default,
      finalRejection: SETTINGS['reasons.finalRejection'].default,
      recoveryRejection: SETTINGS['reasons.recoveryRejection'].default,
      freeze: SETTINGS['reasons.freeze'].default,
      disabling: SETTINGS['reasons.disabling'].default,
      proposalRejection: SETTINGS['reasons.proposalRejection'].default,
      suspension: SETTINGS['reasons.suspension'].default,
      reversal: SETTINGS['reasons.reversal'].default,
      bonus: SETTINGS['reasons.bonus'].default,
    },
    risk: expect.any(Object),
    targets: expect.any(Object),
    templates: {
      depositPending: SETTINGS['templates.depositPending'].default,
      depositDecided: SETTINGS['templates.depositDecided'].default,
      withdrawalPending: SETTINGS['templates.withdrawalPending'].default,
      withdrawalHeld: SETTINGS['templates.withdrawalHeld'].default,
      withdrawalApproved: SETTINGS['templates.withdrawalApproved'].default,
      withdrawalDecided: SETTINGS['templates.withdrawalDecided'].default,
      identityPending: SETTINGS['templates.identityPending'].default,
      identityRejected: SETTINGS['templates.identityRejected'].default,
      factorLost: SETTINGS['templates.factorLost'].default,
      accountLocked: SETTINGS['templates.accountLocked'].default,
      account: SETTINGS['templates.account'].default,
      general: SETTINGS['templates.general'].default,
      depositQuestion: SETTINGS['templates.depositQuestion'].default,
      withdrawalQuestion: SETTINGS['templates.withdrawalQuestion'].default,
      identityQuestion: SETTINGS['templates.identityQuestion'].default,
    },
    twoPersonLimit: 5000,
    dailyCeilings: { creditsAlone: 25_000, payoutsAlone: 25_000, credits: 10_000_000, payouts: 10_000_000 },
    factorMinutes: 15,
    confidentialRole: 'administrator',
    silentFreezeDays: 14,
    automaticCredit: 5000,
    addressGap: 1000,
    quoteMinutesBitcoin: 60,
    quoteMinutesEthereum: 15,
    orderCollar: 100,
    orderMost: 10000,
    orderDayMost: 50000,
    reserveShortfall: SETTINGS.reserveShortfall.default,
    notificationsPerDay: 20,
    kycRequired: true,
    addressProofAbove: 0,
    referralBonus: 0,
    referral: { minimumDeposit: 100, maturityDays: 30 },
    liabilitiesFrom: 20,
    minimums: {
      deposit: 0,
      withdrawal: 0,
      btc: 2,
      eth: 2,
      'usdt-trc20': 2,
      'usdt-bsc': 1,
      'usdt-erc20': 2,
      'usdc-erc20': 2,
    },
    fees: { performanceBasisPoints: 0, subscriptionMonthly: 0 },
    retention: { documentDays: 1825, personDays: 1825, rejectedDocumentDays: 180 },
  })
})

test('contact details take two administrators', async () => {
  const [first, second] = [await newOperator(), await newOperator()]
  const contact = { messagingNumber: '+41 79 123 45 67', supportAddress: 'help@example.com' }
  const proposed = await as<Proposal>(first, 'PATCH', '/operator/settings', contact)
  expect(proposed).toMatchObject({ status: 202, body: { kind: 'settings', settings: contact } })
  expect((await call('GET', '/whatsapp')).body).toEqual([])
  expect(await approveProposal(first, proposed.body._id)).toMatchObject({
    status: 403,
    body: { code: 'second_operator_required' },
  })
  expect((await approveProposal(second, proposed.body._id)).status).toBe(200)
  expect(await settings()).toMatchObject(contact)
  expect((await call('GET', '/whatsapp')).body).toEqual([{ number: '+41 79 123 45 67' }])

  const none = await as<Proposal>(second, 'PATCH', '/operator/settings', { messagingNumber: '' })
  expect(none).toMatchObject({ status: 202, body: { settings: { messagingNumber: null } } })
  expect((await approveProposal(first, none.body._id)).status).toBe(200)
  expect(await settings()).toMatchObject({ ...contact, messagingNumber: null })
  expect((await call('GET', '/whatsapp')).body).toEqual([])
})

test('no hand-written SQL changes contact details alone', async () => {
  const [first, second] = [await newOperator(), await newOperator()]
  const { body } = await as<Proposal>(first, 'PATCH', '/operator/settings', {
    messagingNumber: '+41 22 000 00 00',
  })
  for (const sql of [
    `INSERT INTO settings (key, value, updated_at) VALUES ('messagingNumber', '"+1555"', 1)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    `UPDATE settings SET value = '"thief@example.com"' WHERE key = 'supportAddress'`,
    `UPDATE settings SET value = '"thief@example.com"', proposal = '${body._id}' WHERE key = 'supportAddress'`,
    `DELETE FROM settings WHERE key = 'supportAddress'`,
  ])
    await expect(env.DB.prepare(sql).run(), sql).rejects.toThrow(/second_operator_required/)
  // An approved decision about another setting allows no change of this one.
  await approveProposal(second, body._id)
  const other = `UPDATE settings SET value = '"thief@example.com"', proposal = '${body._id}' WHERE key = 'supportAddress'`
  await expect(env.DB.prepare(other).run()).rejects.toThrow(/second_operator_required/)
  const back = await as<Proposal>(first, 'PATCH', '/operator/settings', { messagingNumber: '' })
  await approveProposal(second, back.body._id)
})

/** Changes lists of reasons with two administrators. */
async function changeReasons(reasons: object): Promise<Settings['reasons']> {
  const [first, second] = [await newOperator(), await newOperator()]
  const { status, body } = await as<Proposal>(first, 'PATCH', '/operator/settings', { reasons })
  expect(status).toBe(202)
  expect((await approveProposal(second, body._id)).status).toBe(200)
  return (await settings()).reasons
}

test('a list of reasons, which investors read, takes two administrators', async () => {
  const [first, second] = [await newOperator(), await newOperator()]
  const changed = { reasons: { freeze: ['No'] } }
  const { body } = await as<Proposal>(first, 'PATCH', '/operator/settings', changed)
  expect(await settings()).not.toMatchObject(changed)
  for (const sql of [
    `INSERT INTO settings (key, value, updated_at) VALUES ('reasons', '{"freeze":["No"]}', 1)`,
    `INSERT INTO settings (key, value, proposal, updated_at) VALUES ('reasons', '{"freeze":["No"]}', '${body._id}', 1)`,
  ])
    await expect(env.DB.prepare(sql).run(), sql).rejects.toThrow('second_operator_required')
  expect((await approveProposal(first, body._id)).status).toBe(403)
  expect((await approveProposal(second, body._id)).status).toBe(200)
  expect(await settings()).toMatchObject(changed)
  const alone = `UPDATE settings SET value = '{"freeze":["Call +1 555 010 9999"]}' WHERE key = 'reasons'`
  await expect(env.DB.prepare(alone).run()).rejects.toThrow('second_operator_required')
})

test('the reasons of one kind of decision change alone, and keep their order', async () => {
  const freeze = ['Second', 'First', 'Third']
  expect(await changeReasons({ freeze })).toMatchObject({
    freeze,
    reversal: SETTINGS['reasons.reversal'].default,
  })
  expect(await changeReasons({ reversal: [] })).toMatchObject({ freeze, reversal: [] })
})

test('listed reasons name no address or number of others, also in a proposal', async () => {
  const operator = await newOperator()
  const reasons = { freeze: ['Call +1 555 010 9999'] }
  const refused = { status: 422, body: { fields: { reasons: expect.any(String) } } }
  expect(await as(operator, 'PATCH', '/operator/settings', { reasons })).toMatchObject(refused)
  expect(await propose(operator, { kind: 'settings', settings: { reasons } })).toMatchObject(refused)
})

test('a change becomes a proposal, and applies once another operator approves it', async () => {
  const [first, second] = [await newOperator(), await newOperator()]
  const reply = await as<Proposal>(first, 'PATCH', '/operator/settings', {
    twoPersonLimit: '1000.50',
    kycRequired: false,
    minimums: { deposit: 20 },
    fees: { performanceBasisPoints: 1500 },
    retention: { personDays: 3650 },
    reason: 'A test',
  })
  expect(reply.status).toBe(202)
  expect(reply.body).toMatchObject({
    kind: 'settings',
    status: 'pending',
    settings: {
      twoPersonLimit: 1000.5,
      kycRequired: false,
      minimums: { deposit: 20 },
      fees: { performanceBasisPoints: 1500 },
      retention: { personDays: 3650 },
    },
  })
  expect(reply.body.changes).toContainEqual({
    setting: 'twoPersonLimit',
    label: 'Two operators above',
    before: '$5,000.00',
    after: '$1,000.50',
  })
  expect(reply.body.settings).not.toHaveProperty('referralBonus')
  expect(reply.body.settings).not.toHaveProperty('minimums.withdrawal')
  expect(await settings()).toMatchObject({ twoPersonLimit: 5000, kycRequired: true })

  expect((await approveProposal(first, reply.body._id)).status).toBe(403)
  expect((await approveProposal(second, reply.body._id)).status).toBe(200)
  expect(await settings()).toMatchObject({
    twoPersonLimit: 1000.5,
    kycRequired: false,
    referralBonus: 0,
    minimums: { deposit: 20, withdrawal: 0 },
    fees: { performanceBasisPoints: 1500, subscriptionMonthly: 0 },
    retention: { documentDays: 1825, personDays: 3650, rejectedDocumentDays: 180 },
  })
})

test('a later decision is merged with the current values, part by part', async () => {
  const [first, second] = [await newOperator(), await newOperator()]
  const made = await propose(first, {
    kind: 'settings',
    settings: { minimums: { withdrawal: 10 }, referralBonus: 15 },
    reason: 'Costs',
  })
  expect(made.body).toMatchObject({ status: 'pending', reason: 'Costs', settings: { referralBonus: 15 } })
  const change = { setting: 'minimums.withdrawal', label: 'Smallest withdrawal', after: '$10.00' }
  expect(made.body.changes).toContainEqual({ ...change, before: '$0.00' })
  // After it applies, the former value is still shown.
  const approved = await approveProposal(second, made.body._id)
  expect(approved.body.changes).toContainEqual({ ...change, before: '$0.00' })
  expect(await settings()).toMatchObject({
    referralBonus: 15,
    minimums: { deposit: 20, withdrawal: 10 },
    fees: { performanceBasisPoints: 1500 },
  })
})

test('changed settings apply from then on', async () => {
  const unverified = await newInvestor({ kyc: 'none' })
  expect((await fileDeposit(unverified, { amount: '19.99' })).body.fields).toHaveProperty('amount')
  const id = await deposit(unverified, '1000.51')
  // Above the limit of the tests before.
  expect((await approveDeposit(await newOperator(), id)).status).toBe(202)
})

test('a listed reason may name the case, and investors read it filled in', async () => {
  await changeReasons({ depositRejection: ['{name}, {amount} of {ref} has not arrived.'] })
  const operator = await newOperator()
  const investor = await newInvestor({ name: 'Ana Torres' })
  const id = await deposit(investor, '40')
  const { ref } = (await as<{ ref: string }>(operator, 'GET', `/operator/deposits/${id}`)).body
  const reason = `Ana Torres, $40.00 of ${ref} has not arrived.`
  const { body } = await as<{ reason: string }>(operator, 'POST', `/operator/deposits/${id}/reject`, {
    reason,
  })
  expect(body.reason).toBe(reason)
  const wrong = { reasons: { depositRejection: ['Call {phone}'] }, templates: { general: ['About {ref}'] } }
  const refused = await as(operator, 'PATCH', '/operator/settings', wrong)
  expect([refused.status, refused.body.fields]).toEqual([
    422,
    {
      'reasons.depositRejection.0': '{phone} is not filled in here. Use {name}, {ref}, {amount}',
      'templates.general.0': '{ref} is not filled in here. Use {name}',
    },
  ])
})

test('an empty change and an unknown setting are refused', async () => {
  const operator = await newOperator()
  const wrong: [unknown, string[]][] = [
    [{}, []],
    [{ minimums: {} }, []],
    [{ role: 'administrator' }, []],
    [{ messagingNumber: 'call me' }, ['messagingNumber']],
    [{ supportAddress: 'nowhere' }, ['supportAddress']],
    [{ reasons: { freeze: ['Fine', ''] } }, ['reasons.freeze.1']],
    [{ reasons: 'Because' }, ['reasons']],
    [{ reasons: { freeze: 'Because' } }, ['reasons.freeze']],
    [{ reasons: { unheardOf: ['Because'] } }, []],
    [{ twoPersonLimit: null }, ['twoPersonLimit']],
    [{ fees: { performanceBasisPoints: 10_001 } }, ['fees.performanceBasisPoints']],
    [{ retention: { documentDays: 0 } }, ['retention.documentDays']],
    [{ retention: { personDays: 10_951 } }, ['retention.personDays']],
    // What one operator or a day may decide is changed with a reason.
    [{ twoPersonLimit: 9 }, ['reason']],
    [{ dailyCeilings: { payouts: 9 } }, ['reason']],
  ]
  for (const [json, fields] of wrong) {
    const reply = await as(operator, 'PATCH', '/operator/settings', json)
    expect([json, reply.status, Object.keys(reply.body.fields ?? {})]).toEqual([json, 422, fields])
  }
})

test('one operator cannot change a guarded setting with SQL either', async () => {
  const ana = await newInvestor()
  const operator = await newOperator()
  const bonus = await propose(operator, { kind: 'bonus', investor: ana.id, amount: 5, reason: 'Thanks' })
  const made = await propose(operator, {
    kind: 'settings',
    settings: { twoPersonLimit: 1_000_000 },
    reason: 'A test',
  })
  const statements = [
    "INSERT OR REPLACE INTO settings VALUES ('twoPersonLimit', '100000000', NULL, 0)",
    `INSERT OR REPLACE INTO settings VALUES ('twoPersonLimit', '100000000', '${made.body._id}', 0)`,
    `INSERT OR REPLACE INTO settings VALUES ('twoPersonLimit', '100000000', '${bonus.body._id}', 0)`,
    "UPDATE settings SET value = '100000000' WHERE key = 'twoPersonLimit'",
    "UPDATE settings SET key = 'twoPersonLimit', value = '100000000' WHERE key = 'reasons'",
    "DELETE FROM settings WHERE key = 'twoPersonLimit'",
    `UPDATE proposals SET status = 'approved', decided_by = proposed_by, decided_at = 1 WHERE id = '${made.body._id}'`,
  ]
  for (const statement of statements) {
    await expect(env.DB.prepare(statement).run(), statement).rejects.toThrow('second_operator_required')
  }
})
