import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Proposal } from '../../../src/contract/console/proposals.ts'
import type { ReviewerKey } from '../../../src/contract/console/reviewerKeys.ts'
import { computeRecipientFingerprint, type Recipient } from '../../../src/contract/identity/kyc.ts'
import { copyPng } from '../../../src/pictures/samples.ts'
import { callWith } from '../../../test/support/app.ts'
import { mailTo } from '../../../test/support/mailbox.ts'
import { approveProposal, as } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Operator } from '../../../test/support/people.ts'
import {
  newKeyPair,
  newReviewer,
  recipientsFor,
  SEALED_IDENTITY,
  submitSealed,
} from '../../../test/support/reviewers.ts'

afterEach(() => vi.restoreAllMocks())

const run = (statement: string, ...values: unknown[]) =>
  env.DB.prepare(statement)
    .bind(...values)
    .run()
const keysFor = async (operator: Operator) =>
  (await as<ReviewerKey[]>(operator, 'GET', '/operator/kyc/keys')).body
const listed = async () => (await recipientsFor(await newInvestor())).map(({ recipient }) => recipient)

async function propose(operator: Operator, fields: Record<string, unknown> = {}) {
  const { recipient } = await newKeyPair()
  const json = {
    recipient,
    identity: SEALED_IDENTITY,
    method: 'passphrase',
    password: operator.password,
    ...fields,
  }
  return { recipient, reply: await as<Proposal>(operator, 'POST', '/operator/kyc/keys', json) }
}

async function active(operator: Operator, approver: Operator) {
  const { recipient, reply } = await propose(operator)
  if (reply.status !== 202) throw new Error(`The key was not proposed: ${reply.body.msg}`)
  const approved = await approveProposal(approver, reply.body._id)
  if (approved.status !== 200) throw new Error(`The key was not approved: ${approved.body.msg}`)
  const key = (await keysFor(operator)).find((each) => each.recipient === recipient)
  if (key === undefined) throw new Error('The key is not listed.')
  return key
}

