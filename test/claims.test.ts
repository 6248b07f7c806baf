import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Claim, claim } from '../src/content/schemas.ts'
import { findFaults } from '../src/pages/_site/claims/evidence.ts'
import { type Files, openFiles } from '../src/pages/_site/claims/files.ts'
import { testSource } from '../src/pages/_site/claims/testSource.ts'
import { findUses } from '../src/pages/_site/claims/uses.ts'

const root = resolve(import.meta.dirname, '..')

describe('the register of claims', () => {
  const folder = join(root, 'src/content/claims')
  const entries = readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => ({
      id: name.replace('.yaml', ''),
      found: claim.safeParse(parse(readFileSync(join(folder, name), 'utf8'))),
    }))

  test('is written as its schema asks', () => {
    const wrong = entries.flatMap(({ id, found }) =>
      (found.error?.issues ?? []).map(
        ({ path, message }) => `src/content/claims/${id}.yaml: ${path.join('.')}: ${message}`,
      ),
    )
    expect(entries.length).toBeGreaterThan(20)
    expect(wrong).toEqual([])
  })

  test('has evidence for each claim that it calls shown, and a page that makes each claim but the planned', () => {
    const files = openFiles(root)
    const register = new Map(entries.flatMap(({ id, found }) => (found.data ? [[id, found.data]] : [])))
    expect(findFaults(register, findUses(files), files)).toEqual([])
    // Slow: it parses every test file named as evidence with the TypeScript compiler.
  }, 30_000)

  test('says each thing once', () => {
    const sentences = entries.flatMap(({ found }) => (found.data ? [found.data.claim.toLowerCase()] : []))
    expect(sentences.filter((sentence, index) => sentences.indexOf(sentence) !== index)).toEqual([])
  })
})

describe('a claim fails the register', () => {
  const used = new Map([['sealed', { everywhere: false, pages: ['/'] }]])

  test.each([
    ['has no evidence at all', { evidence: [] }],
    ['has evidence that names neither test nor page', { evidence: [{ file: 'worker/seal.test.ts' }] }],
    ['takes a source that is no test', { evidence: [{ file: 'worker/seal.ts', test: 'a file is sealed' }] }],
    ['has no standing', { standing: undefined }],
  ])('that %s', (_, change) => {
    expect(claim.safeParse({ ...sealed, ...change }).success).toBe(false)
  })

  test.each([
    ['a file that is gone', { file: 'worker/gone.test.ts', test: 'a file is sealed' }, 'evidence.0.file'],
    [
      'a test that is gone',
      { file: 'worker/seal.test.ts', test: 'a file is sealed twice' },
      'evidence.0.test',
    ],
    ['a test that is skipped', { file: 'worker/seal.test.ts', test: 'a key is kept' }, 'evidence.0.test'],
    ['a page that is gone', { page: '/gone' }, 'evidence.0.page'],
  ])('that names %s, and the fault names file and field', (_, piece, field) => {
    const faults = findFaults(new Map([['sealed', { ...sealed, evidence: [piece] }]]), used, project({}))
    expect(faults).toHaveLength(1)
    expect(faults[0]).toContain(`src/content/claims/sealed.yaml: ${field}: `)
  })

  test('that no page makes', () => {
    expect(findFaults(new Map([['sealed', sealed]]), new Map(), project({}))).toEqual([
      expect.stringContaining('src/content/claims/sealed.yaml: no page makes this claim'),
    ])
  })

  test('a planned claim that a page states as a fact', () => {
    const { evidence, ...rest } = sealed
    const planned: Claim = { ...rest, standing: 'planned' }
    expect(evidence).toHaveLength(2)
    expect(findFaults(new Map([['sealed', planned]]), new Map(), project({}))).toEqual([])
    expect(findFaults(new Map([['sealed', planned]]), used, project({}))).toEqual([
      'src/content/claims/sealed.yaml: standing: / states as a fact what is only planned',
    ])
  })

  test('that it doesn’t have', () => {
    expect(findFaults(new Map(), used, project({}))).toEqual(['/: src/content/claims has no sealed.yaml'])
  })

  test('but not when its test runs, its page is there and a page makes it', () => {
    expect(findFaults(new Map([['sealed', sealed]]), used, project({}))).toEqual([])
  })
})

