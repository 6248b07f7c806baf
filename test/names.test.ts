import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

// Names of the product, by syntax. CONTRIBUTING.md says how to name; these limits keep it so.

const root = resolve(import.meta.dirname, '..')
const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && !/^test\/|\.(?:test|spec|d)\./.test(path))

/** First words of function names that are verbs, or stand for one (`is`, `to`, `on`). */
const VERBS = new Set(
  `add adjust allocate allow announce answer append apply approve ask assert assign await begin bind book build call cancel check claim clear close collect
  commit compare complete compute confirm connect convert copy count cover create credit cut deal decide decode decrypt delete deliver derive describe detect
  disconnect dismiss draw emit encode encrypt end ensure enter erase escape estimate execute expand explain export extend fetch file fill filter find flush
  focus fold follow format freeze generate get grant group handle has hash hold identify import include index insert install invest is issue join keep leave
  limit link list load lock log look make map mark match measure merge migrate mount move normalize note notify observe on open order pack page pad parse pay pick
  place plan post prepare price print process project propose prove publish put quote rank read rebuild receive record redeem redirect reduce refresh refund refuse
  register reject release reload remove render renew repair repeat replace replay report request require reserve reset resolve respond restore resume retry return
  reverse revoke rotate round run sample save scan schedule scroll seal search seed select send serialize serve set settle share should show shrink sign simulate
  skip slice sort split spread start step stop store stream strip submit subscribe sum suspend swap sync take tell test throw to toggle track transfer trim try
  turn unfreeze unlock unseal unsubscribe update upload use validate value verify visit wait walk warn watch weigh with withdraw wrap write`.split(
    /\s+/,
  ),
)

/** Types that are a bare participle or adjective, such as `Looked` or `Standing`. */
const PARTICIPLE =
  /^(?:[A-Z][a-z]+(?:ed|ing)|Kept|Held|Shown|Known|Taken|Given|Written|Seen|Found|Sent|Said|Told|Built|Drawn|Deep|Gone|Left|Made|Paid|Read|Chosen|Lost|Due)$/
/** Nouns of the domain that end as participles do. */
const NOUNS = new Set(['Drawing', 'Filing', 'Finding', 'Holding', 'Setting', 'Sibling', 'Sorting', 'Trading'])
const VAGUE = new Set(['each', 'other', 'one', 'around', 'it'])

interface Names {
  readonly functions: string[]
  readonly types: string[]
  readonly vague: string[]
  readonly comments: string[]
  readonly days: string[]
}

function collectNames(): Names {
  const names: Names = { functions: [], types: [], vague: [], comments: [], days: [] }
  for (const path of files) {
    const text = readFileSync(join(root, path), 'utf8')
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
    collect(source, path, names)
    names.comments.push(...(text.match(/\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/g) ?? []))
    if (/\b86_?400_?000\b/.test(text)) names.days.push(path)
  }
  return names
}

function collect(node: ts.Node, path: string, names: Names): void {
  if (ts.isFunctionDeclaration(node) && node.name) names.functions.push(node.name.text)
  if (
    ts.isVariableDeclaration(node) &&
    ts.isIdentifier(node.name) &&
    node.initializer &&
    (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer))
  )
    names.functions.push(node.name.text)
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) names.types.push(node.name.text)
  if (ts.isParameter(node) && ts.isIdentifier(node.name) && VAGUE.has(node.name.text))
    names.vague.push(`${path}: ${node.name.text}`)
  ts.forEachChild(node, (child) => collect(child, path, names))
}

const names = collectNames()
const words = names.comments.join(' ')

/** How often a pattern stands in comments, for each 1,000 words. */
function countPerThousand(pattern: RegExp): number {
  return ((words.match(pattern) ?? []).length / words.split(/\s+/).length) * 1000
}

test('functions begin with a verb, and hardly any ends in Of', () => {
  const functions = names.functions.filter((name) => /^[a-z]/.test(name))
  expect(functions.length).toBeGreaterThan(3000)
  const first = (name: string) => /^[a-z]+/.exec(name)?.[0] ?? ''
  expect(functions.filter((name) => VERBS.has(first(name))).length / functions.length).toBeGreaterThan(0.85)
  expect(functions.filter((name) => /.Of$/.test(name)).length / functions.length).toBeLessThan(0.01)
})

test('types are nouns', () => {
  expect(names.types.filter((name) => PARTICIPLE.test(name) && !NOUNS.has(name))).toEqual([])
})

test('parameters name the thing', () => {
  expect(names.vague.length, names.vague.join('\n')).toBeLessThan(10)
})

test('comments name the thing too', () => {
  const what = /\bwhat (?:is|was|it|they|a|the|he|she|goes|comes|waits|stands)\b/gi
  expect(countPerThousand(what)).toBeLessThan(0.5)
  expect(countPerThousand(/\b(?:nobody|nothing|somebody|anybody)\b/gi)).toBeLessThan(0.8)
})

test('the milliseconds of a day are declared once', () => {
  expect(names.days).toEqual(['src/time.ts'])
})