describe('a reviewer’s key', () => {
  test('a reviewer’s key is active once another operator has approved it, and not before', async () => {
    const [olu, other] = [await newOperator({ name: 'Olu Bello' }), await newOperator({ name: 'Oda Ther' })]
    const { recipient, reply } = await propose(olu)
    const fingerprint = await computeRecipientFingerprint(recipient)
    expect(reply.status).toBe(202)
    expect(reply.body).toMatchObject({
      kind: 'reviewer_key',
      status: 'pending',
      proposedBy: { _id: olu.id, name: 'Olu Bello' },
      reviewerKey: { _id: expect.any(String), recipient, fingerprint, method: 'passphrase' },
    })
    expect((await mailTo(olu.email, /key was proposed/)).text).toContain(fingerprint)
    expect(await listed()).not.toContain(recipient)
    expect((await keysFor(other)).find((key) => key.recipient === recipient)).toMatchObject({
      status: 'awaiting',
      own: false,
    })

    expect(await approveProposal(olu, reply.body._id)).toMatchObject({
      status: 403,
      body: { code: 'second_operator_required' },
    })
    expect(await listed()).not.toContain(recipient)
    expect(await approveProposal(other, reply.body._id)).toMatchObject({
      status: 200,
      body: { status: 'approved', reviewerKey: { fingerprint } },
    })
    expect(await listed()).toContain(recipient)
    const { results } = await env.DB.prepare(
      'SELECT action, actor FROM audit_log WHERE subject = ? ORDER BY seq',
    )
      .bind(reply.body.reviewerKey?._id)
      .all()
    expect(results).toEqual([
      { action: 'reviewer_key.proposed', actor: olu.id },
      { action: 'reviewer_key.approved', actor: other.id },
    ])
  })

  test('shows its private one, encrypted, to its owner alone', async () => {
    const [olu, other] = [await newOperator(), await newOperator()]
    const { recipient } = await active(olu, other)
    const [own] = await keysFor(olu)
    expect(own).toEqual({
      _id: expect.any(String),
      owner: { _id: olu.id, name: olu.name },
      recipient,
      fingerprint: await computeRecipientFingerprint(recipient),
      method: 'passphrase',
      status: 'active',
      createdAt: expect.stringMatching(/Z$/),
      steps: [
        { step: 'proposed', at: expect.any(String), by: { _id: olu.id, name: olu.name } },
        {
          step: 'approved',
          at: expect.any(String),
          by: { _id: expect.any(String), name: expect.any(String) },
        },
      ],
      own: true,
      ownerReviews: true,
      identity: SEALED_IDENTITY,
    })
    const [seen] = await keysFor(other)
    expect(seen).toMatchObject({ recipient, own: false })
    expect(seen).not.toHaveProperty('identity')
    const proposals = await as(other, 'GET', '/operator/proposals')
    expect(JSON.stringify(proposals.body)).not.toContain('BEGIN AGE')
  })

  test('is proposed with the password, one at a time, and rejected is gone for good', async () => {
    const [olu, other] = [await newOperator(), await newOperator()]
    const wrong = await propose(olu, { password: 'not-the-password' })
    expect(wrong.reply).toMatchObject({ status: 422, body: { code: 'wrong_password' } })
    const { recipient, reply } = await propose(olu)
    expect((await propose(olu)).reply).toMatchObject({
      status: 409,
      body: { msg: 'Another key of yours already awaits approval.' },
    })
    const rejected = await as(other, 'POST', `/operator/proposals/${reply.body._id}/reject`, {
      reason: 'No call',
    })
    expect(rejected.status).toBe(200)
    expect((await keysFor(olu)).map((key) => key.recipient)).not.toContain(recipient)
    expect((await propose(olu, { recipient })).reply).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
    expect((await propose(olu)).reply.status).toBe(202)
  })

  test('is refused with an unencrypted private key or an invalid public key', async () => {
    const olu = await newOperator()
    const { recipient, identity } = await newKeyPair()
    const misspelt = `${recipient.slice(0, -1)}${recipient.endsWith('q') ? 'p' : 'q'}`
    const hostile: [Record<string, unknown>, string][] = [
      [{ identity }, 'identity'],
      [{ identity: '' }, 'identity'],
      [{ identity: undefined }, 'identity'],
      [{ identity: SEALED_IDENTITY.repeat(30) }, 'identity'],
      [{ method: 'passkey' }, 'identity'],
      [{ method: 'none' }, 'method'],
      [{ recipient: misspelt }, 'recipient'],
      [{ recipient: recipient.toUpperCase() }, 'recipient'],
      [{ recipient: `${recipient}\n` }, 'recipient'],
      [{ recipient: 'age1pq1abc' }, 'recipient'],
      [{ recipient: identity }, 'recipient'],
      [{ recipient: undefined }, 'recipient'],
      [{ password: undefined }, 'password'],
    ]
    for (const [fields, field] of hostile) {
      const { reply } = await propose(olu, fields)
      expect([reply.status, Object.keys(reply.body.fields ?? {})]).toEqual([422, [field]])
    }
    expect((await propose(olu, { recipient: env.KYC_RECOVERY_RECIPIENT })).reply).toMatchObject({
      status: 409,
      body: { msg: 'This is the recovery key.' },
    })
  })

  test('only reviewers propose and retire keys', async () => {
    const { reply } = await propose(await newOperator({ roles: ['auditor', 'treasurer', 'administrator'] }))
    expect(reply).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    const [olu, other] = [await newOperator(), await newOperator()]
    await newReviewer()
    const { _id } = await active(olu, other)
    for (const roles of [['auditor'], ['treasurer'], ['reviewer']] as const) {
      const reply = await as(await newOperator({ roles }), 'POST', `/operator/kyc/keys/${_id}/retire`)
      expect(reply).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    }
  })

  test('replaces its owner’s older key, which the owner can still use for older documents', async () => {
    const [olu, other] = [await newOperator(), await newOperator()]
    const older = await active(olu, other)
    const newer = await active(olu, other)
    const recipients = await listed()
    expect([recipients.includes(older.recipient), recipients.includes(newer.recipient)]).toEqual([
      false,
      true,
    ])
    expect((await keysFor(olu)).filter(({ own }) => own)).toMatchObject([
      { recipient: newer.recipient, status: 'active', identity: SEALED_IDENTITY },
      { recipient: older.recipient, status: 'retired', identity: SEALED_IDENTITY },
    ])
  })

  test('a key is retired once, by its owner, or by an administrator after the owner left', async () => {
    await newReviewer()
    const [olu, gone, other] = [await newOperator(), await newOperator(), await newOperator()]
    const [own, left] = [await active(olu, other), await active(gone, other)]
    const mine = await as<ReviewerKey>(olu, 'POST', `/operator/kyc/keys/${own._id}/retire`)
    expect(mine).toMatchObject({ status: 200, body: { _id: own._id, status: 'retired', own: true } })
    const theirs = await as<ReviewerKey>(other, 'POST', `/operator/kyc/keys/${left._id}/retire`)
    expect(theirs).toMatchObject({ status: 200, body: { status: 'retired', own: false } })
    expect(theirs.body).not.toHaveProperty('identity')
    await mailTo(gone.email, /key was retired/)
    expect(await as(other, 'POST', `/operator/kyc/keys/${left._id}/retire`)).toMatchObject({
      status: 409,
      body: { code: 'already_decided' },
    })
    const recipients = await listed()
    expect(recipients.filter((each) => [own.recipient, left.recipient].includes(each))).toEqual([])
    const awaiting = await propose(await newOperator())
    const id = awaiting.reply.body.reviewerKey?._id
    expect((await as(other, 'POST', `/operator/kyc/keys/${id}/retire`)).status).toBe(409)
  })
})

