import { describe, expect, it } from 'vitest'
import type * as z from 'zod/mini'
import type { Endpoint } from './endpoint.ts'
import {
  bankNumber,
  emailField,
  HIDDEN_CHARACTERS,
  optionalText,
  requiredLines,
  requiredText,
} from './fields.ts'

const modules = import.meta.glob<Record<string, unknown>>(['./**/*.ts', '!./**/*.test.ts'], { eager: true })
const endpoints = Object.values(modules)
  .flatMap((module) => Object.values(module))
  .filter(
    (value): value is Endpoint =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, 'scope'),
  )

/** Fields that nobody reads: they are compared or used up, never stored as text. */
const NEVER_SHOWN =
  /(?:^|\.)(?:password|confirmPassword|currentPassword|newPassword|token|verificationToken|code|proof|passkey|latest|credential|recoveryCode|identity|withdrawals\[\])$|^notification\./

const PLAIN = ['Ada Lovelace', 'ada', 'ada@example.org', '+41 79 123 45 67', '12', 'CH', 'a/b', 'Germany']
const HIDDEN: readonly [string, string][] = [
  ['right-to-left override', '\u202e'],
  ['left-to-right embedding', '\u202a'],
  ['isolate', '\u2066'],
  ['end of an isolate', '\u2069'],
  ['left-to-right mark', '\u200e'],
  ['right-to-left mark', '\u200f'],
  ['Arabic letter mark', '\u061c'],
  ['zero-width space', '\u200b'],
  ['joiner without a letter to join', '\u200d'],
  ['soft hyphen', '\u00ad'],
  ['word joiner', '\u2060'],
  ['byte order mark', '\ufeff'],
  ['tag', '\u{e0041}'],
  ['Hangul filler', '\u3164'],
  ['null', '\u0000'],
  ['C1 control', '\u0085'],
  ['lone surrogate', '\ud800'],
]

/** The text fields of a schema with their paths, in any nesting. */
function textFields(schema: unknown, path = ''): [string, z.ZodMiniType][] {
  const { def } = (schema as z.core.$ZodType)._zod as unknown as { def: Record<string, unknown> }
  if (def.type === 'object') {
    const shape = def.shape as Record<string, unknown>
    return Object.entries(shape).flatMap(([name, field]) =>
      textFields(field, path ? `${path}.${name}` : name),
    )
  }
  if (def.type === 'array') return textFields(def.element, `${path}[]`)
  if (def.type === 'union') {
    const parts = (def.options as unknown[]).flatMap((option) => textFields(option, path))
    return [...parts, [path, schema as z.ZodMiniType]]
  }
  const inner = def.innerType ?? (def.type === 'pipe' && isContainer(def.out) ? def.out : undefined)
  if (inner !== undefined && isContainer(inner)) return textFields(inner, path)
  return [[path, schema as z.ZodMiniType]]
}

function isContainer(schema: unknown): boolean {
  const { def } = (schema as z.core.$ZodType)._zod as unknown as { def: Record<string, unknown> }
  if (def.innerType !== undefined) return isContainer(def.innerType)
  return def.type === 'object' || def.type === 'array' || (def.type === 'pipe' && isContainer(def.out))
}

const fields = endpoints.flatMap(({ method, path, body, query }) =>
  [body, query].flatMap((schema) =>
    schema === undefined
      ? []
      : textFields(schema).map(([name, field]) => [`${method} ${path}`, name, field] as const),
  ),
)

