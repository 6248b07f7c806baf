import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { TERMS_VERSION } from '../../contract/identity/registration.ts'
import { legalText } from '../schemas.ts'

const terms = read('terms-of-service')
const privacy = read('privacy-policy')
const regulations = read('regulations')
const risks = read('risk-disclosure')

function read(id: string) {
  const [, head = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(
    readFileSync(join(import.meta.dirname, `${id}.mdx`), 'utf8'),
  ) ?? [undefined]
  return {
    date: /^date: (.+)$/m.exec(head)?.[1],
    changed: /^changed: (.+)$/m.exec(head)?.[1],
    body,
    summary: [...(/^summary:\n((?: {2}- .+\n?)+)/m.exec(head)?.[1] ?? '').matchAll(/- (.+)/g)].map(
      ([, line = '']) => line,
    ),
    headings: [...body.matchAll(/^(#+) (.+)$/gm)].map(([, marks = '', text = '']) => ({
      depth: marks.length,
      text,
    })),
  }
}

/** `1`, `2`, `3` … as the sections are numbered, in the order of the text. */
function listNumbers({ headings }: typeof terms) {
  return headings.filter(({ depth }) => depth === 2).map(({ text }) => Number(/^(\d+)\. \S/.exec(text)?.[1]))
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe('the legal texts', () => {
  test('the Terms of Service are of August 10, 2022, in 11 numbered sections', () => {
    expect(terms.date).toBe('2022-08-10')
    expect(listNumbers(terms)).toEqual(upTo(11))
  })

  test('the Privacy Policy is of September 10, 2023, in 8 numbered sections', () => {
    expect(privacy.date).toBe('2023-09-10')
    expect(listNumbers(privacy)).toEqual(upTo(8))
  })

  test('registering records the version of the terms that stand on the site', () => {
    expect(TERMS_VERSION, 'src/contract/identity/terms.json has the date of the current terms').toBe(
      terms.changed ?? terms.date,
    )
  })

  test('both ask for an age of at least 18', () => {
    for (const { body } of [terms, privacy]) expect(body).toMatch(/at least 18 years old/)
  })

  test('Regulations and the Risk Disclosure are dated and numbered as well', () => {
    for (const text of [regulations, risks]) {
      expect(text.date).toMatch(/^20\d\d-\d\d-\d\d$/)
      expect(listNumbers(text)).toEqual(upTo(listNumbers(text).length))
    }
  })

  test('the Risk Disclosure begins with five lines, of which the first is that all can be lost', () => {
    expect(risks.summary).toHaveLength(5)
    expect(risks.summary[0]).toMatch(/^You could lose all the money you invest/)
  })

  test('the Risk Disclosure is read in five minutes', () => {
    const words = risks.body.replace(/<[^>]*>/g, ' ').match(/[\p{L}’]+/gu) ?? []
    // At 240 words a minute, as adults read plain texts.
    expect(words.length).toBeLessThanOrEqual(1200)
    expect(words.length).toBeGreaterThan(600)
  })

  test('headings follow in order: the title is the page’s, sections come next', () => {
    for (const { headings } of [terms, privacy, regulations, risks]) {
      const depths = headings.map(({ depth }) => depth)
      expect(depths[0]).toBe(2)
      expect(Math.min(...depths)).toBe(2)
      const leaps = depths.filter((depth, index) => depth > (depths[index - 1] ?? 1) + 1)
      expect(leaps).toEqual([])
    }
  })
})

describe('what stands at the head of a text', () => {
  const good = {
    title: 'Terms of Service',
    date: new Date('2022-08-10'),
    description: 'The rules between you and the operator on accounts, deposits and withdrawals.',
    version: 1,
  }

  test('passes when all of it is there', () => {
    expect(legalText.safeParse(good).success).toBe(true)
  })

  test.each([
    ['title', { ...good, title: '' }],
    ['date', { ...good, date: 'August 2022' }],
    ['date', { ...good, date: null }],
    ['description', { ...good, description: 'Terms' }],
    ['version', { ...good, version: 0 }],
    ['version', { ...good, version: undefined }],
    ['summary', { ...good, summary: ['You could lose all the money you invest.'] }],
  ])('fails by the name of the field: %s', (field, wrong) => {
    expect(legalText.safeParse(wrong).error?.issues.map(({ path }) => path.join())).toEqual([field])
  })

  test('fails with a field that is not known', () => {
    expect(legalText.safeParse({ ...good, verison: 2 }).error?.issues[0]).toMatchObject({ keys: ['verison'] })
  })
})
