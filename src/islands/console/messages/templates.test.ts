import { expect, test } from 'vitest'
import { type ContactMessage, type MentionedCase, replyFields } from '../../../contract/console/messages.ts'
import { getSettingFacts, SETTING_KEYS } from '../../../contract/console/settingList.ts'
import { createRule } from '../../../contract/console/settingRules.ts'
import { listTemplates } from './templates.ts'

const theirs: MentionedCase = {
  ref: 'DEP-7K3M9Q2X',
  kind: 'deposit',
  _id: 'd',
  status: 'pending',
  amount: 1500.5,
  isTheirs: true,
}
const templates = {
  depositPending: ['{name}: {ref} of {amount} is {status}'],
  depositDecided: ['Decided: {status}'],
  withdrawalPending: ['Pending: {ref}'],
  withdrawalApproved: ['Approved: {ref}'],
  withdrawalDecided: ['Over: {status}'],
  account: ['Your account, {name}'],
  general: ['Anything'],
}
const list = (mentioned: MentionedCase[], investor: ContactMessage['investor'] = null) =>
  listTemplates(templates, { name: 'Ana Torres', mentioned, investor } as ContactMessage)

test('templates are offered where they apply, with name, reference, amount and status of the case', () => {
  expect(list([theirs])).toEqual(['Ana Torres: DEP-7K3M9Q2X of $1,500.50 is pending', 'Anything'])
  expect(list([{ ...theirs, status: 'approved' }])).toEqual(['Decided: credited', 'Anything'])
  const withdrawal = { ...theirs, kind: 'withdrawal', ref: 'WDR-7K3M9Q2X' } as const
  expect(list([{ ...withdrawal, status: 'approved' }])).toEqual(['Approved: WDR-7K3M9Q2X', 'Anything'])
  expect(list([{ ...withdrawal, status: 'completed' }])).toEqual(['Over: paid', 'Anything'])
  expect(list([], { _id: 'a', name: 'Ana Torres', email: 'ana@example.com' })).toEqual([
    'Your account, Ana Torres',
    'Anything',
  ])
})

test('templates never take the case of somebody else, and nothing is sent with a gap', () => {
  expect(list([{ ...theirs, isTheirs: false }])).toEqual(['Anything'])
  const sent = replyFields.safeParse({ text: 'About {ref}' })
  expect(sent.error?.issues[0]?.message).toBe('Please fill in {ref}')
})

test('listed texts have only placeholders that are filled in', () => {
  for (const key of SETTING_KEYS.filter((key) => getSettingFacts(key).unit === 'list'))
    expect([key, createRule(key).safeParse(getSettingFacts(key).default).success]).toEqual([key, true])
  const findProblem = (key: 'templates.general' | 'reasons.freeze', text: string) =>
    createRule(key).safeParse([text]).error?.issues[0]?.message
  expect(findProblem('templates.general', 'About {ref}')).toBe('{ref} is not filled in here. Use {name}')
  expect(findProblem('reasons.freeze', 'About {nam}')).toBe('{nam} is not filled in here. Please remove it')
})