describe('the test that shows a claim', () => {
  test('is cut out whole, with its line, and without the indentation of its group', () => {
    const text = `describe('sealing', () => {\n  test('seals', () => {\n    expect(seal()).toBe(\`a\n  b\`)\n  })\n})\n`
    expect(testSource(text, 'seals')).toEqual({
      source: "test('seals', () => {\n  expect(seal()).toBe(`a\nb`)\n})",
      line: 2,
    })
  })

  test.each([
    ["it('a', () => {})", 'a'],
    ['test(`a`, async () => {})', 'a'],
    ["test('a', { timeout: 5 }, function () {})", 'a'],
    ["test.each([1, 2])('a %s', () => {})", 'a %s'],
    ["test.concurrent('a', () => {})", 'a'],
    ['test.each(rows)(`$' + '{path} a`, () => {})', '$' + '{path} a'],
  ])('is found as %s', (text, name) => {
    expect(testSource(text, name)?.source).toContain(name)
  })

  test.each(['skip', 'todo', 'only', 'fixme', 'skipIf(true)', 'fails'])(
    'does not count with .%s',
    (modifier) => {
      expect(testSource(`test.${modifier}('a', () => {})`, 'a')).toBeUndefined()
      expect(testSource(`it.${modifier}.each([1])('a', () => {})`, 'a')).toBeUndefined()
      expect(testSource(`describe.${modifier}('b', () => { test('a', () => {}) })`, 'a')).toBeUndefined()
      expect(testSource(`test.describe.${modifier}('b', () => { test('a', () => {}) })`, 'a')).toBeUndefined()
    },
  )

  test.each([
    `test('a', () => { ${'test'}.skip(true, 'not here') })`,
    "test('a', ({ skip }) => { skip() })",
    "test('a', (context) => { context.skip() })",
    "test('a')",
    "// test('a', () => {})",
    "other('a', () => {})",
    "test('a and b', () => {})",
  ])('does not count as %s', (text) => {
    expect(testSource(text, 'a')).toBeUndefined()
  })
})

describe('finds the pages of a claim', () => {
  test.each([
    ['<Claim of="sealed">words</Claim>', ['sealed']],
    ['<Claim as="p" of={["sealed", "kept"]}>words</Claim>', ['sealed', 'kept']],
    ['<p data-claim="sealed kept">words</p>', ['sealed', 'kept']],
    ["const items = [{ text: 'words', claims: ['sealed'] }]", ['sealed']],
    ["import Part from './_site/about/Part.astro'", ['of-a-part']],
    ["const all = await getCollection('faq')", ['of-an-answer', 'of-a-text']],
    ["const one = await getEntry('faq', 'first')", ['of-an-answer']],
    ['<p>words</p>', []],
  ])('in %s', (source, ids) => {
    const uses = findUses(project({ 'src/pages/about.astro': source }))
    expect([...uses.keys()].sort()).toEqual([...ids].sort())
    for (const id of ids) expect(uses.get(id)).toEqual({ everywhere: false, pages: ['/about'] })
  })

  test('in what all pages share, once for all of them', () => {
    const shared = { 'src/layouts/PublicLayout.astro': '<Claim of="sealed">words</Claim>' }
    const page = { 'src/pages/about.astro': "import PublicLayout from '../layouts/PublicLayout.astro'" }
    expect([...findUses(project({ ...shared, ...page }))]).toEqual([
      ['sealed', { everywhere: true, pages: [] }],
    ])
  })
})

const sealed = {
  claim: 'A file is sealed before it is kept.',
  topic: 'Security',
  standing: 'shown',
  evidence: [{ file: 'worker/seal.test.ts', test: 'a file is sealed' }, { page: '/' }],
} satisfies Claim

/** A project of a few files, with more if given. */
function project(more: Record<string, string>): Files {
  const texts: Record<string, string> = {
    'worker/seal.test.ts': "test('a file is sealed', () => {})\ntest.skip('a key is kept', () => {})",
    'src/pages/index.astro': '<h1>Home</h1>',
    'src/pages/_site/about/Part.astro': '<Claim of="of-a-part">words</Claim>',
    'src/content/faq/first.yaml': 'question: Is it?\nclaims: [of-an-answer]\n',
    'src/content/faq/second.mdx': '---\nquestion: Why?\n---\nBecause <Claim of="of-a-text">words</Claim>.\n',
    ...more,
  }
  return {
    read: (path) => texts[path],
    list: (folder) => Object.keys(texts).filter((path) => path.startsWith(`${folder}/`)),
  }
}
