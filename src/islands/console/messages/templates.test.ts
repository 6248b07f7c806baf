import { describe, expect, test } from 'vitest'
import {
  type ContactMessage,
  type MentionedCase,
  PLACEHOLDERS,
  replyFields,
} from '../../../contract/console/messages.ts'
import { fillTemplate, TEMPLATES } from './templates.ts'

const theirs: MentionedCase = {
  ref: 'DEP-7K3M9Q2X',
  kind: 'deposit',
  _id: 'd',
  status: 'pending',
  amount: 1500.5,
  isTheirs: true,
}
const message = (mentioned: MentionedCase[]) => ({ name: 'Ana Torres', mentioned }) as ContactMessage

describe('a template', () => {
  test.each(TEMPLATES.map((each) => [each.label, each] as const))(
    'has known placeholders only: %s',
    (_, each) => {
      for (const found of each.text.match(/\[[^\]]*\]/g) ?? [])
        expect(PLACEHOLDERS as readonly string[]).toContain(found)
      const body = { text: fillTemplate(each, message([theirs])) }
      expect(replyFields.safeParse(body).success).toBe(true)
    },
  )

  test('takes name, reference and amount from the thread', () => {
    const template = { label: '', text: '[name]: [reference] of [amount]' }
    expect(fillTemplate(template, message([theirs]))).toBe('Ana Torres: DEP-7K3M9Q2X of $1,500.50')
  })

  test('never takes the case of somebody else, and cannot be sent with a gap', () => {
    const template = { label: '', text: '[reference] of [amount]' }
    const text = fillTemplate(template, message([{ ...theirs, isTheirs: false }]))
    expect(text).toBe('[reference] of [amount]')
    expect(replyFields.safeParse({ text }).error?.issues[0]?.message).toBe('Please fill in [reference]')
  })
})