describe('text that one person sends and another one reads', () => {
  it('is found in every endpoint', () => {
    expect(endpoints.length).toBeGreaterThan(120)
    const named = (endpoint: string, name: string) =>
      fields.some(([where, field]) => where === endpoint && field === name)
    for (const [endpoint, name] of [
      ['POST /auth/register', 'fullname'],
      ['PATCH /users/user-info', 'displayName'],
      ['POST /withdrawals/online-service', 'accountNumber'],
      ['POST /users/addresses', 'label'],
      ['POST /contact-us', 'message'],
      ['POST /operator/deposits/:id/reject', 'reason'],
      ['POST /operator/proposals', 'text'],
      ['PATCH /operator/settings', 'reasons.freeze[]'],
      ['PATCH /operator/settings', 'supportAddress'],
      ['GET /operator/investors', 'query'],
    ] as const)
      expect(named(endpoint, name), `${endpoint} ${name}`).toBe(true)
  })

  it('holds no direction marks and nothing else that is invisible, in any field of any endpoint', () => {
    const accepted: string[] = []
    let checked = 0
    for (const [endpoint, name, field] of fields) {
      if (NEVER_SHOWN.test(name)) continue
      for (const plain of PLAIN.filter((text) => field.safeParse(text).success)) {
        checked++
        for (const [what, character] of HIDDEN)
          for (const text of [`${plain.slice(0, 1)}${character}${plain.slice(1)}`, `x${character}${plain}`])
            if (
              JSON.stringify(field.safeParse(text).data ?? '').includes(
                JSON.stringify(character).slice(1, -1),
              )
            )
              accepted.push(`${endpoint} ${name}: ${what}`)
      }
    }
    expect([...new Set(accepted)]).toEqual([])
    expect(checked).toBeGreaterThan(300)
  })

  it('shows something', () => {
    for (const text of ['\u2800\u2800', '\u0301', '\u3164', '\u00a0\u2800', '\u200d'])
      expect(requiredText('Missing').safeParse(text).success, JSON.stringify(text)).toBe(false)
    expect(optionalText().safeParse('\u2800').success).toBe(false)
  })

  it('says what to do', () => {
    const refused = requiredText('Missing').safeParse('\u202e12345678')
    expect(refused.error?.issues).toMatchObject([{ message: HIDDEN_CHARACTERS }])
  })

  it.each([
    'محمد علي الفارسي',
    'می‌خواهم',
    'नरेन्द्र क्‍षेत्र',
    'ශ්‍රී ලංකා',
    'Đặng Thị Ngọc',
    'O’Brien-Ünal',
    'Jose\u0301',
    '葛\u{e0100}飾',
    '김철수',
    '👩‍👩‍👧‍👦 👩🏽‍❤️‍💋‍👨🏿 🏳️‍🌈 ❤️ 1️⃣ 🇨🇭 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  ])('may be honest text of any language, with emoji: %s', (text) => {
    expect(requiredText('Missing').safeParse(text).data).toBe(text)
  })

  it('keeps line breaks only where it has lines', () => {
    expect(requiredText('Missing').safeParse('a\r\n\tb').data).toBe('a b')
    expect(requiredLines('Missing', 10).safeParse('a\nb').data).toBe('a\nb')
  })

  it('is in Latin letters and digits where it is a number of a bank', () => {
    const number = bankNumber('Missing', 140)
    expect(number.safeParse('CH93 0076-2011/6238').success).toBe(true)
    for (const text of ['123 456 \u05d1', '\u0627123', '１２３'])
      expect(number.safeParse(text).success).toBe(false)
  })
})

it('an address under an internationalised domain has one form', () => {
  const parsed = (value: string) => {
    const { data, success } = emailField().safeParse(value)
    return success ? data : null
  }
  expect(parsed('User@example.рф')).toBe('user@example.xn--p1ai')
  for (const same of [
    'user@пример.рф',
    'user@xn--e1afmkfd.xn--p1ai',
    'USER@ПРИМЕР.РФ',
    ' user@XN--E1AFMKFD.XN--P1AI ',
  ])
    expect(parsed(same), same).toBe('user@xn--e1afmkfd.xn--p1ai')
  expect(parsed('user@münchen.de')).toBe('user@xn--mnchen-3ya.de')
  for (const wrong of [
    'user@пример.рф/path',
    'user@пример',
    'us:er@b@пример.рф',
    'юзер@пример.рф',
    'пример.рф',
    'user@при мер.рф',
    'user@%D0%BF.рф',
    'user@пример.рф:80',
  ])
    expect(parsed(wrong), wrong).toBeNull()
})
