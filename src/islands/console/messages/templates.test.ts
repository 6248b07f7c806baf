import { expect, test } from 'vitest'
import {
  type ContactMessage,
  type MentionedCase,
  replyFields,
  type Situation,
} from '../../../contract/console/messages.ts'
import { splitTemplate } from '../../../contract/console/placeholders.ts'
import { getSettingFacts, SETTING_KEYS, SETTINGS } from '../../../contract/console/settingList.ts'
import { createRule } from '../../../contract/console/settingRules.ts'
import type { Settings } from '../../../contract/console/settingValues.ts'
import { listTemplates } from './templates.ts'

const templates: Settings['templates'] = {
  depositPending: ['{name}: {ref} of {amount} is {status}'],
  depositDecided: ['Decided: {status}'],
  withdrawalPending: ['Pending: {ref}'],
  withdrawalHeld: ['Until {until}'],
  withdrawalApproved: ['Approved: {ref}'],
  withdrawalDecided: ['Over: {status}'],
  identityPending: ['Checked: {ref}'],
  identityRejected: ['Rejected: {ref}'],
  factorLost: ['Factor'],
  accountLocked: ['Locked'],
  account: ['Your account, {name}'],
  general: ['Anything'],
  depositQuestion: [],
  withdrawalQuestion: [],
  identityQuestion: [],
}
const deposit: Situation = {
  ...{ kind: 'deposit', ref: 'DEP-7K3M9Q2X', status: 'pending', amount: 1500.5, until: null },
}
const list = (situation: Situation[], others: Partial<ContactMessage> = {}) =>
  listTemplates(templates, { name: 'Ana Torres', investor: null, situation, ...others } as ContactMessage)
const listTexts = (state: Situation) => list([state]).flatMap(({ texts }) => texts)

test('templates fit the state of the writer’s account, with reference, amount, status and end of a delay', () => {
  expect(list([deposit])).toEqual([
    {
      label: 'Deposit DEP-7K3M9Q2X, pending',
      texts: ['Ana Torres: DEP-7K3M9Q2X of $1,500.50 is pending'],
    },
    { label: 'Any message', texts: ['Anything'] },
  ])
  expect(listTexts({ ...deposit, status: 'approved' })).toEqual(['Decided: credited', 'Anything'])
  const withdrawal: Situation = { ...deposit, kind: 'withdrawal', ref: 'WDR-7K3M9Q2X' }
  expect(listTexts(withdrawal)).toEqual(['Pending: WDR-7K3M9Q2X', 'Anything'])
  expect(listTexts({ ...withdrawal, status: 'approved' })).toEqual(['Approved: WDR-7K3M9Q2X', 'Anything'])
  expect(listTexts({ ...withdrawal, status: 'completed' })).toEqual(['Over: paid', 'Anything'])
  expect(list([{ ...withdrawal, until: '2026-01-31T09:00:00.000Z' }])[0]).toEqual({
    label: 'Withdrawal WDR-7K3M9Q2X, delayed',
    texts: [expect.stringMatching(/^Until .*2026.* UTC$/)],
  })
  const document: Situation = { ...deposit, kind: 'kyc', ref: 'KYC-7K3M9Q2X', amount: null }
  expect(listTexts(document)).toEqual(['Checked: KYC-7K3M9Q2X', 'Anything'])
  expect(listTexts({ ...document, status: 'rejected' })).toEqual(['Rejected: KYC-7K3M9Q2X', 'Anything'])
  expect(listTexts({ ...document, status: 'approved' })).toEqual(['Anything'])
  expect(listTexts({ ...document, status: 'rejected for good' })).toEqual(['Anything'])
  expect(listTexts({ ...document, kind: 'factor_recovery', ref: null })).toEqual(['Factor', 'Anything'])
  expect(listTexts({ ...document, kind: 'lock', ref: null })).toEqual(['Locked', 'Anything'])
})

test('the cases that a message mentions come first, and texts about the account only for its address', () => {
  const other: Situation = { ...deposit, ref: 'DEP-00000000' }
  const mentioned = [{ ref: 'DEP-7K3M9Q2X' } as MentionedCase]
  const investor = { _id: 'a', name: 'Ana Torres', email: 'ana@example.com' }
  expect(list([other, deposit], { mentioned, investor }).map(({ label }) => label)).toEqual([
    'Deposit DEP-7K3M9Q2X, pending',
    'Deposit DEP-00000000, pending',
    'The account',
    'Any message',
  ])
})

test('a first line that begins with # names a template, and is not sent', () => {
  expect(splitTemplate('# A death\n\nWe are sorry.\n\nPlease write.')).toEqual({
    name: 'A death',
    text: 'We are sorry.\n\nPlease write.',
  })
  expect(splitTemplate('# A death')).toEqual({ name: '# A death', text: '# A death' })
  expect(splitTemplate('Number #1')).toEqual({ name: 'Number #1', text: 'Number #1' })
  const long = 'x'.repeat(100)
  expect(splitTemplate(long)).toEqual({ name: `${'x'.repeat(90)}…`, text: long })
})

test('each default template has a name of its own in its list', () => {
  for (const [key, { default: value }] of Object.entries(SETTINGS).filter(([key]) =>
    key.startsWith('templates.'),
  )) {
    const names = (value as readonly string[]).map((template) => splitTemplate(template).name)
    expect([key, new Set(names).size]).toEqual([key, names.length])
    expect(names.filter((name) => name.length > 40)).toEqual([])
  }
})

test('a text with a gap is neither offered nor sent', () => {
  expect(listTexts({ ...deposit, amount: null })).toEqual(['Anything'])
  const sent = replyFields.safeParse({ text: 'About {ref}' })
  expect(sent.error?.issues[0]?.message).toBe('Please fill in {ref}')
})

test('support, who sees no amounts, gets a text for each state', () => {
  const texts = Object.entries(SETTINGS).flatMap(([key, { default: value }]) =>
    key.startsWith('templates.') && Array.isArray(value) ? (value as string[]) : [],
  )
  expect(texts.filter((text) => text.includes('{amount}'))).toEqual([])
})

test('listed texts have only placeholders that are filled in', () => {
  for (const key of SETTING_KEYS.filter((key) => getSettingFacts(key).unit === 'list'))
    expect([key, createRule(key).safeParse(getSettingFacts(key).default).success]).toEqual([key, true])
  const findProblem = (key: 'templates.general' | 'reasons.freeze', text: string) =>
    createRule(key).safeParse([text]).error?.issues[0]?.message
  expect(findProblem('templates.general', 'About {ref}')).toBe('{ref} is not filled in here. Use {name}')
  expect(findProblem('reasons.freeze', 'About {nam}')).toBe('{nam} is not filled in here. Please remove it')
})