describe('the database enforces four-eyes approval:', () => {
  test('no key is active without another operator’s approval of this key', async () => {
    const [olu, other] = [await newOperator(), await newOperator()]
    const investor = await newInvestor()
    const { recipient, reply } = await propose(olu)
    const id = reply.body.reviewerKey?._id ?? ''
    const approve = 'UPDATE reviewer_keys SET approved_by = ?, approved_at = 1 WHERE id = ?'
    // Not approved by anybody yet; by its owner; by no operator.
    for (const by of [olu.id, other.id, investor.id])
      await expect(run(approve, by, id)).rejects.toThrow('second_operator_required')
    // Its proposal, by its owner.
    const decide = "UPDATE proposals SET status = 'approved', decided_by = ?, decided_at = 1 WHERE id = ?"
    await expect(run(decide, olu.id, reply.body._id)).rejects.toThrow('second_operator_required')
    // Another key under an approved proposal; a key that is active from the start; somebody else's proposal.
    const insert = `INSERT INTO reviewer_keys (id, user_id, recipient, identity, method, proposal, created_at, approved_by, approved_at)
      VALUES (?, ?, ?, 'x', 'passphrase', ?, 1, ?, ?)`
    const stranger = (await newKeyPair()).recipient
    await expect(run(insert, 'x1', olu.id, stranger, reply.body._id, null, null)).rejects.toThrow(/conflict/)
    await expect(run(insert, 'x2', olu.id, stranger, reply.body._id, other.id, 1)).rejects.toThrow(
      'second_operator_required',
    )
    const bonus = await as<Proposal>(olu, 'POST', '/operator/proposals', {
      kind: 'bonus',
      investor: investor.id,
      amount: 5,
      reason: 'Thanks',
    })
    await expect(run(insert, 'x3', other.id, stranger, bonus.body._id, null, null)).rejects.toThrow(
      'reviewer_keys: no pending proposal by the owner',
    )
    await run(decide, other.id, reply.body._id)
    await expect(run(approve, olu.id, id)).rejects.toThrow('second_operator_required')
    await run(approve, other.id, id)
    expect(await listed()).toContain(recipient)
    // After that it stays unchanged.
    for (const change of [
      `UPDATE reviewer_keys SET recipient = '${stranger}' WHERE id = ?`,
      "UPDATE reviewer_keys SET identity = 'x' WHERE id = ?",
      'UPDATE reviewer_keys SET approved_at = NULL, approved_by = NULL WHERE id = ?',
      'DELETE FROM reviewer_keys WHERE id = ?',
    ])
      await expect(run(change, id)).rejects.toThrow()
    await expect(
      run(
        `INSERT OR REPLACE INTO reviewer_keys (id, user_id, recipient, identity, method, proposal, created_at)
        SELECT id, user_id, '${stranger}', identity, method, proposal, created_at FROM reviewer_keys WHERE id = ?`,
        id,
      ),
    ).rejects.toThrow(/conflict/)
  })

  test('the last key cannot be retired, not even by two people in parallel', async () => {
    await newReviewer()
    const admin = await newOperator()
    const before = (await keysFor(admin)).filter(({ status }) => status === 'active')
    const replies = await Promise.all(
      before.map(({ _id }) => as(admin, 'POST', `/operator/kyc/keys/${_id}/retire`)),
    )
    const refused = replies.filter(({ status }) => status !== 200)
    expect(refused).toMatchObject([{ status: 409, body: { code: 'last_reviewer_key' } }])
    const [last] = (await keysFor(admin)).filter(({ status }) => status === 'active')
    await expect(
      run('UPDATE reviewer_keys SET retired_by = ?, retired_at = 1 WHERE id = ?', admin.id, last?._id),
    ).rejects.toThrow('last_reviewer_key')
    expect(await listed()).toEqual([last?.recipient, env.KYC_RECOVERY_RECIPIENT])
  })
})

