import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  AUDIT_ACTIONS,
  AUDIT_FORMS,
  AUDIT_SUBJECTS,
  type AuditAction,
  type AuditFacts,
  auditParts,
  auditSentence,
  describeAction,
} from './auditWords.ts'

const ana = { person: 'i', role: 'investor', name: 'Ana Torres' } as const
const nothing = { form: null, amount: null, label: null, person: null, role: null, name: null }
const line = {
  actor: 'o',
  actorName: 'Mira Holt',
  actorRole: 'operator',
  action: 'deposit.credited',
  subject: 'd',
  about: { ...nothing, ...ana, kind: 'deposit', amount: 500 },
} as const satisfies AuditFacts

const said = (facts: Partial<AuditFacts>) => auditSentence({ ...line, ...facts })
const about = (facts: Partial<NonNullable<AuditFacts['about']>>) =>
  ({ ...nothing, kind: 'deposit', ...facts }) as const

test('a line names who did what to whom, and links each of them', () => {
  expect(auditParts(line)).toEqual([
    { text: 'Mira Holt', to: { kind: 'operator', id: 'o' } },
    { text: ' ' },
    { text: 'credited ' },
    { text: 'Ana Torres', to: { kind: 'investor', id: 'i' } },
    { text: '’s ' },
    { text: 'deposit of $500.00', to: { kind: 'deposit', id: 'd' } },
  ])
  expect(said({ action: 'investor.frozen', subject: 'i', about: about({ ...ana, kind: 'investor' }) })).toBe(
    'Mira Holt froze Ana Torres’s account',
  )
})

test('people’s own things are theirs', () => {
  const own = { actor: 'i', actorName: 'Ana Torres', actorRole: 'investor' } as const
  expect(said({ ...own, action: 'deposit.requested' })).toBe('Ana Torres requested a deposit of $500.00')
  expect(said({ ...own, action: 'deposit.cancelled' })).toBe('Ana Torres cancelled their deposit of $500.00')
  expect(said({ ...own, action: 'session.opened', about: null })).toBe('Ana Torres signed in')
  const redeem = about({ ...ana, kind: 'order', form: 'redeem', label: 'Slow Trend' })
  expect(said({ ...own, action: 'redemption.requested', about: redeem })).toBe(
    'Ana Torres placed an order to redeem everything from Slow Trend',
  )
})

test('system jobs, the database owner and visitors are named', () => {
  const nobody = { actorName: null, actorRole: null, about: null }
  const setting = about({ kind: 'setting', label: 'Two operators above' })
  expect(said({ ...nobody, actor: 'system', action: 'settings.changed', about: setting })).toBe(
    'The system changed the setting “Two operators above”',
  )
  expect(
    said({
      ...nobody,
      actor: 'system',
      action: 'kyc.document_shredded',
      about: about({ ...ana, kind: 'kyc' }),
    }),
  ).toBe('The erasure job deleted Ana Torres’s identity document')
  const otto = about({ kind: 'operator', person: 'x', role: 'operator', name: 'Otto Berg' })
  expect(said({ ...nobody, actor: 'owner', action: 'operator.disabled', about: otto })).toBe(
    'The database owner disabled Otto Berg’s access',
  )
  // Who opens a mailed link is not signed in, but the account is known.
  const visitor = { ...nobody, actor: 'visitor', action: 'password.reset', subject: 'i' }
  expect(said({ ...visitor, about: about({ ...ana, kind: 'investor' }) })).toBe(
    'Ana Torres chose a new password with a mailed link',
  )
  expect(said(visitor)).toBe('A visitor chose a new password with a mailed link')
})

test('an erased person, a deleted thing and an unknown action have words', () => {
  const erased = { ...line.about, name: null }
  expect(said({ about: erased })).toBe('Mira Holt credited a former investor’s deposit of $500.00')
  expect(
    said({ actor: 'i', actorName: null, actorRole: 'investor', action: 'account.closed', about: null }),
  ).toBe('A former investor closed their account')
  expect(said({ action: 'message.closed', about: null })).toBe('Mira Holt closed a deleted message')
  expect(said({ actor: 'x', actorName: null, actorRole: null, action: 'moon.eaten', about: null })).toBe(
    'A deleted account did “moon.eaten”',
  )
})

test('each kind of proposal says what is proposed', () => {
  const facts = { ...ana, amount: 25, label: 'Slow Trend' }
  const sentences = AUDIT_FORMS.map((form) =>
    said({ action: 'proposal.approved', about: about({ ...facts, kind: 'proposal', form }) }),
  )
  expect(sentences).toContain('Mira Holt approved a bonus of $25.00 for Ana Torres')
  expect(sentences).toContain('Mira Holt approved stopping the strategy Slow Trend for good')
  expect(sentences.join()).not.toMatch(/[{}[\]…]/)
  const own = about({ ...ana, kind: 'proposal', form: 'reviewer_key', person: 'o', role: 'operator' })
  expect(said({ action: 'proposal.created', about: own })).toBe('Mira Holt proposed their document key')
})

describe('every action', () => {
  const actions = Object.keys(AUDIT_ACTIONS) as AuditAction[]

  test('makes a sentence about every kind of thing, without ids or gaps', () => {
    for (const action of actions)
      for (const kind of AUDIT_SUBJECTS)
        for (const thing of [null, about({ ...ana, kind, amount: 5, label: 'reviewer' })]) {
          const sentence = said({ action, subject: 'an-id', about: thing })
          expect([action, kind, sentence]).toEqual([
            action,
            kind,
            expect.not.stringMatching(/[{}[\]]|an-id|undefined|null| {2}/),
          ])
        }
  })

  test('has its own label in the list to choose from', () => {
    const labels = actions.map(describeAction)
    expect(describeAction('deposit.credited')).toBe('Credited a deposit')
    expect(describeAction('operator.roles_changed')).toBe('Changed an operator’s roles')
    expect(labels.filter((label) => !/^[A-Z][^{}…]+$/.test(label))).toEqual([])
    expect(new Set(labels).size).toBe(labels.length)
  })

  // The Worker's actions are typed. Triggers write theirs in SQL.
  test('that a trigger writes is in the list', () => {
    const folder = join(import.meta.dirname, '../../migrations')
    const written = readdirSync(folder).flatMap((name) =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(/INSERT INTO audit_log[\s\S]+?;/g)].flatMap(
        ([statement]) => [...statement.matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map(([, action = '']) => action),
      ),
    )
    expect(written.length).toBeGreaterThan(4)
    expect(written.filter((action) => !Object.hasOwn(AUDIT_ACTIONS, action))).toEqual([])
  })
})