describe('a reviewer who leaves', () => {
  const standing = async (viewer: Operator, owner: Operator) =>
    (await keysFor(viewer)).filter((key) => key.owner._id === owner.id).map(({ status }) => status)
  const retired = async (owner: Operator) =>
    (
      await env.DB.prepare(
        "SELECT actor, detail FROM audit_log WHERE action = 'reviewer_key.retired' AND detail LIKE '%' || ? || '%'",
      )
        .bind(owner.id)
        .all<{ actor: string }>()
    ).results.map(({ actor }) => actor)

  test('a reviewer who leaves has no active key, and documents encrypted to it are listed for resealing', async () => {
    const [first, second] = [await newOperator(), await newOperator()]
    const [left, stays] = [await newReviewer(), await newReviewer()]
    const ana = await newInvestor({ kyc: 'none' })
    await submitSealed(ana, copyPng())
    const roles = { roles: ['treasurer'], reason: 'Moves on' }
    const made = await as<Proposal>(first, 'POST', `/operator/operators/${left.id}/roles`, roles)
    expect(await listed()).toContain(left.recipient)
    expect((await approveProposal(second, made.body._id)).status).toBe(200)
    expect(await listed()).not.toContain(left.recipient)
    expect(await listed()).toContain(stays.recipient)
    expect(await standing(first, left)).toEqual(['retired'])
    expect(await retired(left)).toEqual([second.id])
    const { body } = await as<{ investor: { _id: string }; outdated: boolean }[]>(
      first,
      'GET',
      '/operator/kyc',
    )
    expect(body.find(({ investor }) => investor._id === ana.id)).toMatchObject({ outdated: true })

    await as(first, 'POST', `/operator/operators/${stays.id}/disable`, { reason: 'A test' })
    expect(await standing(first, stays)).toEqual(['retired'])
    expect(await retired(stays)).toEqual([first.id])
  })

  test('is not approved a key that waited, nor proposes one', async () => {
    const [first, second] = [await newOperator(), await newOperator()]
    const left = await newOperator()
    const waiting = await propose(left)
    const roles = { roles: ['treasurer'], reason: 'Moves on' }
    const made = await as<Proposal>(first, 'POST', `/operator/operators/${left.id}/roles`, roles)
    await approveProposal(second, made.body._id)
    expect(await approveProposal(first, waiting.reply.body._id)).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
    expect((await propose(left)).reply.status).toBe(403)
  })

  test('the last key of a reviewer who left stays until another is active, and its owner is named', async () => {
    const [first, last] = [await newOperator(), await newReviewer()]
    for (const { _id, status, own } of await keysFor(last))
      if (status === 'active' && !own)
        expect((await as(first, 'POST', `/operator/kyc/keys/${_id}/retire`)).status).toBe(200)
    await as(first, 'POST', `/operator/operators/${last.id}/disable`, { reason: 'A test' })
    expect(await listed()).toEqual([last.recipient, env.KYC_RECOVERY_RECIPIENT])
    const kept = (await keysFor(first)).filter(({ status }) => status === 'active')
    expect(kept).toMatchObject([{ owner: { _id: last.id }, ownerReviews: false }])

    const next = await active(await newOperator(), first)
    expect(await listed()).toEqual([next.recipient, env.KYC_RECOVERY_RECIPIENT])
    expect(await standing(first, last)).toEqual(['retired'])
    expect(await retired(last)).toEqual([first.id])
  })
})

describe('without a recovery key', () => {
  let errors: string[] = []
  beforeEach(() => {
    errors = []
    vi.spyOn(console, 'error').mockImplementation((...words) => void errors.push(words.join(' ')))
  })
  const ask = (method: string, path: string, token: string, json?: unknown) =>
    callWith({ KYC_RECOVERY_RECIPIENT: '' }, method, path, { token, ...(json !== undefined && { json }) })

  test('without a recovery key nothing is encrypted, and no key is proposed or approved', async () => {
    const [olu, other] = [await newOperator(), await newReviewer()]
    const { reply } = await propose(olu)
    const answers = [
      await ask('GET', '/kyc/recipients', (await newInvestor()).token),
      await ask('POST', `/operator/proposals/${reply.body._id}/approve`, other.token, {}),
      await ask('POST', '/operator/kyc/keys', other.token, {
        recipient: (await newKeyPair()).recipient,
        identity: SEALED_IDENTITY,
        method: 'passphrase',
        password: other.password,
      }),
    ]
    for (const answer of answers)
      expect(answer).toMatchObject({
        status: 503,
        body: { code: 'unavailable', msg: expect.stringContaining('KYC_RECOVERY_RECIPIENT') },
      })
    expect(errors.join('\n')).toContain('KYC_RECOVERY_RECIPIENT')
    // Stored documents can still be opened and decided.
    expect(await ask('GET', '/operator/kyc', other.token)).toMatchObject({ status: 200 })
  })
})

test('without reviewers’ keys documents are sent unencrypted', async () => {
  await env.DB.batch([
    env.DB.prepare('DROP TRIGGER reviewer_keys_change'),
    env.DB.prepare('UPDATE reviewer_keys SET retired_by = user_id, retired_at = 1 WHERE retired_at IS NULL'),
  ])
  expect(await recipientsFor(await newInvestor())).toEqual([] satisfies Recipient[])
})
